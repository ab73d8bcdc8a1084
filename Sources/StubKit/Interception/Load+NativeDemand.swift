import Foundation

/// The demands for credentials of servers that a stubbed redirect led to. After such a redirect, the system doesn't
/// know which request to repeat.
extension Load {
  /// Returns whether the task can end with what the system's loader received.
  func mayFinish(_ loader: URLProtocol, _ response: HTTPURLResponse) -> Bool {
    guard isLoading(loader), let task = loader.task else { return true }
    let client = LoadClient(loader: loader, task: task, queue: queue)
    guard response.statusCode == 401 else {
      if let given = hop.credential { client.store(given.credential, for: given.space) }
      queue.ownerLeft()
      return true
    }
    // After the system's loader has come to rest.
    queue.perform { [self] in answer(response, client) }
    return false
  }

  private func answer(_ response: HTTPURLResponse, _ client: LoadClient) {
    guard isLoading(client.loader) else { return }
    guard let demand = CredentialDemand(response) else { return finish(client) }
    ask(for: demand, response, client) { [self] credential in
      guard isLoading(client.loader) else { return }
      guard let credential, let request = client.task.currentRequest else { return finish(client) }
      hop = hop.answering(demand, with: credential, of: request)
      guard let native = NativeLoad(client.loader, redirectedTo: hop.request) else { return finish(client) }
      proceed(with: native)
    }
  }

  /// Returns whether the loader still has the task, which nobody has cancelled.
  private func isLoading(_ loader: URLProtocol) -> Bool {
    guard case .passedThrough(let native) = phase, native.loader === loader else { return false }
    return loader.task?.state == .running || loader.task?.state == .suspended
  }

  private func finish(_ client: LoadClient) {
    // The news of a suspension can be on its way. The end waits for the resumption.
    if client.isListening { queue.ownerLeft() } else { pause() }
    proceed(with: NativeLoad(finishing: client.loader))
  }
}
