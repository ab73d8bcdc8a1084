#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// Between URLSession and its own loader: it records what comes back, and everybody hears what they would hear without it.
  ///
  /// The loader tells its client of little. A body that goes to a session's delegate is heard by a listener in the delegate's
  /// place (`PieceListener`), which the session's registry names from the response's head to the end. A redirect and a
  /// challenge are questions to the task's delegate, for which a proxy stands in (`TaskDelegateProxy`). Everything is back in its
  /// place when URLSession hears of the end.
  ///
  /// All that is recorded reaches the recorder before the task's owner hears of the end.
  final class RecordingClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because its mutable state is touched on the task's work queue only, except what `refusal` guards.
    let task: URLSessionTask
    let session: URLSession?
    let recording: ExchangeRecording

    weak var loader: URLProtocol?
    /// What the session means to do with the task's events, while something else is in its registry.
    var replaced: TaskBehaviour?
    /// The task's own delegate, while the proxy is in its place.
    var ownDelegate: (any URLSessionTaskDelegate)??
    var bodyWay = BodyWay.client
    /// Whether the loader tells of a head only because something of ours listens.
    var hidesHead = false
    private var isFromCache = false
    private var isHeadTold = false
    private var told: Data?
    /// What the demand for a credential in the last response is made again with.
    var demand: CredentialDemand?
    private let refusal = Protected(false)

    /// How the body comes.
    enum BodyWay {
      /// Whole, to this client.
      case client
      /// In pieces, to a delegate: then the session means to do this with the task's events when a listener is in its place.
      case delegate(TaskBehaviour)
      case file
      case doubledFile
      /// Nobody here can hear it, for this reason.
      case unknown(String)
    }

    init(_ client: any URLProtocolClient, _ task: URLSessionTask, _ recording: ExchangeRecording) {
      self.task = task
      self.recording = recording
      session = Platform.mechanisms.sessionOfTask?.of(task)
      super.init(client)
    }

    override var recordingClient: RecordingClient? { self }

    /// Call when the loader is about to start, on the task's work queue.
    func begin(_ loader: URLProtocol) {
      self.loader = loader
      isHeadTold = false
      isFromCache = false
      told = nil
      placeProxy()
      listen()
    }

    // MARK: What the loader tells

    override func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      isFromCache = true
      super.urlProtocol(loader, cachedResponseIsValid: response)
    }

    override func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      if let head = response as? HTTPURLResponse { meet(head) }
      let isToldAnyway = isFromCache || isRefused
      if case .delegate(let listening) = bodyWay {
        putBack()
        super.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
        // What is told by the client needs no listener.
        if !isToldAnyway { put(listening) }
      } else if !hidesHead || isToldAnyway {
        super.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
      }
    }

    private func meet(_ head: HTTPURLResponse) {
      // After a suspension the system's loader begins again.
      if isHeadTold { afterPieces { [recording] in recording.startOver() } }
      isHeadTold = true
      recording.head(head)
    }

    override func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {
      told = data
      super.urlProtocol(loader, didLoad: data)
    }

    override func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      let response = task.response as? HTTPURLResponse
      let body = body(of: response, loader)
      putBack()
      demand = canFollowDemands ? response.flatMap { $0.statusCode == 401 ? CredentialDemand($0) : nil } : nil
      // What URLSession asks now it asks the proxy.
      if demand == nil { removeProxy() }
      beforeTheEnd { [recording] in recording.end(response, body) }
      super.urlProtocolDidFinishLoading(loader)
      // Nobody was asked: the task has no loader any more.
      if demand != nil, Platform.mechanisms.quietEnd?.loader(of: task) == nil { removeProxy() }
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

    /// A body that broke off. Where it was to come whole nothing is known of it, and nobody gets any of it.
    private var partialBody: ExchangeRecording.Body {
      switch bodyWay {
      case .delegate: .told
      case .unknown(let reason): .unknown(reason)
      case .client, .file, .doubledFile: .data(Data())
      }
    }

    /// The task was cancelled: its loader tells nobody.
    func cancelled() {
      putBack()
      removeProxy()
      recording.cancel()
    }

    // MARK: The body

    func body(of response: HTTPURLResponse?, _ loader: URLProtocol) -> ExchangeRecording.Body {
      if !isFromCache, let status = response?.statusCode, 301...308 ~= status { return bodyOfRedirect }
      if isFromCache { return .data(told ?? Data()) }
      switch bodyWay {
      case .client: return .data(told ?? Data())
      case .delegate: return .told
      // What the client is told whole is told to a handler, and nothing to a delegate.
      case .unknown(let reason): return told.map { .data($0) } ?? .unknown(reason)
      case .file, .doubledFile:
        let file = Platform.mechanisms.loadProperties?.downloadedFile(of: loader)
        let isDoubled = if case .doubledFile = bodyWay { true } else { false }
        return file.map { isDoubled ? .doubledFile($0) : .file($0) }
          ?? .unknown("is a download whose file can't be found on this system")
      }
    }

    /// The body of a response that leads elsewhere, which the system's loader keeps apart. Call while the loader rests.
    var bodyOfRedirect: ExchangeRecording.Body {
      guard let loader, let field = StoredField<Data?>("lastRedirectBody", of: type(of: loader)) else {
        return .unknown("is a redirect whose body can't be recorded on this system")
      }
      return .data(field.load(from: loader) ?? Data())
    }

    func redirectIsRefused() { refusal.withLock { $0 = true } }
    private var isRefused: Bool { refusal.withLock(\.self) }

    // MARK: The order of things

    /// Does something after the delegate has heard what it was told of the body so far.
    private func afterPieces(_ work: @escaping @Sendable () -> Void) {
      if case .delegate = bodyWay, let session { session.delegateQueue.addOperation(work) } else { work() }
    }

    /// Does something before anybody hears of the end, and where it may take its time.
    private func beforeTheEnd(_ work: @escaping @Sendable () -> Void) {
      guard let session, Platform.mechanisms.inlineCompletion != nil, isHeardOnDelegateQueue(in: session) else {
        return work()
      }
      session.delegateQueue.addOperation(work)
    }

    /// Whether the task's end is told on the delegate queue, after what was put there before.
    private func isHeardOnDelegateQueue(in session: URLSession) -> Bool {
      guard session.delegateQueue.maxConcurrentOperationCount == 1 else { return false }
      switch Platform.mechanisms.behaviourExchange?.behaviour(of: task, in: session) {
      case .callDelegate?: return session.delegate is any URLSessionTaskDelegate
      case nil: return false
      default: return true
      }
    }

  }
#endif
