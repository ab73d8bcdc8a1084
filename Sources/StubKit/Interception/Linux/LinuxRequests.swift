#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The parts of a request that `URLRequest` doesn't show.
  extension Platform {
    /// Returns the configuration's `httpAdditionalHeaders`, which URLSession adds only when it sends the request, and
    /// the header for the user in a URL. URLSession has already added its stored cookies when it created the task.
    static func addedHeaders(to request: URLRequest, of task: URLSessionTask) -> [String: String] {
      var headers = sessionHeaders(of: task)
      if let authorization = authorization(of: request),
        !headers.keys.contains(where: { $0.caseInsensitiveCompare("Authorization") == .orderedSame })
      {
        headers["Authorization"] = authorization
      }
      return headers
    }

    private static func sessionHeaders(of task: URLSessionTask) -> [String: String] {
      guard let headers = session(of: task)?.configuration.httpAdditionalHeaders,
        !headers.isEmpty
      else {
        return [:]
      }
      return headers.reduce(into: [:]) { result, header in
        if let name = header.key as? String, let value = header.value as? String { result[name] = value }
      }
    }

    /// Only an upload has a body that is not in its request.
    static func separateBody(of task: URLSessionTask) -> RequestBody? {
      guard task is URLSessionUploadTask, let content = internals?.taskBody.of(task) else { return nil }
      return switch content {
      case .none: RequestBody.none
      case .data(let data): .data(data)
      case .file, .stream: .unread
      case .fromDelegate: .unread
      }
    }

    /// Returns the file that an upload sends.
    static func uploadedFile(of task: URLSessionTask) -> URL? {
      guard task is URLSessionUploadTask, case .file(let file) = internals?.taskBody.of(task) else {
        return nil
      }
      return file
    }

    /// URLSession looks for the file of an upload before it sends anything.
    static func problem(of request: URLRequest, _ task: URLSessionTask) -> (any Error)? {
      uploadedFile(of: task).flatMap { BodyReader.problem(of: $0, for: request) }
    }

    static func readBody(of request: URLRequest, _ task: URLSessionTask) async throws -> Data? {
      guard task is URLSessionUploadTask, let content = internals?.taskBody.of(task) else {
        return try await request.readOwnBody()
      }
      switch content {
      case .none: return nil
      case .data(let data): return data
      case .file(let file): return try await BodyReader.read(file, for: request)
      case .stream(let stream): return try await BodyReader.read(stream)
      case .fromDelegate:
        guard let stream = try await askForStream(task) else { return nil }
        return try await BodyReader.read(stream)
      }
    }

    /// Returns `nil` if nobody provides one. If a delegate answers twice, the first answer counts. If it never
    /// answers, this waits until the request is over.
    private static func askForStream(_ task: URLSessionTask) async throws -> InputStream? {
      guard let session = session(of: task), let delegate = task.delegate else { return nil }
      let (answers, answer) = AsyncStream.makeStream(of: GivenStream.self, bufferingPolicy: .bufferingOldest(1))
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task) { answer.yield(GivenStream(stream: $0)) }
      }
      for await given in answers { return given.stream }
      throw CancellationError()
    }

    /// If a body was read from a stream, the task receives it as data.
    static func giveBack(_ body: RequestBody, to task: URLSessionTask) async -> Bool {
      guard let taskBody = internals?.taskBody, let queue = internals?.workQueue.of(task),
        let content = taskBody.of(task)
      else { return false }
      switch (content, body) {
      case (.stream, .data(let data)), (.fromDelegate, .data(let data)):
        return await taskBody.set(data, of: task, on: queue)
      case (.stream, _), (.fromDelegate, _): return await taskBody.set(nil, of: task, on: queue)
      case (.none, _), (.data, _), (.file, _): return true
      }
    }

    /// Returns the request with the cookies that its session stores for its URL. URLSession adds them when it creates
    /// a task, and when it follows a redirect without asking a delegate. They replace the request's own cookies,
    /// which stay if there are none.
    static func addingStoredCookies(to request: URLRequest, of task: URLSessionTask) -> URLRequest {
      guard let configuration = session(of: task)?.configuration,
        configuration.httpShouldSetCookies,
        let url = request.url, let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
      else { return request }
      var request = request
      request.setValue(HTTPCookie.requestHeaderFields(with: cookies)["Cookie"], forHTTPHeaderField: "Cookie")
      return request
    }
  }

  private struct GivenStream: @unchecked Sendable {
    // @unchecked holds because the delegate hands the stream over: nobody but its one reader touches it from here on.
    let stream: InputStream?
  }
#endif
