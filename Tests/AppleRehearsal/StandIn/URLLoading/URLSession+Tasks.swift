import Foundation

// The makers of tasks. Those with a handler are messages: whoever replaces them sees it.
extension URLSession {
  public func dataTask(with request: URLRequest) -> URLSessionDataTask { makeDataTask(request, nil) }
  public func dataTask(with url: URL) -> URLSessionDataTask { makeDataTask(URLRequest(url: url), nil) }

  public func dataTask(
    with request: URLRequest, completionHandler: @escaping Messages.DataHandler
  ) -> URLSessionDataTask {
    guard Fact.taskMakersCanBeExchanged.holds else { return makeDataTask(request, completionHandler) }
    return send("dataTaskWithRequest:completionHandler:", request, completionHandler)
  }

  public func dataTask(
    with url: URL, completionHandler: @escaping Messages.DataHandler
  ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    makeUploadTask(request, .data(bodyData), nil)
  }
  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    makeUploadTask(request, .file(fileURL), nil)
  }
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    makeUploadTask(request, request.httpBodyStream == nil ? .fromDelegate : .ofRequest, nil)
  }

  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping Messages.DataHandler
  ) -> URLSessionUploadTask {
    send("uploadTaskWithRequest:fromData:completionHandler:", request, bodyData, completionHandler)
  }

  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { makeDownloadTask(request, nil) }
  public func downloadTask(with url: URL) -> URLSessionDownloadTask { makeDownloadTask(URLRequest(url: url), nil) }

  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping Messages.FileHandler
  ) -> URLSessionDownloadTask {
    send("downloadTaskWithRequest:completionHandler:", request, completionHandler)
  }

  public func downloadTask(
    withResumeData resumeData: Data, completionHandler: @escaping Messages.FileHandler
  ) -> URLSessionDownloadTask { send("downloadTaskWithResumeData:completionHandler:", resumeData, completionHandler) }

  private typealias Handler<Received> = @Sendable (Received?, URLResponse?, (any Error)?) -> Void

  private func send<Made, Received>(_ selector: Selector, _ source: Any, _ handler: @escaping Handler<Received>) -> Made
  {
    let make = unsafeBitCast(code(for: selector), to: Messages.MakeTask.self)
    return make(self, selector, source as AnyObject) { handler($0 as! Received?, $1, $2) } as! Made
  }

  private func send<Made>(
    _ selector: Selector, _ request: URLRequest, _ body: Any?, _ handler: @escaping Handler<Data>
  ) -> Made {
    let make = unsafeBitCast(code(for: selector), to: Messages.MakeUploadTask.self)
    let source = body.map { $0 as AnyObject }
    return make(self, selector, request as AnyObject, source) { handler($0 as! Data?, $1, $2) } as! Made
  }

  private func code(for selector: Selector) -> IMP {
    Messages.registered
    return MethodTable.code(for: selector, of: type(of: self))
  }

  final func makeDataTask(_ request: URLRequest, _ handler: Messages.DataHandler?) -> URLSessionDataTask {
    add(LocalDataTask.self as URLSessionDataTask.Type, NWDataTask.self, request, .ofRequest, handler.map { .data($0) })
  }

  final func makeUploadTask(
    _ request: URLRequest, _ body: URLSessionTask.Body, _ handler: Messages.DataHandler?
  ) -> URLSessionUploadTask {
    add(URLSessionUploadTask.self, NWUploadTask.self, request, body, handler.map { .data($0) })
  }

  final func makeDownloadTask(_ request: URLRequest, _ handler: Messages.FileHandler?) -> URLSessionDownloadTask {
    add(URLSessionDownloadTask.self, NWDownloadTask.self, request, .ofRequest, handler.map { .file($0) })
  }

  /// - Parameters:
  ///   - classic: The class of the classic loader's task.
  ///   - new: That of the new one's.
  private func add<Made: URLSessionTask>(
    _ classic: Made.Type, _ new: Made.Type, _ request: URLRequest, _ body: URLSessionTask.Body,
    _ handler: URLSessionTask.Handler?
  ) -> Made { add(live.usesClassicLoadingMode ? classic : new, request, body, handler ?? .none) }

  /// The stand-in resumes nothing: its resume data is the URL, and the download begins anew.
  final func makeDownloadTask(resuming data: Data, _ handler: Messages.FileHandler?) -> URLSessionDownloadTask {
    makeDownloadTask(URLRequest(url: URL(string: String(decoding: data, as: UTF8.self))!), handler)
  }
}

// Tasks that load nothing for whoever makes them. The stand-in's end with the answer to their request.
extension URLSession {
  /// The classic loader asks for a WebSocket's request by HTTP.
  public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    var address = URLComponents(url: url, resolvingAgainstBaseURL: true)
    if Fact.webSocketsAskByHTTP.holds { address?.scheme = url.scheme == "wss" ? "https" : "http" }
    return add(URLSessionWebSocketTask.self, URLRequest(url: address?.url ?? url), .ofRequest, .none)
  }

  /// A WebSocket whose class is none of the public ones.
  public func unknownWebSocketTask(with url: URL) -> URLSessionTask {
    add(NWWebSocketTask.self, URLRequest(url: url), .ofRequest, .none)
  }

  public func streamTask(withHostName host: String, port: Int) -> URLSessionStreamTask {
    add(URLSessionStreamTask.self, URLRequest(url: URL(string: "http://\(host):\(port)/")!), .ofRequest, .none)
  }

  public func assetDownloadTask(of url: URL) -> AVAssetDownloadTask {
    add(AVAssetDownloadTask.self, URLRequest(url: url), .ofRequest, .none)
  }
  public func aggregateAssetDownloadTask(of url: URL) -> AVAggregateAssetDownloadTask {
    add(AVAggregateAssetDownloadTask.self, URLRequest(url: url), .ofRequest, .none)
  }
}

// The async calls, as Foundation's overlay makes them of the others: the task is resumed where the call was made.
extension URLSession {
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await run(delegate) { done in
      dataTask(with: request) { done(Self.result($0, $1, $2)) }
    }
  }
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { try await data(for: URLRequest(url: url), delegate: delegate) }

  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await run(delegate) { done in
      uploadTask(with: request, from: bodyData) { done(Self.result($0, $1, $2)) }
    }
  }

  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await run(delegate) { done in
      downloadTask(with: request) { file, response, error in
        // The system's own file is removed when the handler returns.
        let kept = file.flatMap { file -> URL? in
          let kept = file.appendingPathExtension("kept")
          return (try? FileManager.default.moveItem(at: file, to: kept)).map { kept }
        }
        done(Self.result(kept, response, error))
      }
    }
  }
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { try await download(for: URLRequest(url: url), delegate: delegate) }

  private static func result<T>(_ value: T?, _ response: URLResponse?, _ error: (any Error)?) -> Result<
    (T, URLResponse), any Error
  > {
    if let value, let response { .success((value, response)) } else { .failure(error ?? URLError(.unknown)) }
  }

  private func run<T>(
    _ delegate: (any URLSessionTaskDelegate)?,
    _ make: (@escaping @Sendable (Result<T, any Error>) -> Void) -> URLSessionTask
  ) async throws -> T where T: Sendable {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = make { continuation.resume(with: $0) }
        task.delegate = delegate
        cancellation.begin(task)
        task.resume()
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Cancels a task that may be yet to be made.
private final class Cancellation: @unchecked Sendable {
  // @unchecked holds because what changes is guarded by `lock`.
  private let lock = NSLock()
  private var task: URLSessionTask?
  private var isCancelled = false

  func begin(_ task: URLSessionTask) {
    let isCancelled = lock.withLock {
      self.task = task
      return self.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = lock.withLock {
      isCancelled = true
      return self.task
    }
    task?.cancel()
  }
}
