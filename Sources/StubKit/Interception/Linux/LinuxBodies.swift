#if !canImport(Darwin)
  import Foundation

  /// The body that a task will send.
  ///
  /// URLSession keeps the body apart from the request, so the request doesn't show the body of an upload. The body is
  /// in a field whose type can't be named here. Reflection distinguishes the field's cases, which takes microseconds.
  struct TaskBody {
    enum Content {
      case none
      case data(DispatchData)
      case file(URL)
      case stream(InputStream)
      /// The delegate will be asked for a stream.
      case fromDelegate
    }

    private let field: FoundField

    init(named name: FoundationInternal = .knownBody) throws {
      field = try FoundField(name, of: URLSessionTask.self) {
        _typeName($0) == "Swift.Optional<FoundationNetworking.URLSessionTask._Body>"
      }
    }

    /// Returns `nil` for an unknown kind of body. Call this on the task's work queue. URLSession writes the body only
    /// once its own loader has the task.
    func of(_ task: URLSessionTask) -> Content? {
      guard let body = Mirror(reflecting: field.value(of: task)).children.first?.value else { return .fromDelegate }
      guard let (label, payload) = Mirror(reflecting: body).children.first else { return Content.none }
      switch (label, payload) {
      case ("data", let data as DispatchData): return .data(data)
      case ("file", let file as URL): return .file(file)
      case ("stream", let stream as InputStream): return .stream(stream)
      default: return nil
      }
    }
  }

  extension TaskClient {
    /// Returns the body that a fetch sends. A file and the stream of a delegate needn't be read here, and can be had
    /// again for a credential. Another stream can't.
    func bodyToFetch(of incoming: IncomingRequest, isRecorded: Bool) async throws -> FetchBody {
      if !isRecorded, incoming.isUnread {
        if let file = incoming.file {
          if let problem = BodyReader.problem(of: file, for: incoming.original) { throw problem }
          return .file(file)
        }
        if task.asksForStreams { return try await task.streamOfDelegate().map { .stream($0.stream) } ?? .data(nil) }
      }
      return FetchBody(read: try await incoming.read())
    }
  }

  extension URLSessionTask {
    /// The body of an upload, or `nil` for another task, whose body is in its request.
    var bodyOfUpload: TaskBody.Content? {
      self is URLSessionUploadTask ? Platform.internals?.taskBody.of(self) : nil
    }

    var separateBody: RequestBody? {
      bodyOfUpload.map { content in
        switch content {
        case .none: .none
        case .data(let data): .data(Data(data))
        case .file(let file): .unread(file: file)
        case .stream, .fromDelegate: .unread()
        }
      }
    }

    /// A Boolean value that indicates whether the task's delegate is asked for a stream whenever the body is sent.
    var asksForStreams: Bool {
      if case .fromDelegate = bodyOfUpload { true } else { false }
    }

    /// URLSession looks for the file of an upload before it sends anything.
    func problemOfFile(for request: URLRequest) -> (any Error)? {
      if case .file(let file) = bodyOfUpload { BodyReader.problem(of: file, for: request) } else { nil }
    }

    func readBody(of request: URLRequest) async throws -> Data? {
      switch bodyOfUpload {
      case nil: return try await request.readOwnBody()
      case .some(.none): return nil
      case .data(let data): return Data(data)
      case .file(let file): return try await BodyReader.read(file, for: request)
      case .stream(let stream): return try await BodyReader.read(stream)
      case .fromDelegate:
        guard let given = try await streamOfDelegate() else { return nil }
        return try await BodyReader.read(given.stream)
      }
    }

    func askForStream() async throws {
      if asksForStreams { _ = try await streamOfDelegate() }
    }

    /// Returns `nil` if there is none. If a delegate answers twice, the first answer counts. If it never
    /// answers, this waits until the request is over.
    fileprivate func streamOfDelegate() async throws -> GivenStream? {
      guard let session = ownSession, let delegate else { return nil }
      let (answers, answer) = AsyncStream.makeStream(of: GivenStream?.self, bufferingPolicy: .bufferingOldest(1))
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: self) { answer.yield($0.map { GivenStream(stream: $0) }) }
      }
      for await given in answers { return given }
      throw CancellationError()
    }
  }

  private struct GivenStream: @unchecked Sendable {
    // Safe because the delegate hands the stream over: only its one reader touches it from here on.
    let stream: InputStream
  }
#endif
