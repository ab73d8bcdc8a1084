#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A client between URLSession and its own loader, which loads the target of a stubbed redirect.
  ///
  /// URLSession answers a 401 by starting over with the task's first request. That is the stubbed one, which would go
  /// to the real network with the credential for another server. URLSession therefore doesn't learn of the end before
  /// StubKit allows it.
  final class RedirectedClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because nothing in it changes, and all of it is called on the task's work queue.
    private let mayFinish: (URLProtocol, HTTPURLResponse) -> Bool

    /// - Parameter mayFinish: A closure that is called on the task's work queue. If it returns `false`, `finish` is
    ///   called later or never.
    init(_ client: any URLProtocolClient, mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool) {
      self.mayFinish = mayFinish
      super.init(client)
    }

    override func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      if let response = loader.task?.response as? HTTPURLResponse, !mayFinish(loader, response) { return }
      super.urlProtocolDidFinishLoading(loader)
    }

    /// Ends the task with its response as it is, even if that asks for a credential.
    func finish(_ loader: URLProtocol) {
      UnansweredChallengeResponse.hidingProtectionSpace { super.urlProtocolDidFinishLoading(loader) }
    }
  }
#endif
