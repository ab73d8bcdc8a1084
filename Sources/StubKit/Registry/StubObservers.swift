import Foundation

// What StubKitOHHTTPStubs offers under OHHTTPStubs' names. In the core, those who look on are listeners: see
// RequestListeners.swift.

extension StubRegistry {
  /// Sets a closure for requests that a stub was chosen for, which `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    set(\.activation, callback)
  }

  /// Sets a closure for redirects that `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onRedirect(_ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?) {
    set(\.redirect, callback)
  }

  /// Sets a closure for responses that have ended or failed, which `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    set(\.finish, callback)
  }

  /// Sets a closure for unmatched requests that `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onMissing(_ callback: (@Sendable (URLRequest) -> Void)?) { set(\.missing, callback) }

  private func set<Callback>(
    _ path: WritableKeyPath<StubObservers, Closure<Callback>?> & Sendable, _ callback: Callback?
  ) {
    observers.discard { exchange(&$0[keyPath: path], with: callback.map(Closure.init)) }
  }
}

extension Stub {
  /// Sets a closure that StubKit calls when a request that the stub was chosen for is over. `nil` removes it.
  ///
  /// ```swift
  /// stub(.post, "https://api.example.com/events", response: .json([:]))
  ///   .onFinish { request in
  ///     print("\(request.request.url!) took \(request.duration!)")
  ///   }
  /// ```
  ///
  /// StubKit calls the closure once for each later request. After a complete response or a redirect, it does so just
  /// before the task learns of it. After a failure or a cancellation, it does so at the latest soon afterwards. The
  /// closure replaces the one before. It sees the task-local values of the requester, never runs under a lock, and can
  /// use `URLSession`. For the requests of all stubs, and for several closures, use ``HTTPStubs/onRequest(_:)``.
  ///
  /// - Parameter callback: A closure that receives the request as the journal contains it, with its outcome.
  /// - Returns: The stub.
  @discardableResult
  public func onFinish(_ callback: (@Sendable (RecordedRequest) -> Void)?) -> Stub {
    progress.onFinish.discard { exchange(&$0, with: callback.map(Closure.init)) }
    if let home, callback != nil, home.contains(self) {
      home.observers.withLock { _ = $0.watchedStubs.insert(id) }
    } else {
      home?.unwatch(self)
    }
    return self
  }

  /// Calls the closure of `onFinish(_:)` that there is when a request is over.
  var listener: RequestListener {
    RequestListener { [progress, weak home] request in
      guard let callback = progress.onFinish.current else { return }
      guard let home else { return callback.call(request) }
      StubRegistry.$local.withValue(home) { callback.call(request) }
    }
  }
}

/// The observation of one request, from the moment when its stub was chosen, or when none was.
///
/// Its members call the user's code, so don't call them under a lock or on a queue of URLSession.
final class StubObservation: Sendable {
  final class Subject: Sendable {
    let request: URLRequest
    /// The stub with its response, or `nil` for an unmatched request.
    let answer: (stub: Stub, response: StubResponse)?
    let registry: StubRegistry
    let entry: JournalEntry

    init(_ request: URLRequest, _ answer: (Stub, StubResponse)?, in registry: StubRegistry, _ entry: JournalEntry) {
      self.request = request
      self.answer = answer
      self.registry = registry
      self.entry = entry
    }
  }

  private let hasEnded = Protected(false)
  // Safe because it is retained by init, and released once, on behalf of deinit.
  private let reference: Unmanaged<Subject>

  init(_ subject: Subject) { reference = .passRetained(subject) }

  /// This can run on a queue of URLSession. What the stub, the response and the callbacks have belongs to the user,
  /// and can use URLSession when it is released, which traps there.
  deinit {
    DispatchQueue.global().async { [reference] in reference.release() }
  }

  private var subject: Subject { reference.takeUnretainedValue() }

  /// A Boolean value that indicates whether the observers have learned of the end.
  var isOver: Bool { hasEnded.current }

  /// The answer is known. Call this where the user's closures run.
  func willBegin() {
    let subject = self.subject
    let callbacks = subject.registry.observers.current
    if let (stub, response) = subject.answer {
      callbacks.activation?.call(subject.request, stub, response)
    } else {
      callbacks.missing?.call(subject.request)
    }
  }

  /// The request is over. If the observers have not learned of it yet, because nothing could delay it, they learn of it
  /// elsewhere than on the queue of the request.
  func ended(_ outcome: RecordedRequest.Outcome) {
    guard !isOver else { return }
    let error = outcome == .cancelled ? URLError(.cancelled) : outcome.error
    let end = subject.entry.snapshot.timeline.counted { [self, registry = subject.registry] in
      let run = ClosureRun(for: registry.inFlight)
      defer { run.end() }
      ClosureRun.$current.withValue(run) {
        StubRegistry.$local.withValue(registry) { self.tellEnd(error, redirectedTo: nil) }
      }
    }
    WorkerPool.closures.run(end)
  }

  /// Ends the observation, unless it is over. This must have happened before the client learns of the end. Call this
  /// where the user's closures run.
  ///
  /// - Parameters:
  ///   - error: The error that ends the request, or `nil`.
  ///   - request: The request that a redirect leads to, or `nil` if the response doesn't redirect.
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  func end(_ error: (any Error)?, redirectedTo request: URLRequest?, sentLength: Int?) {
    let subject = self.subject
    let (told, listeners) = subject.entry.tellsEnd(
      error, status: subject.answer?.response.status ?? 200, sentLength: sentLength, isLed: request != nil)
    tellEnd(told.outcome == .cancelled ? URLError(.cancelled) : error, redirectedTo: request)
    for listener in listeners { listener.call(told) }
  }

  /// Without a stub, there is no answer whose end matters.
  private func tellEnd(_ error: (any Error)?, redirectedTo request: URLRequest?) {
    let wasOver = hasEnded.withLock { exchange(&$0, with: true) }
    let subject = self.subject
    let callbacks = subject.registry.observers.current
    guard !wasOver, let (stub, response) = subject.answer else { return }
    if let request {
      callbacks.redirect?.call(subject.request, request, stub, response)
    } else {
      callbacks.finish?.call(subject.request, stub, response, error)
    }
  }
}

/// The callbacks and the listeners of a registry.
struct StubObservers {
  var listeners: [RequestListener] = []
  var activation: Closure<@Sendable (URLRequest, Stub, StubResponse) -> Void>?
  var redirect: Closure<@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void>?
  var finish: Closure<@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void>?
  var missing: Closure<@Sendable (URLRequest) -> Void>?
  /// The identifiers of the stubs that have a callback of their own.
  var watchedStubs: Set<UInt64> = []

  var isEmpty: Bool {
    listeners.isEmpty && activation == nil && redirect == nil && finish == nil && missing == nil
      && watchedStubs.isEmpty
  }
}
