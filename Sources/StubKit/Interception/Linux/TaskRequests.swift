#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The two requests that a task shows, and its response. Only URLSession's own loaders can change them.
  struct TaskRequests: Sendable {
    private let current: StoredField<URLRequest?>
    private let original: StoredField<URLRequest?>
    private let response: StoredField<URLResponse?>
    private let lock: StoredField<DispatchQueue>

    init?(
      current: String = "_currentRequest", original: String = "originalRequest", response: String = "_response",
      lock: String = "syncQ"
    ) {
      guard let current = StoredField<URLRequest?>(current, of: URLSessionTask.self),
        let original = StoredField<URLRequest?>(original, of: URLSessionTask.self),
        let response = StoredField<URLResponse?>(response, of: URLSessionTask.self),
        let lock = StoredField<DispatchQueue>(lock, of: URLSessionTask.self)
      else { return nil }
      self.current = current
      self.original = original
      self.response = response
      self.lock = lock
    }

    /// Shows where a redirect led, as `URLSessionTask.currentRequest` does for a server.
    func setCurrent(_ request: URLRequest, of task: URLSessionTask) {
      // The queue with which URLSession itself guards the field.
      lock.load(from: task).sync { current.store(request, in: task) }
    }

    /// Replaces the response that the system's loader received.
    func setResponse(_ replacement: URLResponse, of task: URLSessionTask) {
      lock.load(from: task).sync { response.store(replacement, in: task) }
    }

    /// Replaces the task's request for a loader that is created or started while the body runs.
    func withOriginal<R>(_ request: URLRequest, of task: URLSessionTask, _ body: () -> R) -> R {
      // Holds: URLSession itself reads the field on the task's work queue only, where this is called, and both values
      // outlive the exchange, so that a reader elsewhere gets the one or the other.
      let shown = original.load(from: task)
      original.store(request, in: task)
      defer { original.store(shown, in: task) }
      return withExtendedLifetime((shown, request), body)
    }
  }
#endif
