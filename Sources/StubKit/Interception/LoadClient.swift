import Foundation

/// The path from a load to URLSession. It hides the mistakes of each platform's `URLProtocolClient`.
///
/// Use it on the load's queue only.
final class LoadClient: DeliveryClient, @unchecked Sendable {
  // @unchecked holds because only the load's queue uses the mutable state.
  let loader: URLProtocol
  let task: URLSessionTask
  private let queue: any DeliveryQueue
  private lazy var account = TaskAccount(task, requestLength: Platform.bodyLength(of: loader.request, task))
  private lazy var audience = Platform.audience(of: task)
  /// A Boolean value that indicates whether StubKit has to create the task's downloaded file.
  private let wantsFile: Bool
  /// Working it out takes time, so ask only where `wantsFile` doesn't decide.
  private lazy var form = wantsFile ? BodyForm.file : BodyForm(for: audience)
  /// The delegate of the async call that created the task. Only StubKit sends it the body.
  private var ownListener: TaskListener?
  private var head = Head.none
  private var deliveredBody = DeliveredBody.nothing
  private var preparedBody = PreparedBody.none
  /// A Boolean value that indicates whether the response can break off after its head. A task with a completion handler
  /// then receives the head only when the load ends.
  var mayFailLater = false
  /// A Boolean value that indicates whether the response is a redirect that the delegate refused. As in the native
  /// loader, only that delegate gets its body.
  var isRedirectRefused = false
  /// The number of bytes read of a body of unknown length.
  private var readByteCount = 0
  private var isWatchingDelegate = false

  private enum Head {
    case none
    /// It waits for the end of the load.
    case kept(URLResponse)
    case delivered(status: Int?)
  }

  /// The part of the body that the session's client has received.
  private enum DeliveredBody {
    case nothing
    /// The body arrived in several pieces, or belongs to a response that was replaced. A completion handler gets only
    /// the last piece, so `finish` gives it the whole body.
    case pieces
    /// The whole body arrived in one piece.
    case whole
  }

  /// What the end of the load hands over.
  private enum PreparedBody {
    case none
    case data(Data)
    case file(TemporaryFile)
  }

  /// The form in which the task's receiver gets the body of a response.
  private enum BodyForm {
    /// A download gets a file at the end. Its delegate is told the lengths of the pieces meanwhile.
    case file
    /// A session's delegate gets the pieces.
    case pieces(TaskListener)
    /// The delegate of an async call gets the pieces, and the call gets the whole body at the end.
    case piecesAndWhole(TaskListener)
    /// A completion handler, or an async call, gets the whole body at the end.
    case whole
    /// The receiver can't be determined. It is given the pieces and the whole body.
    case unknown

    init(for audience: Audience) {
      self =
        switch audience {
        case .unknown: .unknown
        case .nobody: .whole
        case .listener(let listener): listener.isOwn ? .piecesAndWhole(listener) : .pieces(listener)
        }
    }
  }

  init(loader: URLProtocol, task: URLSessionTask, queue: any DeliveryQueue) {
    self.loader = loader
    self.queue = queue
    self.task = task
    wantsFile = Platform.wantsDownloadedFile && task is URLSessionDownloadTask
  }

  /// Prepares the task before it receives anything.
  func prepare() {
    // The native loader sets the expected length of the upload before anything else.
    _ = account
    guard Platform.prepare(loader, task), case .listener(let listener) = audience, listener.isOwn else { return }
    ownListener = listener
  }

  /// The request as a server would receive it.
  func incoming(_ hop: Hop, confidence: AttributionConfidence) -> IncomingRequest {
    IncomingRequest(hop.request, of: task, body: hop.body, confidence: confidence)
  }

  /// Returns a load of the task by the system's own loader or by a relay, or `nil` if no loader supports the scheme.
  ///
  /// - Parameters:
  ///   - recording: Receives the response, or `nil` if nothing records.
  ///   - mayFinish: Called at the end of a redirect's target.
  func nativeLoad(
    of hop: Hop, cached: CachedURLResponse?, recording: (any ExchangeRecording)?,
    mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool
  ) -> NativeLoad? {
    if Platform.relays(recording) {
      guard Platform.loads(hop.request) else { return nil }
      return NativeLoad(Relay(self, hop, recording, queue))
    }
    guard hop.isFirst else {
      return NativeLoad(loader, redirectedTo: hop.request, mayFinish: mayFinish)
    }
    account.giveUp()
    return Platform.nativeLoader(
      inPlaceOf: loader, for: task, cachedResponse: cached ?? loader.cachedResponse, recording: recording
    ).map { NativeLoad($0) }
  }

  /// Looks into the session's cache, if that must happen before the system's loader is created.
  ///
  /// Returns `false` if there is no cache to look into, and then doesn't call `completion`. Otherwise, `completion`
  /// runs on the queue.
  func lookIntoCache(_ completion: @escaping @Sendable (CachedURLResponse?) -> Void) -> Bool {
    guard let cache = Platform.cacheToLookInto(for: task), let request = task.currentRequest else { return false }
    queue.away({ cache.cachedResponse(for: request) }, then: completion)
    return true
  }

  var isListening: Bool { Platform.isListening(task) }

  /// The file that contains the request's body, or `nil` if the body isn't in a file.
  func uploadedFile(of hop: Hop) -> URL? { hop.body == nil ? Platform.uploadedFile(of: task) : nil }

  /// The length of the request's body, as far as it is known.
  var requestLength: Int { account.requestLength > 0 ? Int(account.requestLength) : readByteCount }

  /// The number of bytes to report as sent: the whole body if anyone listens, or 0.
  var reportedRequestLength: Int {
    let length = requestLength
    guard length > 0, case .listener = audience else { return 0 }
    return length
  }

  /// The error of a timeout. It contains no URL, like the native loader's on Linux.
  var timeOutFailure: any Error { URLError(.timedOut) }

  func didRead(_ byteCount: Int) { if byteCount > 0 { readByteCount = byteCount } }

  /// Makes a manual clock wait until the delegate has received the current call.
  func watchDelegate() {
    guard queue.isWatched, !isWatchingDelegate else { return }
    isWatchingDelegate = true
    // Runs after the current call.
    queue.perform { [self] in
      isWatchingDelegate = false
      queue.begin()
      let willEnd = Platform.afterDelegateCalls(of: task) { [queue] in queue.end() }
      if !willEnd { queue.end() }
    }
  }

  func didSend(_ byteCount: Int) {
    watchDelegate()
    guard case .listener(let listener) = audience else { return }
    account.send(byteCount)
    Platform.callingBack(for: loader) {
      listener.tell(task, sent: Int64(byteCount), total: account.sent, expected: account.requestLength)
    }
  }

  /// Updates the counts and the cookies for the head of a response, whether the task receives it or follows its
  /// redirect.
  ///
  /// - Parameter setCookies: The values of the response's `Set-Cookie` fields.
  func register(_ head: HTTPURLResponse, isEncoded: Bool, setCookies: [String], for request: URLRequest) {
    watchDelegate()
    account.expect(head, isEncoded: isEncoded)
    guard !setCookies.isEmpty, request.httpShouldHandleCookies, let url = request.url else { return }
    // Each field is parsed by itself, because the fields are ambiguous once `HTTPURLResponse` joins them by commas.
    let cookies = setCookies.flatMap {
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
    }
    Platform.cookieStorage(of: task)?.setCookies(cookies, for: url, mainDocumentURL: nil)
  }

  func receive(_ response: URLResponse) {
    watchDelegate()
    if mayFailLater, !receivesHeadAlone { head = .kept(response) } else { deliver(response) }
  }

  private func deliver(_ response: URLResponse) {
    head = .delivered(status: (response as? HTTPURLResponse)?.statusCode)
    loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
  }

  func deliverKeptHead() {
    if case .kept(let response) = head { deliver(response) }
  }

  /// A Boolean value that indicates whether the receiver learns of the head before the end of the load.
  private var receivesHeadAlone: Bool {
    switch form {
    case .file, .whole: false
    case .pieces, .piecesAndWhole, .unknown: true
    }
  }

  /// A Boolean value that indicates whether the body of a refused redirect has no receiver.
  private var dropsBody: Bool {
    guard isRedirectRefused else { return false }
    return if case .pieces = form { false } else { true }
  }

  var takesPieces: Bool {
    guard Platform.takesPieces else { return false }
    return switch form {
    case .unknown: true
    case .file, .whole: false
    case .pieces(let listener), .piecesAndWhole(let listener): listener.takesPieces
    }
  }

  /// A Boolean value that indicates whether the task's delegate learns when a piece arrives, or how long it is.
  var noticesPieces: Bool { if case .nobody = audience { false } else { true } }

  func receive(_ piece: Data, isWhole: Bool) {
    watchDelegate()
    guard !dropsBody else { return }
    guard !wantsFile else { return receive(byteCount: piece.count) }
    deliveredBody = isWhole ? .whole : .pieces
    // The client drops the pieces of a task that has its own delegate.
    if isWhole || ownListener == nil { loader.client?.urlProtocol(loader, didLoad: piece) }
    if let ownListener { Platform.callingBack(for: loader) { ownListener.tell(task, received: piece) } }
  }

  func receive(byteCount: Int) {
    watchDelegate()
    guard wantsFile, !dropsBody, case .listener(let listener) = audience, listener.takesLengths else { return }
    account.receive(byteCount)
    Platform.callingBack(for: loader) {
      listener.tell(task, wrote: Int64(byteCount), total: account.received, expected: account.expectedToReceive)
    }
  }

  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    if case .nobody = audience { return false }
    queue.begin()
    let isArriving = Platform.afterDelegateCalls(of: task) { [queue] in
      queue.perform(completion)
      queue.end()
    }
    if !isArriving { queue.end() }
    return isArriving
  }

  /// Where to collect a streamed body for receivers that get it in one piece at the end.
  var collected: BodyCollection.Kind {
    wantsFile ? .file : receivesEveryPiece || !Platform.wantsWholeBodies ? .nothing : .memory
  }

  /// A Boolean value that indicates whether a session's delegate has received every piece before the end.
  private var receivesEveryPiece: Bool { if Platform.takesPieces, case .pieces = form { true } else { false } }

  /// Prepares the file of a download, or the whole body for a completion handler that didn't receive it in one piece.
  func prepareToFinish(
    with body: ResponseBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool {
    let body = dropsBody ? .empty : body
    if wantsFile {
      prepare({ .file(try body.temporaryFile(unless: flag)) }, completion)
      return true
    }
    switch deliveredBody {
    case .whole: return false
    case .nothing where body.count == 0: return false
    case .nothing, .pieces: break
    }
    if receivesEveryPiece || !Platform.wantsWholeBodies { return false }
    if let data = body.data {
      preparedBody = .data(data)
      return false
    }
    prepare({ .data(try body.piece(0..<body.count)) }, completion)
    return true
  }

  /// Creates the prepared body away from the queue.
  private func prepare(
    _ make: @escaping @Sendable () throws -> PreparedBody, _ completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    queue.away {
      Result { try make() }
    } then: { [self] made in
      switch made {
      case .success(let body):
        preparedBody = body
        completion(nil)
      case .failure(let error):
        completion(error)
      }
    }
  }

  /// Copies what another task shows at its end but doesn't tell its delegate.
  func adopt(_ other: URLSessionTask, hasHead: Bool) {
    Platform.count(.expectedToSend, other.countOfBytesExpectedToSend, of: task)
    guard !hasHead, let response = other.response else { return }
    Platform.count(.expectedToReceive, other.countOfBytesExpectedToReceive, of: task)
    Platform.setResponse(response, of: task)
  }

  func finish() {
    watchDelegate()
    deliverKeptHead()
    let status = if case .delivered(let status) = head { status } else { Int?.none }
    switch preparedBody {
    case .none:
      Platform.finish(loader, status: status, body: nil, file: nil)
    case .data(let whole):
      if !Platform.takesPieces { loader.client?.urlProtocol(loader, didLoad: whole) }
      Platform.finish(loader, status: status, body: whole, file: nil)
    case .file(let file):
      Platform.finish(loader, status: status, body: nil, file: file)
    }
    preparedBody = .none
  }

  func fail(_ error: any Error) {
    watchDelegate()
    Platform.fail(loader, error)
  }

  /// Prepares for another response that replaces the current one.
  func startOver() {
    if case .whole = deliveredBody { deliveredBody = .pieces }
    preparedBody = .none
    if case .kept = head { head = .none }
  }
}
