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
    private let task: URLSessionTask
    private let session: URLSession?
    private let recording: ExchangeRecording

    private weak var loader: URLProtocol?
    /// What the session means to do with the task's events, while something else is in its registry.
    private var replaced: TaskBehaviour?
    /// The task's own delegate, while the proxy is in its place.
    private var ownDelegate: (any URLSessionTaskDelegate)??
    private var bodyWay = BodyWay.client
    /// Whether the loader tells of a head only because something of ours listens.
    private var hidesHead = false
    private var isFromCache = false
    private var isHeadTold = false
    private var told: Data?
    /// What the demand for a credential in the last response is made again with.
    private var demand: CredentialDemand?
    private let refusal = Protected(false)

    /// How the body comes.
    private enum BodyWay {
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

    /// Another loader follows, which makes the request again with a credential, before URLSession has heard of the last one's
    /// end. Call on the task's work queue.
    func goOn(with next: URLProtocol, for request: URLRequest) {
      if let loader, let response = task.response as? HTTPURLResponse {
        // Whoever was asked for the credential has heard of the whole body before.
        recording.goOn(
          from: response, body(of: response, loader),
          with: IncomingRequest(request, of: task, body: RequestBody.none).seen.request)
      }
      putBack()
      begin(next)
    }

    // MARK: What stands in the session

    private func placeProxy() {
      guard ownDelegate == nil, session != nil, let field = Platform.mechanisms.ownDelegate else { return }
      let delegate = task.delegate
      ownDelegate = .some(field.of(task))
      field.set(TaskDelegateProxy(delegate, self, recording), of: task)
    }

    private func removeProxy() {
      guard let own = ownDelegate, let field = Platform.mechanisms.ownDelegate else { return }
      if field.of(task) is TaskDelegateProxy { field.set(own, of: task) }
      ownDelegate = nil
    }

    /// Finds out how the body will come, and has it come here where it would go nowhere.
    private func listen() {
      guard let session, let behaviour = Platform.mechanisms.behaviourExchange?.behaviour(of: task, in: session) else {
        bodyWay =
          task is URLSessionDownloadTask
          ? .file : .unknown("has a body that went to a delegate, and can't be recorded on this system")
        return
      }
      hidesHead = false
      switch behaviour {
      case .callDelegate: listen(inPlaceOf: session.delegate as? any URLSessionTaskDelegate, in: session)
      case .dataCompletionHandler(let handler), .dataCompletionHandlerWithTaskDelegate(let handler, nil):
        bodyWay = .client
        // Only with a listener the loader counts what it sends.
        if !sendsBody { hearHead(handler) }
      case .dataCompletionHandlerWithTaskDelegate(let handler, let delegate?):
        bodyWay =
          hearsInOrder(session)
          ? .delegate(.dataCompletionHandlerWithTaskDelegate(handler, PieceListener(delegate, recording))) : .client
      case .downloadCompletionHandlerWithTaskDelegate(let handler, let delegate as any URLSessionDownloadDelegate):
        guard hearsInOrder(session) else {
          bodyWay = .unknown("is a download with a delegate of its own, whose file URLSession writes twice over")
          return
        }
        bodyWay = .doubledFile
        put(.downloadCompletionHandlerWithTaskDelegate(handler, WrittenListener(delegate, recording)))
      case .downloadCompletionHandler, .downloadCompletionHandlerWithTaskDelegate: bodyWay = .file
      }
    }

    private func listen(inPlaceOf delegate: (any URLSessionTaskDelegate)?, in session: URLSession) {
      switch (task, delegate) {
      case (is URLSessionDownloadTask, .some(is any URLSessionDownloadDelegate)): bodyWay = .file
      case (is URLSessionDownloadTask, _):
        bodyWay = .file
        put(.downloadCompletionHandlerWithTaskDelegate({ _, _, _ in }, delegate))
      case (_, nil):
        bodyWay = .client
        if sendsBody { put(.dataCompletionHandler { _, _, _ in }) } else { hearHead { _, _, _ in } }
      case (_, let delegate?) where session.delegateQueue.maxConcurrentOperationCount == 1:
        bodyWay = .delegate(
          .dataCompletionHandlerWithTaskDelegate({ _, _, _ in }, PieceListener(delegate, recording)))
      case (_, .some):
        bodyWay = .unknown("has a body that went to a delegate queue on which several operations run at a time")
      }
    }

    /// Whether everything goes over the delegate queue, one after the other.
    private func hearsInOrder(_ session: URLSession) -> Bool {
      Platform.mechanisms.inlineCompletion != nil && session.delegateQueue.maxConcurrentOperationCount == 1
    }

    private func hearHead(_ handler: @escaping TaskBehaviour.DataHandler) {
      hidesHead = true
      put(.dataCompletionHandlerWithTaskDelegate(handler, HeadListener()))
    }

    private func put(_ behaviour: TaskBehaviour) {
      guard replaced == nil, let session, let exchange = Platform.mechanisms.behaviourExchange else { return }
      replaced = exchange.behaviour(of: task, in: session)
      exchange.set(behaviour, of: task, in: session)
    }

    private func putBack() {
      guard let replaced, let session else { return }
      Platform.mechanisms.behaviourExchange?.set(replaced, of: task, in: session)
      self.replaced = nil
    }

    private var sendsBody: Bool {
      guard let body = Platform.mechanisms.taskBody?.of(task) else {
        return task is URLSessionUploadTask || task.originalRequest?.httpBody != nil
          || task.originalRequest?.httpBodyStream != nil
      }
      if case .none = body { return false }
      return true
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
      if case .delegate = bodyWay { .told } else { .data(Data()) }
    }

    /// The task was cancelled: its loader tells nobody.
    func cancelled() {
      putBack()
      removeProxy()
      recording.cancel()
    }

    // MARK: The body

    private func body(of response: HTTPURLResponse?, _ loader: URLProtocol) -> ExchangeRecording.Body {
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

    // MARK: A demand for a credential

    /// With a credential URLSession makes the request again, by a loader of its own.
    private var canFollowDemands: Bool {
      Platform.mechanisms.quietEnd != nil && Platform.mechanisms.workQueue != nil && ownDelegate != nil
    }

    /// The delegate has answered a challenge, and URLSession does not know yet. From any thread.
    func willAnswer(with credential: URLCredential?) {
      // Set before URLSession asked.
      guard let credential, let demand, let request = task.originalRequest else { return }
      let sent = IncomingRequest(request, of: task).seen.request
      recording.goOn(afterEndWith: demand.request(sent, with: credential))
      // URLSession is about to make another loader and to start it, unless the task is suspended.
      task.suspend()
    }

    /// URLSession has made a loader for the request with the credential. From any thread but the task's work queue, on which
    /// URLSession waits here itself.
    func didAnswer(with credential: URLCredential?) {
      guard demand != nil, let queue = Platform.mechanisms.workQueue?.of(task) else { return }
      queue.sync { goOn(isGiven: credential != nil) }
      if credential != nil { task.resume() }
    }

    private func goOn(isGiven: Bool) {
      demand = nil
      removeProxy()
      guard isGiven, task.state == .suspended, let next = Platform.mechanisms.quietEnd?.loader(of: task),
        !(next is StubURLProtocol), next !== loader
      else { return }
      next.client = self
      begin(next)
    }
  }
#endif
