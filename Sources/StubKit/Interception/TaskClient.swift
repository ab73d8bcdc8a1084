import Foundation

/// A task of URLSession as the client of an exchange. It hides the mistakes of each platform's `URLProtocolClient`.
///
/// Use it on the exchange's queue only.
final class TaskClient: ExchangeClient, @unchecked Sendable {
  // Safe because only the exchange's queue uses the mutable state.
  let loader: URLProtocol
  let task: URLSessionTask
  let queue: any DeliveryQueue
  private(set) lazy var account = TaskAccount(task, loader.request)
  private lazy var receiver = Platform.receiver(of: task)
  /// A Boolean value that indicates whether StubKit has to create the task's downloaded file.
  let receivesFile: Bool
  /// The delegate of the async call that created the task. Only StubKit sends it the body.
  private var ownListener: TaskListener?
  private var head = Head.none
  /// The head of the response that is being delivered, until it is due, and what it says about the task.
  private var expected: (HTTPURLResponse, isEncoded: Bool, setCookies: [String], URLRequest)?
  private var deliveredBody = DeliveredBody.nothing
  /// The pieces of the body for a receiver that gets it as a whole at the end.
  private var collected = Data()
  /// The body of a download.
  private var file: TemporaryFile?
  /// A Boolean value that indicates whether the response can break off after its head. A task with a completion handler
  /// then receives the head only when the load ends.
  var mayFailLater = false
  /// A Boolean value that indicates whether the response is a redirect that the delegate refused. As in the native
  /// loader, only that delegate gets its body.
  var isRedirectRefused = false
  /// The number of bytes read of a body of unknown length.
  private var readByteCount = 0
  private var holdsClock = false

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

  init(loader: URLProtocol, task: URLSessionTask, queue: any DeliveryQueue) {
    self.loader = loader
    self.queue = queue
    self.task = task
    receivesFile = Platform.wantsDownloadedFile && task is URLSessionDownloadTask
  }

  var request: URLRequest { loader.request }

  /// Prepares the task before it receives anything.
  func prepare(for hop: Hop) -> (any Error)? {
    guard hop.isFirst || Platform.canIntercept(hop.request) else {
      return URLError.unsupported(hop.request)
    }
    // The native loader sets the expected length of the upload before anything else.
    _ = account
    if Platform.prepare(loader, task), case .listener(let listener) = receiver, listener.isOwn {
      ownListener = listener
    }
    return nil
  }

  func incoming(_ hop: Hop, _ confidence: AttributionConfidence) -> IncomingRequest {
    IncomingRequest(hop.request, of: task, body: hop.body, confidence: confidence)
  }

  var isListening: Bool { Platform.isListening(task) }

  func uploadedFile(of hop: Hop) -> URL? { hop.body == nil ? Platform.uploadedFile(of: task) : nil }

  /// The length of the request's body, as far as it is known.
  private var requestLength: Int { account.requestLength > 0 ? Int(account.requestLength) : readByteCount }

  /// Over a slow network, sending takes its time even without a delegate.
  func requestLength(isTimed: Bool) -> Int {
    let length = requestLength
    guard length > 0, !isTimed else { return length }
    return if case .listener = receiver { length } else { 0 }
  }

  func didRead(_ byteCount: Int) { if byteCount > 0 { readByteCount = byteCount } }

  /// Lets a manual clock stand still until the delegate has received the current call.
  func holdClockUntilDelegateRan() {
    guard queue.isWatched, !holdsClock else { return }
    holdsClock = true
    // Runs after the current call.
    queue.perform { [self] in
      holdsClock = false
      let begun = queue.begin()
      let willEnd = Platform.afterDelegateCalls(of: task) { [queue] in queue.end(begun) }
      if !willEnd { queue.end(begun) }
    }
  }

  func didSend(_ byteCount: Int) {
    holdClockUntilDelegateRan()
    guard case .listener(let listener) = receiver else { return }
    account.send(byteCount)
    Platform.callingBack(for: loader) {
      listener.tell(task, sent: Int64(byteCount), total: account.sent, expected: account.requestLength)
    }
  }

  func expect(_ response: StubResponse, bodyLength: Int, _ sent: Transmission, for hop: Hop) -> HTTPURLResponse? {
    mayFailLater = !sent.comesAtOnce
    expected = nil
    guard sent.plan.ending != .failure, let url = hop.request.url,
      let head = RecentHeads.shared.head(for: url, response.headContent(bodyLength: bodyLength))
    else { return nil }
    let setCookies = response.headers.values(of: "Set-Cookie")
    expected = (head, isEncoded: response.isEncoded, setCookies, hop.request)
    return head
  }

  func headIsDue() {
    guard let (head, isEncoded, setCookies, request) = expected.take() else { return }
    register(head, isEncoded: isEncoded, setCookies: setCookies, for: request)
  }

  /// Updates the counts and the cookies for the head of a response, whether the task receives it or follows its
  /// redirect.
  ///
  /// - Parameter setCookies: The values of the response's `Set-Cookie` fields.
  func register(_ head: HTTPURLResponse, isEncoded: Bool, setCookies: [String], for request: URLRequest) {
    holdClockUntilDelegateRan()
    account.expect(head, isEncoded: isEncoded)
    guard !setCookies.isEmpty, request.httpShouldHandleCookies, let url = request.url else { return }
    // Each field is parsed by itself, because the fields are ambiguous once `HTTPURLResponse` joins them by commas.
    let cookies = setCookies.flatMap {
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
    }
    Platform.cookieStorage(of: task)?.setCookies(cookies, for: url, mainDocumentURL: nil)
  }

  func receive(_ response: URLResponse) {
    holdClockUntilDelegateRan()
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
  private var receivesHeadAlone: Bool { !receivesFile && !isForHandler }

  /// A Boolean value that indicates whether the receiver is a completion handler.
  private var isForHandler: Bool { if case .handler = receiver { true } else { false } }

  /// A Boolean value that indicates whether the session's delegate gets the pieces of the body, and nothing else.
  private var isForDelegate: Bool {
    if !receivesFile, case .listener(let listener) = receiver { !listener.isOwn } else { false }
  }

  /// A Boolean value that indicates whether the body of a refused redirect has no receiver.
  private var dropsBody: Bool { isRedirectRefused && !isForDelegate }

  var takesPieces: Bool {
    guard Platform.takesPieces, !receivesFile else { return false }
    return if case .listener(let listener) = receiver { listener.takesPieces } else { !isForHandler }
  }

  var noticesPieces: Bool { !isForHandler }

  func receive(_ piece: Data, isWhole: Bool) throws {
    holdClockUntilDelegateRan()
    guard !dropsBody else { return }
    guard !receivesFile else { return try write(piece) }
    deliveredBody = isWhole ? .whole : .pieces
    if !isWhole, collects { collected.append(piece) }
    guard isWhole || takesPieces else { return }
    // The client drops the pieces of a task that has its own delegate.
    if isWhole || ownListener == nil { loader.client?.urlProtocol(loader, didLoad: piece) }
    if let ownListener { Platform.callingBack(for: loader) { ownListener.tell(task, received: piece) } }
  }

  private func write(_ piece: Data) throws {
    try makeFile().append(piece)
    guard case .listener(let listener) = receiver, listener.takesLengths else { return }
    account.receive(piece.count)
    Platform.callingBack(for: loader) {
      listener.tell(task, wrote: Int64(piece.count), total: account.received, expected: account.expectedToReceive)
    }
  }

  private func makeFile() throws -> TemporaryFile {
    let file = try self.file ?? TemporaryFile()
    self.file = file
    return file
  }

  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    guard !isForHandler else { return false }
    let begun = queue.begin()
    let isUnderWay = Platform.afterDelegateCalls(of: task) { [queue] in
      queue.perform(completion)
      queue.end(begun)
    }
    if !isUnderWay { queue.end(begun) }
    return isUnderWay
  }

  /// A Boolean value that indicates whether somebody gets the whole body at the end: everybody but a session's delegate,
  /// which has received every piece by then.
  private var collects: Bool { Platform.wantsWholeBodies && !(Platform.takesPieces && isForDelegate) }

  func prepareToFinish() throws { if receivesFile { _ = try makeFile() } }

  /// Copies what another task shows at its end but doesn't tell its delegate.
  func adopt(_ other: URLSessionTask, hasHead: Bool) {
    let expected = other.countOfBytesExpectedToSend
    if expected > 0 { Platform.count(.expectedToSend, expected, of: task) }
    guard !hasHead, let response = other.response else { return }
    Platform.count(.expectedToReceive, other.countOfBytesExpectedToReceive, of: task)
    Platform.setResponse(response, of: task)
  }

  func finish() {
    holdClockUntilDelegateRan()
    deliverKeptHead()
    let status = if case .delivered(let status) = head { status } else { Int?.none }
    let isCollected = if case .pieces = deliveredBody { collects } else { false }
    if isCollected, !Platform.takesPieces { loader.client?.urlProtocol(loader, didLoad: collected) }
    Platform.finish(loader, status: status, body: isCollected ? collected : nil, file: file)
    (collected, file) = (Data(), nil)
  }

  func fail(_ error: any Error) {
    holdClockUntilDelegateRan()
    Platform.fail(loader, error)
  }

  /// The system stops a load whose redirect it has followed, too. A cancelled task shows that it was cancelled.
  func willStop() -> Bool {
    holdClockUntilDelegateRan()
    return task.state != .canceling && task.error == nil
  }

  /// Prepares for another response that replaces the current one.
  func startOver() {
    if case .whole = deliveredBody { deliveredBody = .pieces }
    (collected, file) = (Data(), nil)
    if case .kept = head { head = .none }
  }
}

/// The receiver of a task's body, unless that is a downloaded file.
enum BodyReceiver {
  /// It can't be determined. It is given the pieces and the whole body.
  case unknown
  /// A completion handler, or an async call, which gets the whole body at the end.
  case handler
  /// A session's delegate, which gets the pieces. The delegate of an async call gets the pieces, and the call gets the
  /// whole body at the end. The delegate of a download gets the lengths of the pieces.
  case listener(TaskListener)
}
