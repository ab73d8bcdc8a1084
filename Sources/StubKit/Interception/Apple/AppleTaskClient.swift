#if canImport(Darwin)
  import Foundation

  /// A task of URLSession as the client of an exchange. The system counts bytes, tells delegates, collects bodies and
  /// downloads, and follows redirects.
  ///
  /// Use it on the exchange's queue only.
  final class TaskClient: ExchangeClient, @unchecked Sendable {
    // Safe because only the exchange's queue uses the mutable state.
    let loader: URLProtocol
    let task: URLSessionTask
    let queue: TimelineQueue
    /// The number of bytes read of the request's body.
    private var readByteCount = 0

    init(loader: URLProtocol, task: URLSessionTask, queue: TimelineQueue) {
      self.loader = loader
      self.queue = queue
      self.task = task
    }

    func prepare(for hop: Hop) -> (any Error)? {
      hop.isFirst || Platform.canIntercept(hop.request) ? nil : URLError.unsupported(hop.request)
    }

    func didRead(_ byteCount: Int) { if byteCount > 0 { readByteCount = byteCount } }

    func requestLength(isTimed: Bool) -> Int { isTimed ? readByteCount : 0 }

    func didSend(_ byteCount: Int) {}

    func headIsDue(_ expected: ExpectedHead?) { if let expected { storeCookies(of: expected) } }

    let takesPieces = true

    func receive(_ response: URLResponse) {
      loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func receive(_ piece: Data, isWhole: Bool) { loader.client?.urlProtocol(loader, didLoad: piece) }

    /// Delegate methods are out of reach.
    func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool { false }

    func finish() { loader.client?.urlProtocolDidFinishLoading(loader) }

    func fail(_ error: any Error) { Platform.fail(loader, error) }

    /// `stopLoading()` also comes when the system follows a redirect that the delegate accepted. Returns `true` then: the
    /// task isn't cancelled.
    func willStop() -> Bool { task.state != .canceling && task.error == nil }

    /// A task can't return to the system's loader.
    func passNatively(_ exchange: Exchange) -> Bool { false }

    /// The task shows what it sends and receives itself.
    func adopt(_ other: URLSessionTask, hasHead: Bool) {}

    /// The system asks the delegate, and creates a new load for the request that it returns. If it returns none, the
    /// classic loader takes what the load still says.
    func ask(
      about redirect: Redirect, _ head: HTTPURLResponse, of hop: Hop,
      completion: @escaping @Sendable (FollowUp.Decision) -> Void
    ) {
      // The task limits the redirects, because each of them creates a new load.
      guard TaskNote.of(task).map({ $0.redirectCount < Redirect.limit }) ?? true else {
        return completion(.failure(URLError.redirectedTooOften(hop.request)))
      }
      completion(
        .left(to: redirect.request) { [self] refused in
          let request = TaskNote.of(task)?.redirect(to: redirect.request) ?? redirect.request
          loader.client?.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: head)
          RedirectQuestion.whenAnswered(by: task, refused)
        })
    }

    var showsDemands: Bool { false }

    func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
      loader.client?.urlProtocol(loader, didReceive: challenge)
    }
  }
#endif
