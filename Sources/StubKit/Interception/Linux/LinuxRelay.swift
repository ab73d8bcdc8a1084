#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The parts of a relay that only Linux has.
  extension Platform {
    /// In the plain mode, a relay could neither hand over a download nor ask a delegate.
    static func relays(_ listener: (any NetworkListener)?) -> Bool { listener != nil && internals != nil }

    /// Returns a queue for the calls of a relay's session, which runs them in place.
    static func relayQueue() -> OperationQueue? { InPlaceQueue() }

    /// Cancels a relay's task. While URLSession looks into the session's cache, this waits: a task that is cancelled
    /// then can end twice, and the second end traps. Don't call this on a queue of URLSession.
    static func cancel(_ task: URLSessionTask) {
      guard internals?.quietEnd.isLookingIntoCache(task) == true else { return task.cancel() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { cancel(task) }
    }

    /// URLSession keeps a task's body where it can be read again.
    static func streamToRead(
      of request: URLRequest, _ task: URLSessionTask, _ listener: (any NetworkListener)?
    ) -> InputStream? { nil }

    static func keep(_ body: Data, of task: URLSessionTask) {}
    static func keptBody(of task: URLSessionTask) -> Data? { nil }

    /// URLSession continues with the inner task on the thread that answers, which must be on its own queue.
    static func askForStream(
      _ task: URLSessionTask, for inner: URLSessionTask, _ completion: @escaping @Sendable (InputStream?) -> Void
    ) {
      guard let session = session(of: task), let delegate = task.delegate,
        let queue = internals?.task.workQueue(of: inner)
      else { return completion(nil) }
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task) { stream in
          // Safe because the delegate hands the stream over.
          nonisolated(unsafe) let stream = stream
          queue.async { completion(stream) }
        }
      }
    }

    static func tapped(_ stream: InputStream, _ listener: (any NetworkListener)?) -> InputStream {
      listener.map { TappedStream(stream, $0) } ?? stream
    }

    /// Returns a task that sends what a task would send, and tells the listener its body.
    ///
    /// - Parameter isFirst: `false` after a redirect, which doesn't send the body again.
    static func relayed(
      _ original: URLRequest, of task: URLSessionTask, isFirst: Bool, in session: URLSession,
      _ listener: (any NetworkListener)?
    ) -> URLSessionTask {
      var request = original
      request.httpBody = nil
      request.httpBodyStream = nil
      switch isFirst ? internals?.taskBody.of(task) : .some(.none) {
      case nil: return session.dataTask(with: original)
      case .some(.none): break
      case .data(let data):
        listener?.setRequestBody(data)
        if task is URLSessionUploadTask { return session.uploadTask(with: request, from: data) }
        request.httpBody = data
      case .file(let file):
        listener?.setRequestBody(ofFile: file)
        // URLSession traps if a task ends while it reads a file.
        guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
          return session.uploadTask(with: request, fromFile: file)
        }
        return session.uploadTask(with: request, from: data)
      case .stream(let stream): request.httpBodyStream = tapped(stream, listener)
      case .fromDelegate: return session.uploadTask(withStreamedRequest: request)
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
      internals?.task.setResponse(relayed(response), of: task)
    }

    /// The system's loader keeps the body of a redirect separately. Call this while the loader waits.
    static func bodyOfRedirect(_ task: URLSessionTask) -> ExchangeBody {
      guard let loader = internals?.quietEnd.loader(of: task),
        let field = StoredField<Data?>(FoundationInternal.lastRedirectBody.rawValue, of: type(of: loader))
      else { return .unknown("is a redirect whose body can't be recorded on this system") }
      return .data(field.load(from: loader) ?? Data())
    }

    static func follow(
      _ request: URLRequest, _ response: HTTPURLResponse, _ loader: URLProtocol, refused: @escaping @Sendable () -> Void
    ) {}
  }

  /// Runs what it is given at once. URLSession waits meanwhile, so what arrives doesn't pile up in memory if it arrives
  /// faster than it can be written.
  private final class InPlaceQueue: OperationQueue, @unchecked Sendable {
    // Safe because it has no state of its own.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }

  /// A body's stream that tells a listener the bytes while URLSession reads them. URLSession reads it as it would read the
  /// original.
  final class TappedStream: InputStream {
    private let stream: InputStream
    private let listener: any NetworkListener

    init(_ stream: InputStream, _ listener: any NetworkListener) {
      self.stream = stream
      self.listener = listener
      super.init(data: Data())
      listener.sendAgain()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
      let count = stream.read(buffer, maxLength: length)
      if count > 0 { listener.send(Data(bytes: buffer, count: count)) }
      return count
    }

    override func getBuffer(
      _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { stream.hasBytesAvailable }
    override func open() { stream.open() }
    override func close() { stream.close() }
    override var streamStatus: Stream.Status { stream.streamStatus }
    override var streamError: (any Error)? { stream.streamError }
    override var delegate: (any StreamDelegate)? {
      get { stream.delegate }
      set { stream.delegate = newValue }
    }
    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) { stream.schedule(in: loop, forMode: mode) }
    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { stream.remove(from: loop, forMode: mode) }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { stream.property(forKey: key) }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
      stream.setProperty(property, forKey: key)
    }
  }
#endif
