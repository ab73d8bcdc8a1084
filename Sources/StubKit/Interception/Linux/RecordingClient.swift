#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// A client between URLSession and its own loader. It records what comes back, and everybody receives what they would
  /// receive without it.
  ///
  /// The loader tells its client little. If a body goes to a session's delegate, a listener (`PieceListener`) receives
  /// it in the delegate's place. The session's registry names the listener from the response's head to the end.
  /// Redirects and challenges are questions to the task's delegate, and a proxy (`TaskDelegateProxy`) stands in for it.
  /// Everything is back in its place when URLSession learns of the end.
  ///
  /// The recorder receives everything before the task's owner learns of the end.
  final class RecordingClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because its mutable state is touched on the task's work queue only, except what `refusal`
    // guards.
    let task: URLSessionTask
    let session: URLSession?
    let recording: any ExchangeRecording

    weak var loader: URLProtocol?
    /// The session's own behaviour for the task's events, while its registry contains another one.
    var replaced: TaskBehaviour?
    /// The task's own delegate, while the proxy is in its place.
    var ownDelegate: (any URLSessionTaskDelegate)??
    var bodyWay = BodyWay.client
    /// A Boolean value that indicates whether the loader reports a head only because of a listener of ours.
    var hidesHead = false
    /// Records the times of the pieces of a body that arrives as a whole, or `nil` if nobody can.
    var pieceTimes: PieceTimes?
    private var isFromCache = false
    private var isHeadTold = false
    private var delivered: Data?
    /// The demand of the last response for a credential. It creates the request that follows.
    var demand: CredentialDemand?
    private let refusal = Protected(false)

    /// How the body arrives.
    enum BodyWay {
      /// As a whole, at this client.
      case client
      /// In pieces, at a delegate. The payload is the behaviour that puts a listener in the delegate's place.
      case delegate(TaskBehaviour)
      case file
      case doubledFile
      /// Nothing here can receive the body, for this reason.
      case unknown(String)
    }

    init(_ client: any URLProtocolClient, _ task: URLSessionTask, _ recording: any ExchangeRecording) {
      self.task = task
      self.recording = recording
      session = Platform.internals?.sessionOfTask.of(task)
      super.init(client)
    }

    override var recordingClient: RecordingClient? { self }

    /// Call this on the task's work queue when the loader is about to start.
    func begin(_ loader: URLProtocol) {
      self.loader = loader
      isHeadTold = false
      isFromCache = false
      delivered = nil
      placeProxy()
      listen()
    }

    // MARK: Calls of the loader

    override func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      isFromCache = true
      super.urlProtocol(loader, cachedResponseIsValid: response)
    }

    override func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      if let head = response as? HTTPURLResponse { look(at: head) }
      let isToldAnyway = isFromCache || isRefused
      if case .delegate(let listening) = bodyWay {
        putBack()
        super.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
        // If the client receives the body anyway, no listener is needed.
        if !isToldAnyway { put(listening) }
      } else if !hidesHead || isToldAnyway {
        super.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
      }
    }

    private func look(at head: HTTPURLResponse) {
      // The system's loader begins again after a suspension.
      if isHeadTold { afterPieces { [recording] in recording.startOver() } }
      isHeadTold = true
      pieceTimes?.meet(head)
      recording.head(head)
    }

    override func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {
      delivered = data
      super.urlProtocol(loader, didLoad: data)
    }

    override func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      let response = task.response as? HTTPURLResponse
      let body = body(of: response, loader)
      putBack()
      demand = canFollowDemands ? response.flatMap { $0.statusCode == 401 ? CredentialDemand($0) : nil } : nil
      // If there is a demand, URLSession is about to ask the proxy for the credential, so the proxy stays.
      if demand == nil { removeProxy() }
      beforeTheEnd { [recording] in recording.end(response, body, error: nil) }
      super.urlProtocolDidFinishLoading(loader)
      // If the task has no loader any more, URLSession has asked nobody.
      if demand != nil, Platform.internals?.quietEnd.loader(of: task) == nil { removeProxy() }
    }

    override func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      putBack()
      removeProxy()
      if task.state == .canceling {
        recording.cancel()
      } else {
        let body = partialBody
        beforeTheEnd { [recording] in recording.end(nil, body, error: error) }
      }
      super.urlProtocol(loader, didFailWithError: error)
    }

    /// The body of a response that broke off. If the body should have arrived as a whole, nothing is known of it, and
    /// nobody receives any of it.
    private var partialBody: ExchangeBody {
      switch bodyWay {
      case .delegate: .received
      case .unknown(let reason): .unknown(reason)
      case .client, .file, .doubledFile: .data(Data())
      }
    }

    /// Call this when the task is cancelled, because its loader tells nobody.
    func cancelled() {
      putBack()
      removeProxy()
      recording.cancel()
    }

    // MARK: The body

    func body(of response: HTTPURLResponse?, _ loader: URLProtocol) -> ExchangeBody {
      if !isFromCache, let status = response?.statusCode, 301...308 ~= status { return bodyOfRedirect }
      if isFromCache { return .data(delivered ?? Data()) }
      switch bodyWay {
      case .client: return .data(delivered ?? Data())
      case .delegate: return .received
      // A body that the client receives as a whole goes to a completion handler, and none of it to a delegate.
      case .unknown(let reason): return delivered.map { .data($0) } ?? .unknown(reason)
      case .file, .doubledFile:
        let file = Platform.internals?.loadProperties.downloadedFile(of: loader)
        let isDoubled = if case .doubledFile = bodyWay { true } else { false }
        return file.map { isDoubled ? .doubledFile($0) : .file($0) }
          ?? .unknown("is a download whose file can't be found on this system")
      }
    }

    /// The body of a response that leads elsewhere. The system's loader keeps this body apart. Call this while the
    /// loader rests.
    var bodyOfRedirect: ExchangeBody {
      guard let loader, let field = StoredField<Data?>("lastRedirectBody", of: type(of: loader)) else {
        return .unknown("is a redirect whose body can't be recorded on this system")
      }
      return .data(field.load(from: loader) ?? Data())
    }

    func redirectIsRefused() { refusal.withLock { $0 = true } }
    private var isRefused: Bool { refusal.withLock(\.self) }

    // MARK: The order of events

    /// Runs work after the delegate, or our own listener, has received the pieces that were sent to it so far.
    private func afterPieces(_ work: @escaping @Sendable () -> Void) {
      let areHeard = if case .delegate = bodyWay { true } else { pieceTimes != nil }
      if areHeard, let session {
        session.delegateQueue.addOperation(work)
      } else {
        work()
      }
    }

    /// Runs work before anybody learns of the end. It uses the delegate queue if it can, where the work can take its
    /// time.
    private func beforeTheEnd(_ work: @escaping @Sendable () -> Void) {
      guard let session, Platform.internals != nil, isHeardOnDelegateQueue(in: session) else {
        return work()
      }
      session.delegateQueue.addOperation(work)
    }

    /// Returns whether the delegate queue reports the task's end, after everything that was added to the queue before.
    private func isHeardOnDelegateQueue(in session: URLSession) -> Bool {
      guard session.delegateQueue.maxConcurrentOperationCount == 1 else { return false }
      switch Platform.internals?.taskBehaviours.behaviour(of: task, in: session) {
      case .callDelegate?: return session.delegate is any URLSessionTaskDelegate
      case nil: return false
      default: return true
      }
    }

  }
#endif
