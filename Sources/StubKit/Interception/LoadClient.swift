import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A load's way to URLSession: hides what each platform's `URLProtocolClient` gets wrong.
///
/// Used on the load's queue only.
final class LoadClient: DeliveryClient, @unchecked Sendable {
  // @unchecked holds because its mutable state is touched on the load's queue only.
  let loader: URLProtocol
  let task: URLSessionTask
  private let queue: any DeliveryQueue
  /// Whether the task's file is for us to make.
  private let wantsFile: Bool
  private lazy var account = TaskAccount(task, requestLength: Platform.bodyLength(of: loader.request, task))
  private lazy var audience = Platform.audience(of: task)
  /// The delegate of the very call that made the task: nobody but us tells it of the body.
  private var ownListener: TaskListener?
  private var downloadedFile: TemporaryFile?
  /// What the session's client was told of the body: a completion handler gets the last of it unless told otherwise.
  private var told = Told.nothing
  private var whole: Data?
  /// Whether the response may break off after its head: then a completion handler's task does not show the head before.
  var mayFailLater = false
  private var keptHead: URLResponse?
  /// Whether the response is a redirect that the delegate refused, whose body natively nobody gets but that delegate.
  var isRedirectRefused = false
  /// How many bytes of a body of unknown length were read.
  private var readByteCount = 0
  private var isWatchingDelegate = false

  private enum Told { case nothing, whole, otherwise }

  init(loader: URLProtocol, task: URLSessionTask, queue: any DeliveryQueue) {
    self.loader = loader
    self.queue = queue
    self.task = task
    wantsFile = Platform.wantsDownloadedFile && task is URLSessionDownloadTask
  }

  /// What has to be done before anything is told.
  func prepare() {
    // Natively what is to be sent is known before anything else.
    _ = account
    if Platform.prepare(task), case .listener(let listener) = audience, listener.isOwn { ownListener = listener }
  }

  /// The request as a server would get it.
  func incoming(_ hop: Hop, evidence: Evidence) -> IncomingRequest {
    IncomingRequest(hop.request, of: task, body: hop.body, evidence: evidence)
  }

  /// The task in the hands of the system's own loader, nil for a scheme that has none.
  ///
  /// - Parameters:
  ///   - recording: Takes what comes back; nil unless something records.
  ///   - mayFinish: Asked when it has come to the end of what a redirect led to.
  func nativeLoad(
    of hop: Hop, cached: CachedURLResponse?, recording: ExchangeRecording?,
    mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool
  ) -> NativeLoad? {
    guard hop.isFirst else {
      return NativeLoad(loader, redirectedTo: hop.request, recording: recording, mayFinish: mayFinish)
    }
    account.giveUp()
    return Platform.nativeLoader(
      inPlaceOf: loader, for: task, cachedResponse: cached ?? loader.cachedResponse, recording: recording, on: queue
    ).map { NativeLoad($0) }
  }

  /// Looks into the session's cache if that is still to be done before the system's loader is made.
  ///
  /// Returns false when there is nothing to look into: then `completion` is not called. It runs on the queue.
  func lookIntoCache(_ completion: @escaping @Sendable (CachedURLResponse?) -> Void) -> Bool {
    guard let cache = Platform.cacheToLookInto(for: task), let request = task.currentRequest else { return false }
    queue.away({ cache.cachedResponse(for: request) }, then: completion)
    return true
  }

  /// Whether it is known that the task is running, for as long as this piece of work on the queue lasts: asking it costs as
  /// much as telling it something.
  var isKnownToRun = false

  var isListening: Bool { isKnownToRun || Platform.isListening(task) }

  /// The file that the request's body is in, if it is in one.
  func uploadedFile(of hop: Hop) -> URL? { hop.body == nil ? Platform.uploadedFile(of: task) : nil }

  /// How many bytes the request's body has, as far as that is known.
  var requestLength: Int { account.requestLength > 0 ? Int(account.requestLength) : readByteCount }

  /// How much of the request's body is to be reported as sent: all of it, if anyone listens.
  var reportedRequestLength: Int {
    let length = requestLength
    guard length > 0, case .listener = audience else { return 0 }
    return length
  }

  /// Names no URL, as natively on Linux.
  var timeOutFailure: any Error { URLError(.timedOut) }

  func didRead(_ byteCount: Int) { if byteCount > 0 { readByteCount = byteCount } }

  /// Has a clock that is moved by hand wait until the delegate has heard what it is told now.
  func watchDelegate() {
    guard queue.isWatched, !isWatchingDelegate else { return }
    isWatchingDelegate = true
    // After the call that is being made.
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

  /// A response's head is due, be it told or be it led on from: counts and cookies take notice of it.
  ///
  /// - Parameter setCookies: The values of the response's `Set-Cookie` fields.
  func meet(_ head: HTTPURLResponse, isEncoded: Bool, setCookies: [String], for request: URLRequest) {
    watchDelegate()
    account.expect(head, isEncoded: isEncoded)
    guard !setCookies.isEmpty, request.httpShouldHandleCookies, let url = request.url else { return }
    // Each is read by itself: joined by commas, as `HTTPURLResponse` shows them, they could be mistaken.
    let cookies = setCookies.flatMap {
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
    }
    Platform.cookieStorage(of: task)?.setCookies(cookies, for: url, mainDocumentURL: nil)
  }

  func receive(_ response: URLResponse) {
    watchDelegate()
    if mayFailLater, !hearsHead { keptHead = response } else { tell(response) }
  }

  private func tell(_ response: URLResponse) {
    loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
  }

  func tellKeptHead() {
    if let keptHead { tell(keptHead) }
    keptHead = nil
  }

  private var hearsHead: Bool {
    if wantsFile { return false }
    if case .nobody = audience { return false }
    return true
  }

  private var losesBody: Bool {
    guard isRedirectRefused else { return false }
    guard !wantsFile, case .listener(let listener) = audience else { return true }
    return listener.isOwn
  }

  var takesPieces: Bool {
    guard !wantsFile, Platform.takesPieces else { return false }
    return switch audience {
    case .unknown: true
    case .nobody: false
    case .listener(let listener): listener.takesPieces
    }
  }

  func receive(_ piece: Data, isWhole: Bool) {
    watchDelegate()
    guard !losesBody else { return }
    guard !wantsFile else { return receive(byteCount: piece.count) }
    told = isWhole ? .whole : .otherwise
    // To a task with a delegate of its own the client would tell pieces in vain.
    if isWhole || ownListener == nil { loader.client?.urlProtocol(loader, didLoad: piece) }
    if let ownListener { Platform.callingBack(for: loader) { ownListener.tell(task, received: piece) } }
  }

  func receive(byteCount: Int) {
    watchDelegate()
    guard wantsFile, !losesBody, case .listener(let listener) = audience, listener.takesLengths else { return }
    account.receive(byteCount)
    Platform.callingBack(for: loader) {
      listener.tell(task, wrote: Int64(byteCount), total: account.received, expected: account.expectedToReceive)
    }
  }

  func isArriving(_ completion: @escaping @Sendable () -> Void) -> Bool {
    if case .nobody = audience { return false }
    queue.begin()
    let isArriving = Platform.afterDelegateCalls(of: task) { [queue] in
      queue.perform(completion)
      queue.end()
    }
    if !isArriving { queue.end() }
    return isArriving
  }

  /// What is to be kept of a body that comes as a stream, for those who get it whole at the end.
  var collected: BodyCollection.Kind {
    wantsFile ? .file : hearsEveryPiece || !Platform.wantsWholeBodies ? .nothing : .memory
  }

  /// Whether a session's delegate has got everything already at the end.
  private var hearsEveryPiece: Bool {
    guard Platform.takesPieces, case .listener(let listener) = audience else { return false }
    return !listener.isOwn
  }

  /// A download needs its file before the end, a completion handler all bytes that it was not told in one piece.
  func prepareToFinish(
    with body: DeliveryBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool {
    let body = losesBody ? .empty : body
    if wantsFile {
      make({ try body.file(unless: flag) }, completion) { $0.downloadedFile = $1 }
      return true
    }
    if told == .whole || told == .nothing && body.count == 0 { return false }
    if hearsEveryPiece || !Platform.wantsWholeBodies { return false }
    if case .memory(let data) = body {
      whole = data
      return false
    }
    make({ try body.whole(unless: flag) }, completion) { $0.whole = $1 }
    return true
  }

  /// Makes something away from the queue, and keeps it.
  private func make<Thing: Sendable>(
    _ thing: @escaping @Sendable () throws -> Thing, _ completion: @escaping @Sendable ((any Error)?) -> Void,
    keep: @escaping @Sendable (LoadClient, Thing) -> Void
  ) {
    queue.away {
      Result { try thing() }
    } then: { [self] made in
      switch made {
      case .success(let thing):
        keep(self, thing)
        completion(nil)
      case .failure(let error):
        completion(error)
      }
    }
  }

  func finish() {
    watchDelegate()
    tellKeptHead()
    if let whole, !Platform.takesPieces { loader.client?.urlProtocol(loader, didLoad: whole) }
    Platform.finish(loader, body: whole, file: downloadedFile)
    downloadedFile = nil
  }

  func fail(_ error: any Error) {
    watchDelegate()
    Platform.fail(loader, error)
  }

  /// Another response comes in place of what was told.
  func startOver() {
    if told != .nothing { told = .otherwise }
    whole = nil
    keptHead = nil
  }
}
