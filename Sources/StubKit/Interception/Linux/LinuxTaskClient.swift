#if !canImport(Darwin)
  import Foundation

  /// A task of URLSession as the client of an exchange. It counts the bytes, tells delegates, and collects bodies and
  /// downloads, none of which swift-corelibs-foundation does for a `URLProtocol`.
  ///
  /// A download with a completion handler, for example, gets these calls, in this order:
  ///
  /// 1. `prepare()`: the task shows how long its body is, and on which queue it will complete.
  /// 2. `headIsDue(_:)`: cookies are stored, and the task shows how much it expects.
  /// 3. `receive(_:)`: the head is kept, because a handler gets no head of a download that breaks off.
  /// 4. `receive(_:isWhole:)`: each piece is written to a ``TemporaryFile``.
  /// 5. `finish()`: the head is told. URLSession finds the file where its own loader would have put it
  ///    (``LoadProperties``), calls the handler, and the task gets a loader that does nothing (``IdleLoader``).
  ///
  /// For a data task, its ``BodyReceiver`` decides: a session's delegate gets the pieces, and a handler the whole body.
  /// Foundation.md, beside this file, says what URLSession on Linux does by itself, and what it gets wrong. The first
  /// test to read is "is gone when its handler has returned" in `AbandonedDownloadTests.swift`.
  ///
  /// Use it on the exchange's queue only.
  final class TaskClient: ExchangeClient, @unchecked Sendable {
    // Safe because only the exchange's queue uses the mutable state.
    let loader: URLProtocol
    let task: URLSessionTask
    let queue: TimelineQueue
    private(set) lazy var counts = ByteCounts(task, loader.request)
    private lazy var receiver = session.flatMap { internals?.taskBehaviours.receiver(of: task, in: $0) } ?? .unknown
    private var internals: URLSessionInternals? { Platform.internals }
    private lazy var session = task.ownSession
    /// A Boolean value that indicates whether StubKit has to create the task's downloaded file.
    private var receivesFile: Bool { task is URLSessionDownloadTask }
    /// A Boolean value that indicates whether an async call has created the task.
    private(set) var isAwaitedByTask = false
    /// A head that waits for the end of the load.
    private var keptHead: URLResponse?
    /// Whether the body arrived in one piece, and none of it belongs to a response that was replaced, or `nil` before
    /// any arrives. A completion handler gets only the last piece, so `finish` gives it the whole body otherwise.
    private var hasWholeBody: Bool?
    /// The pieces of the body for a receiver that gets it as a whole at the end.
    private var collected = Data()
    /// The body of a download.
    private var file: TemporaryFile?
    /// A Boolean value that indicates whether the response can break off after its head. A task with a completion
    /// handler then receives the head only when the load ends.
    private var mayFailLater = false
    /// A Boolean value that indicates whether the response is a redirect that the delegate refused. As in the native
    /// loader, only that delegate gets its body.
    private var isRedirectRefused = false
    private var stopsClock = false

    init(loader: URLProtocol, task: URLSessionTask, queue: TimelineQueue) {
      self.loader = loader
      self.queue = queue
      self.task = task
    }

    /// Prepares the task before it receives anything.
    func prepare() {
      // The native loader sets the expected length of the upload before anything else.
      _ = counts
      if internals?.task.completeOnDelegateQueue(task) == true { isAwaitedByTask = true }
    }

    /// Over a slow network, sending takes its time even without a delegate.
    func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int {
      let length = counts.requestLength > 0 ? Int(counts.requestLength) : readByteCount
      guard length > 0, !isTimed else { return length }
      return if case .delegate = receiver { length } else { 0 }
    }

    /// Lets a manual clock stand still until the delegate has received the current call.
    private func stopClockUntilDelegateRan() {
      guard queue.timeline.isWatched, !stopsClock else { return }
      stopsClock = true
      // Runs after the current call.
      queue.perform { [self] in
        stopsClock = false
        task.afterDelegateCalls(queue.timeline.counted {})
      }
    }

    private var callbacks: RequestCallbacks? { (loader.client as? ObservedClient)?.callbacks }

    /// Calls a delegate on its queue. The call is one of the request's callbacks.
    private func callDelegate(_ call: @escaping @Sendable (URLSession) -> Void) {
      guard let session else { return }
      let enqueue = { session.delegateQueue.addOperation { call(session) } }
      if let callbacks { CallbackHook.adding(callbacks, enqueue) } else { enqueue() }
    }

    func didSend(_ byteCount: Int) {
      stopClockUntilDelegateRan()
      guard case .delegate(let delegate, _) = receiver else { return }
      counts.send(byteCount)
      callDelegate { [task, total = counts.sent, expected = counts.requestLength] session in
        delegate.urlSession(
          session, task: task, didSendBodyData: Int64(byteCount), totalBytesSent: total,
          totalBytesExpectedToSend: expected)
      }
    }

    func headIsDue(_ expected: ExpectedHead?) {
      guard let expected, !expected.isCached else { return }
      stopClockUntilDelegateRan()
      mayFailLater = !expected.comesAtOnce
      counts.expect(expected.head, isEncoded: expected.isEncoded)
      storeCookies(of: expected)
    }

    func receive(_ response: URLResponse) {
      stopClockUntilDelegateRan()
      if mayFailLater, receivesFile || isForHandler { keptHead = response } else { tellHead(response) }
    }

    private func tellHead(_ response: URLResponse) {
      let response = (response as? HTTPURLResponse).flatMap(UnansweredChallengeResponse.init) ?? response
      loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    private func tellKeptHead() { if let head = keptHead.take() { tellHead(head) } }

    /// The delegate of the async call that created the task. Only StubKit sends it the body.
    private var ownDelegate: (any URLSessionTaskDelegate)? {
      if isAwaitedByTask, case .delegate(let delegate, isOwn: true) = receiver { delegate } else { nil }
    }

    /// A Boolean value that indicates whether the receiver is a completion handler.
    private var isForHandler: Bool { if case .handler = receiver { true } else { false } }

    /// A Boolean value that indicates whether the session's delegate gets the pieces of the body, and nothing else. All
    /// other receivers get the whole body at the end.
    private var isForDelegate: Bool {
      if !receivesFile, case .delegate(_, isOwn: false) = receiver { true } else { false }
    }

    var takesPieces: Bool {
      guard internals != nil, !receivesFile else { return false }
      return if case .delegate(let delegate, _) = receiver { delegate is any URLSessionDataDelegate } else {
        !isForHandler
      }
    }

    var noticesPieces: Bool { !isForHandler }

    func receive(_ piece: Data, isWhole: Bool) throws {
      stopClockUntilDelegateRan()
      guard !isRedirectRefused || isForDelegate else { return }
      guard !receivesFile else { return try write(piece) }
      hasWholeBody = isWhole
      if !isWhole, !isForDelegate { collected.append(piece) }
      guard isWhole || takesPieces else { return }
      // The client drops the pieces of a task that has its own delegate.
      if isWhole || ownDelegate == nil { loader.client?.urlProtocol(loader, didLoad: piece) }
      if let ownDelegate = ownDelegate as? any URLSessionDataDelegate, let task = task as? URLSessionDataTask {
        callDelegate { ownDelegate.urlSession($0, dataTask: task, didReceive: piece) }
      }
    }

    private func write(_ piece: Data) throws {
      try makeFile().append(piece)
      guard case .delegate(let delegate as any URLSessionDownloadDelegate, _) = receiver,
        let task = task as? URLSessionDownloadTask
      else { return }
      counts.receive(piece.count)
      callDelegate { [total = counts.received, expected = counts.expectedToReceive] session in
        delegate.urlSession(
          session, downloadTask: task, didWriteData: Int64(piece.count), totalBytesWritten: total,
          totalBytesExpectedToWrite: expected)
      }
    }

    private func makeFile() throws -> TemporaryFile {
      let file = try self.file ?? TemporaryFile()
      self.file = file
      return file
    }

    func notifyWhenDelivered(_ completion: @escaping Work) -> Bool {
      guard !isForHandler, session != nil else { return false }
      task.afterDelegateCalls(queue.timeline.counted { [queue] in queue.perform(completion) })
      return true
    }

    /// Copies what another task shows at its end but doesn't tell its delegate.
    func adopt(_ other: URLSessionTask, hasHead: Bool) {
      let expected = other.countOfBytesExpectedToSend
      if expected > 0 { task.set(\.countOfBytesExpectedToSend, to: expected) }
      guard !hasHead, let response = other.response else { return }
      task.set(\.countOfBytesExpectedToReceive, to: other.countOfBytesExpectedToReceive)
      task.set(\.response, to: response)
    }

    /// An async call goes on beside the delegate queue, and a manual clock stands still until it does.
    private func prepareForLastCall() {
      guard isAwaitedByTask, isForHandler, let callbacks else { return stopClockUntilDelegateRan() }
      callbacks.resumeAwaiter()
      internals?.task.completesInline.store(false, in: task)
      guard queue.timeline.isWatched else { return }
      callbacks.whenOver(queue.timeline.counted {})
    }

    func finish() {
      prepareForLastCall()
      tellKeptHead()
      if receivesFile {
        guard let internals else { return loader.fail(DownloadUnavailableError()) }
        let file: TemporaryFile
        do { file = try makeFile() } catch { return loader.fail(error) }
        internals.loadProperties.set(.temporaryFileURL, to: file.handOver(isKept: isAwaitedByTask), of: loader)
        // As on Apple systems. The system's own loader leaves the file behind.
        callbacks?.whenOver(file.remove)
      } else if hasWholeBody == false, !isForDelegate {
        if let internals {
          internals.loadProperties.set(.responseData, to: collected, of: loader)
        } else {
          loader.client?.urlProtocol(loader, didLoad: collected)
        }
      }
      UnansweredChallengeResponse.hidingProtectionSpace { loader.client?.urlProtocolDidFinishLoading(loader) }
      internals?.idleLoader.install(in: task)
      collected = Data()
      file = nil
    }

    func fail(_ error: any Error) {
      prepareForLastCall()
      loader.fail(error)
    }

    func willStop() -> Bool {
      stopClockUntilDelegateRan()
      return false  // An exchange follows redirects itself.
    }

    func startOver(with hop: Hop) {
      // As `URLSessionTask.currentRequest` shows for a server.
      if hop.redirectCount > 0 { task.set(\.currentRequest, to: hop.request) }
      hasWholeBody = hasWholeBody.map { _ in false }
      collected = Data()
      file = nil
      keptHead = nil
    }

    // MARK: Questions to the delegate

    func ask(
      about redirect: Redirect, _ head: HTTPURLResponse, of hop: Hop,
      completion: @escaping @Sendable (FollowUp.Decision) -> Void
    ) {
      let answer = OneTime<URLRequest?> { [self] request in
        queue.perform { [self] in
          isRedirectRefused = request == nil
          completion(request.map { .redirected(to: hop.redirected(to: $0)) } ?? .answer)
        }
      }
      stopClockUntilDelegateRan()
      guard session != nil, let delegate = task.delegate else {
        return answer(task.addingStoredCookies(to: redirect.request))
      }
      callDelegate { [task] session in
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: head, newRequest: redirect.request
        ) { answer($0) }
      }
    }

    func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
      stopClockUntilDelegateRan()
      tellKeptHead()
      guard session != nil, let delegate = task.delegate else { return answer(.performDefaultHandling, nil) }
      callDelegate { [task] session in
        delegate.urlSession(session, task: task, didReceive: challenge) { answer($0, $1) }
      }
    }
  }

  extension Platform {
    private struct HeadKey: Hashable {
      let url: URL
      let status: Int
      let headers: StubHeaders
      let version: StubResponse.HTTPVersion
    }

    /// The heads that were made last. Foundation takes a sixth of a request's processor time to make one. A head has a
    /// place by its hash, and each place has a lock of its own.
    private static let recentHeads = (0..<1_024).map { _ in Protected<(key: HeadKey, head: HTTPURLResponse)?>(nil) }

    /// The header fields of a head, or `nil` if this Foundation keeps them elsewhere, or in the plain mode.
    private static let headerFields =
      internals == nil ? nil : try? StoredField<[String: String]>(.allHeaderFields, of: HTTPURLResponse.self)

    /// Returns the head as URLSession reports it.
    static func head(
      for url: URL, _ status: Int, _ headers: StubHeaders, _ version: StubResponse.HTTPVersion = .http1
    ) -> HTTPURLResponse? {
      let key = HeadKey(url: url, status: status, headers: headers, version: version)
      let place = recentHeads[key.hashValue & (recentHeads.count - 1)]
      if let known = place.current, known.key == key { return known.head }
      guard
        let head = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: version.description, headerFields: headers.joined)
      else { return nil }
      // Foundation capitalizes the names of a head, also of those from a server. Nobody else has this one yet.
      if version == .http2 { headerFields?.store(headers.joined, in: head) }
      place.discard { exchange(&$0, with: (key, head)) }
      return head
    }
  }

  /// The receiver of a task's body, unless that is a downloaded file.
  enum BodyReceiver {
    /// It can't be determined. It is given the pieces and the whole body.
    case unknown
    /// A completion handler, or an async call, which gets the whole body at the end.
    case handler
    /// A session's delegate, which gets the pieces. The delegate of an async call gets the pieces, and the call gets
    /// the whole body at the end. The delegate of a download gets the lengths of the pieces.
    case delegate(any URLSessionTaskDelegate, isOwn: Bool)
  }
#endif
