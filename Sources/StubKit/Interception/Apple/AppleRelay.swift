#if canImport(Darwin)
  import Foundation

  /// The parts of a relay that only Apple platforms have.
  extension Platform {
    static func relayQueue() -> OperationQueue? { nil }
    static func cancel(_ task: URLSessionTask) { task.cancel() }
    static func relays(_ listener: (any NetworkListener)?) -> Bool { true }

    /// The task can send its body twice, for a credential or because a connection was lost. A stream can't, unless the
    /// delegate gives another one, so it is read if it comes from the task's own data or file. For a listener, any is read.
    static func streamToRead(
      of request: URLRequest, _ task: URLSessionTask, _ listener: (any NetworkListener)?
    ) -> InputStream? {
      guard keptBody(of: task) == nil else { return nil }
      let isOwn = task.originalRequest?.httpBodyStream == nil && streamGiver(of: task) == nil
      return isOwn || listener != nil ? request.httpBodyStream : nil
    }

    static func keep(_ body: Data, of task: URLSessionTask) { TaskNote.of(task)?.body = body }
    static func keptBody(of task: URLSessionTask) -> Data? { TaskNote.of(task)?.body }

    /// The session of the task and the delegate that gives another stream for a body, if there is one.
    private static func streamGiver(
      of task: URLSessionTask
    ) -> (session: URLSession, delegate: any URLSessionTaskDelegate)? {
      let question = Selector(("URLSession:task:needNewBodyStream:"))
      guard let session = session(of: task) else { return nil }
      return delegate(of: task, in: session, thatImplements: question).map { (session, $0) }
    }

    static func askForStream(
      _ task: URLSessionTask, for inner: URLSessionTask, _ completion: @escaping @Sendable (InputStream?) -> Void
    ) {
      guard let giver = streamGiver(of: task) else { return completion(nil) }
      giver.session.delegateQueue.addOperation {
        giver.delegate.urlSession?(giver.session, task: task, needNewBodyStream: completion)
      }
    }

    static func tapped(_ stream: InputStream, _ listener: (any NetworkListener)?) -> InputStream { stream }

    /// The outer task gets its file and its progress from the relay's calls, so the inner one is always a data task.
    static func relayed(
      _ request: URLRequest, of task: URLSessionTask, isFirst: Bool, in session: URLSession,
      _ listener: (any NetworkListener)?
    ) -> URLSessionTask {
      let body = keptBody(of: task)
      if let body { listener?.setRequestBody(body) }
      let inner = session.dataTask(with: body.map { request.with($0) } ?? request)
      TaskNote.attach(TaskNote(), to: inner)
      return inner
    }

    static func relayed(_ response: URLResponse) -> URLResponse { response }
    static func setResponse(_ response: URLResponse, of task: URLSessionTask) {}
    static func bodyOfRedirect(_ task: URLSessionTask) -> ExchangeBody { .received }

    static func follow(
      _ request: URLRequest, _ response: HTTPURLResponse, _ loader: URLProtocol, refused: @escaping @Sendable () -> Void
    ) {
      guard let task = loader.task else { return }
      let next = TaskNote.of(task)?.redirect(to: request) ?? request
      loader.client?.urlProtocol(loader, wasRedirectedTo: next, redirectResponse: response)
      RedirectQuestion.whenAnswered(by: task, refused)
    }
  }
#endif
