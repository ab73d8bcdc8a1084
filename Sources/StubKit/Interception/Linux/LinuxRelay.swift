#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The parts of a relay that only Linux has.
  extension Platform {
    static let relaysRecordings = ProcessInfo.processInfo.environment["STUBKIT_RELAY"] != nil

    /// In the plain mode, the relay could neither hand over a download nor ask a delegate.
    static func relays(_ recording: (any ExchangeRecording)?) -> Bool {
      recording != nil && relaysRecordings && internals != nil
    }

    /// URLSession keeps a task's body where it can be read again.
    static func streamToRead(of request: URLRequest, _ task: URLSessionTask) -> InputStream? { nil }
    static func keep(_ body: Data, of task: URLSessionTask) {}
    static func keptBody(of task: URLSessionTask) -> Data? { nil }

    /// Call this where URLSession asks for the inner task's stream. It continues wherever the answer is given, so the
    /// delegate is asked here too, as URLSession asks it.
    static func askForStream(_ task: URLSessionTask, _ completion: @escaping @Sendable (InputStream?) -> Void) {
      guard let session = internals?.sessionOfTask.of(task), let delegate = task.delegate else {
        return completion(nil)
      }
      delegate.urlSession(session, task: task, needNewBodyStream: completion)
    }

    static func recorded(_ stream: InputStream, _ recording: (any ExchangeRecording)?) -> InputStream {
      recording.map { RecordedStream(stream, $0) } ?? stream
    }

    /// Returns a task that sends what a task would send.
    static func relayed(
      _ request: URLRequest, of task: URLSessionTask, _ isFirst: Bool, in session: URLSession,
      _ recording: (any ExchangeRecording)?
    ) -> URLSessionTask {
      var request = request
      guard isFirst else {
        request.httpBody = nil
        request.httpBodyStream = nil
        return session.dataTask(with: request)
      }
      let isUpload = task is URLSessionUploadTask
      switch internals?.taskBody.of(task) {
      case .data(let data) where isUpload: return session.uploadTask(with: request, from: data)
      case .file(let file) where isUpload: return session.uploadTask(with: request, fromFile: file)
      case .fromDelegate where isUpload: return session.uploadTask(withStreamedRequest: request)
      case .data(let data): request.httpBody = data
      case .stream(let stream): request.httpBodyStream = recorded(stream, recording)
      default: break
      }
      return session.dataTask(with: request)
    }

    /// Returns the response without a challenge that URLSession would answer itself.
    static func relayed(_ response: URLResponse) -> URLResponse {
      guard let head = response as? HTTPURLResponse, head.statusCode == 401, let url = head.url else { return response }
      return makeResponse(url: url, status: 401, headers: head.allHeaderFields as? [String: String] ?? [:]) ?? head
    }

    /// The system's loader doesn't show a delegate the head of a redirect that leads nowhere.
    static func setResponse(_ response: URLResponse, of task: URLSessionTask) {
      internals?.taskRequests.setResponse(relayed(response), of: task)
    }

    /// The system's loader keeps the body of a redirect apart.
    static func bodyOfRedirect(_ task: URLSessionTask) -> ExchangeBody {
      guard let loader = internals?.quietEnd.loader(of: task),
        let field = StoredField<Data?>("lastRedirectBody", of: type(of: loader))
      else { return .unknown("is a redirect whose body can't be recorded on this system") }
      return .data(field.load(from: loader) ?? Data())
    }

    static func follow(
      _ request: URLRequest, _ response: HTTPURLResponse, _ loader: URLProtocol, refused: @escaping @Sendable () -> Void
    ) {}
  }
#endif
