#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// A task of URLSession as the client of an exchange. The system counts bytes, tells delegates, collects bodies and
  /// downloads, and follows redirects.
  ///
  /// Use it on the exchange's queue only.
  final class TaskClient: ExchangeClient, @unchecked Sendable {
    // Safe because only the exchange's queue uses the mutable state.
    let loader: URLProtocol
    let task: URLSessionTask
    let queue: TimelineQueue

    init(loader: URLProtocol, task: URLSessionTask, queue: TimelineQueue) {
      self.loader = loader
      self.queue = queue
      self.task = task
    }

    func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int { isTimed ? readByteCount : 0 }

    func headIsDue(_ expected: ExpectedHead?) { if let expected { storeCookies(of: expected) } }

    let takesPieces = true

    func receive(_ response: URLResponse) {
      loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func receive(_ piece: Data, isWhole: Bool) { loader.client?.urlProtocol(loader, didLoad: piece) }

    /// Delegate methods are out of reach.
    func notifyWhenDelivered(_ completion: @escaping Work) -> Bool { false }

    func finish() { loader.client?.urlProtocolDidFinishLoading(loader) }

    func fail(_ error: any Error) { loader.fail(error) }

    /// `stopLoading()` also comes when the system follows a redirect that the delegate accepted. Returns `true` then:
    /// the task isn't cancelled.
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
      guard task.note.map({ $0.redirectCount < Redirect.limit }) ?? true else {
        return completion(.failure(URLError.redirectedTooOften(hop.request)))
      }
      let next = redirect.request.afterRedirect
      completion(
        .left(to: next) { [self] refused in
          let request = task.note?.redirect(to: next) ?? next
          loader.client?.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: head)
          RedirectQuestion.whenAnswered(by: task, refused)
        })
    }

    func bodyToFetch(of incoming: IncomingRequest, isRecorded: Bool) async throws -> FetchBody {
      FetchBody(read: try await incoming.read())
    }

    /// The session that loads the request asks its cache itself.
    func storedResponse(to request: URLRequest) -> (@Sendable () -> CachedURLResponse?)? { nil }

    var showsDemands: Bool { false }

    func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
      loader.client?.urlProtocol(loader, didReceive: challenge)
    }
  }

  extension URLRequest {
    /// The request without the fields that URLSession drops when it follows a redirect, also to the same host. It takes
    /// the request of a `URLProtocol` as it is. These are the names that OHHTTPStubs drops.
    fileprivate var afterRedirect: URLRequest {
      var request = self
      for name in [
        "Authorization", "Connection", "Host", "Proxy-Authenticate", "Proxy-Authorization", "WWW-Authenticate",
      ] { request.setValue(nil, forHTTPHeaderField: name) }
      return request
    }
  }

  /// The question to a task's delegate whether to follow a redirect.
  ///
  /// The system asks it after the load has reported the redirect. If the redirect is followed, a new load takes the
  /// task, and the system stops the old one. Until then, the classic loader can take what the old load says in place
  /// of the redirect. So the load says nothing before the delegate has answered, and nothing at all if there is no
  /// such delegate.
  enum RedirectQuestion {
    private static let question = Selector(("URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:"))

    /// Call this where the load has reported the redirect.
    ///
    /// - Parameter completion: A closure that runs after the delegate has been asked, and after the system has taken an
    ///   answer that the delegate gives at once. It never runs if no delegate is asked, or if the new loader has the
    ///   task: that one needs no more than the redirect, and takes whatever comes after it for the answer.
    static func whenAnswered(by task: URLSessionTask, _ completion: @escaping Work) {
      guard ClientRunLoop() != nil else { return }
      guard let session = task.ownSession else {
        // Nothing shows who is asked. A redirect that is followed stops the load long before.
        return DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: completion)
      }
      let delegates = [task.delegate, session.delegate as? any URLSessionTaskDelegate]
      guard delegates.contains(where: { $0?.responds(to: question) == true }) else { return }
      // This calls back on the delegate's queue after the session's own queue has taken the redirect.
      session.getAllTasks { _ in
        session.delegateQueue.addBarrierBlock { session.getAllTasks { _ in completion() } }
      }
    }
  }

  /// The thread that called `startLoading`. Apple's classic loader expects calls of its client there.
  final class ClientRunLoop: DeliveryQueue, @unchecked Sendable {
    // Safe because a run loop takes blocks from any thread, and nothing else in it changes.
    private let runLoop: CFRunLoop

    /// Returns `nil` on the queues of the new loader: no run loop is running there, except in that of the main thread,
    /// on which the classic loader starts nothing.
    init?() {
      guard let runLoop = CFRunLoopGetCurrent(), runLoop !== CFRunLoopGetMain(),
        CFRunLoopCopyCurrentMode(runLoop) != nil
      else { return nil }
      self.runLoop = runLoop
    }

    var isCurrent: Bool { CFRunLoopGetCurrent() === runLoop }

    func perform(_ work: @escaping Work) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
