import Foundation

/// What a listener learns of a request.
enum RequestEvent: Sendable {
  /// It is known what answers the request, and its client has received nothing yet.
  case decided(RequestAnswer)
  /// The request is over.
  ///
  /// - Parameters:
  ///   - request: The request as the journal has it, with its end.
  ///   - answer: What answered it, for a listener that hears of answers.
  ///   - next: The request that its response redirects to, or `nil` if it doesn't redirect.
  case ended(_ request: RecordedRequest, by: RequestAnswer?, redirectedTo: URLRequest?)
}

/// What answers a request: a stub with its response, or `nil` if none matches.
final class RequestAnswer: Sendable {
  let request: URLRequest
  let response: (stub: Stub, value: StubResponse)?

  init(_ request: URLRequest, by response: (Stub, StubResponse)?) {
    self.request = request
    self.response = response
  }
}

/// A closure that learns of requests of a registry.
///
/// A request keeps the listeners that there were when its client made it, and each of them learns of it once, when
/// everything about the request is known: what answered it, and how it ended. Usually, the client waits for that, and
/// the exchange calls the listener (see ``Exchange/notifyListeners(ofEnd:redirectedTo:then:)``). Where nothing can
/// wait, or where the request never gets an answer, its entry does (see ``JournalEntry/notify(_:)``).
///
/// The callbacks of OHHTTPStubs are listeners that hear of answers, too. They learn of an end only after that.
///
/// The first test to read is "hear of each outcome, once" in `ListeningTests.swift`.
final class RequestListener: Sendable {
  typealias Callback = @Sendable (RequestEvent) -> Void

  /// The closure, or `nil` after it was removed. It belongs to the user, and the last request can let go of it on a
  /// queue of URLSession.
  private let callback: DeferredRelease<Protected<Closure<Callback>?>>
  // Safe because the reference never changes after `init`, and reading a weak reference is atomic.
  private nonisolated(unsafe) weak var registry: StubRegistry?

  init(of registry: StubRegistry?, _ callback: Callback?) {
    self.callback = DeferredRelease(Protected(callback.map(Closure.init)))
    self.registry = registry
  }

  /// Returns a callback that only hears of the end.
  fileprivate static func atEnd(_ callback: @escaping @Sendable (RecordedRequest) -> Void) -> Callback {
    { if case .ended(let request, _, _) = $0 { callback(request) } }
  }

  /// Call this where the user's closures run, and never under a lock.
  func call(_ event: RequestEvent) {
    guard let callback = callback.value.current else { return }
    guard let registry else { return callback.call(event) }
    StubRegistry.$local.withValue(registry) { callback.call(event) }
  }

  /// Lets another closure learn of requests, also of those that are under way, or none.
  func replaceCallback(with other: Callback?) {
    callback.value.discard { exchange(&$0, with: other.map(Closure.init)) }
  }
}

/// The listeners of a registry.
struct RequestListeners {
  /// The callbacks of OHHTTPStubs, each of which replaces the one before.
  enum Callback: Hashable { case activation, redirect, finish, missing }

  private var callbacks: [Callback: RequestListener] = [:]
  fileprivate var ofAll: [RequestListener] = []
  /// Those of single stubs, by the stubs' identifiers.
  fileprivate(set) var ofStubs: [UInt64: RequestListener] = [:]

  var isEmpty: Bool { callbacks.isEmpty && ofAll.isEmpty && ofStubs.isEmpty }

  /// Whether somebody hears of answers.
  var hearAnswers: Bool { !callbacks.isEmpty }

  /// Lets those who hear of answers learn of one.
  func notify(of answer: RequestAnswer) { for listener in callbacks.values { listener.call(.decided(answer)) } }

  /// The listeners of one request that have yet to learn of its end, and what they have learned of.
  struct Waiting {
    private var listeners: [RequestListener]
    /// Those who hear of answers, and learn of the end only after that.
    private var callbacks: [RequestListener]
    /// What answers the request, once the callbacks have learned of it.
    private(set) var answer: DeferredRelease<RequestAnswer>?

    fileprivate init(_ listeners: [RequestListener], _ callbacks: [RequestListener]) {
      (self.listeners, self.callbacks) = (listeners, callbacks)
    }

    var isEmpty: Bool { listeners.isEmpty && callbacks.isEmpty }

    /// Whether somebody can learn of the end now.
    var canHear: Bool { !listeners.isEmpty || answer != nil && !callbacks.isEmpty }

    /// Adds that of the request's stub. It learns of the end before those of all requests.
    mutating func insert(_ listener: RequestListener) { listeners.insert(listener, at: 0) }

    /// The callbacks have learned of the answer.
    mutating func answered(by answer: DeferredRelease<RequestAnswer>) { self.answer = answer }

    /// Takes those who can learn of the end now.
    mutating func takeAll() -> Waiting {
      guard answer == nil, !callbacks.isEmpty else { return exchange(&self, with: Waiting([], [])) }
      return Waiting(exchange(&listeners, with: []), [])
    }

    /// Lets them learn of the end.
    func notify(of request: RecordedRequest, redirectedTo next: URLRequest? = nil) {
      let event = RequestEvent.ended(request, by: answer?.value, redirectedTo: next)
      for listener in callbacks + listeners { listener.call(event) }
    }
  }

  /// Those of a new request.
  var waiting: Waiting { Waiting(ofAll, callbacks.isEmpty ? [] : Array(callbacks.values)) }

  mutating func removeAllOfStubs() { ofStubs = [:] }

  /// Returns the listener of a callback, which is new if there was none.
  fileprivate mutating func add(_ name: Callback, of registry: StubRegistry) -> RequestListener {
    let listener = callbacks[name] ?? RequestListener(of: registry, nil)
    callbacks[name] = listener
    return listener
  }

  fileprivate mutating func remove(_ name: Callback) -> RequestListener? { callbacks.removeValue(forKey: name) }
}

extension StubRegistry {
  /// Calls a closure for each request that is made from now on, when it is over. See ``HTTPStubs/onRequest(_:)``.
  ///
  /// - Returns: A closure that ends that.
  func onRequest(_ callback: @escaping @Sendable (RecordedRequest) -> Void) -> @Sendable () -> Void {
    let listener = RequestListener(of: self, RequestListener.atEnd(callback))
    withListeners { $0.ofAll.append(listener) }
    return { [weak self] in
      listener.replaceCallback(with: nil)
      self?.withListeners { $0.ofAll.removeAll { $0 === listener } }
    }
  }

  /// Lets a listener learn of the requests of a stub that are made from now on.
  fileprivate func listen(_ listener: RequestListener, to stub: Stub) {
    if contains(stub) { withListeners { $0.ofStubs[stub.id] = listener } }
  }

  /// Lets nobody learn of the requests of a stub that are made from now on.
  func stopListening(to stub: Stub) { withListeners { _ = $0.ofStubs.removeValue(forKey: stub.id) } }

  // MARK: OHHTTPStubs' callbacks

  /// Sets a closure for requests that a stub was chosen for, which `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    set(.activation, callback) { callback, event in
      guard case .decided(let answer) = event, let (stub, response) = answer.response else { return }
      callback(answer.request, stub, response)
    }
  }

  /// Sets a closure for redirects that `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onRedirect(_ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?) {
    set(.redirect, callback) { callback, event in
      guard case .ended(_, let answer?, let next?) = event, let (stub, response) = answer.response else { return }
      callback(answer.request, next, stub, response)
    }
  }

  /// Sets a closure for responses that have ended or failed, which `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    set(.finish, callback) { callback, event in
      guard case .ended(let request, let answer?, redirectedTo: nil) = event, let (stub, response) = answer.response
      else { return }
      let error = request.outcome == .cancelled ? URLError(.cancelled) : request.outcome.error
      callback(answer.request, stub, response, error)
    }
  }

  /// Sets a closure for unmatched requests that `StubKitOHHTTPStubs` documents. `nil` removes it.
  package func onMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    set(.missing, callback) { callback, event in
      if case .decided(let answer) = event, answer.response == nil { callback(answer.request) }
    }
  }

  /// - Parameter tell: Calls the closure for those events that are its own.
  private func set<Function: Sendable>(
    _ name: RequestListeners.Callback, _ callback: Function?,
    _ tell: @escaping @Sendable (Function, RequestEvent) -> Void
  ) {
    guard let callback else {
      withListeners { $0.remove(name) }?.replaceCallback(with: nil)
      return
    }
    withListeners { $0.add(name, of: self) }.replaceCallback { tell(callback, $0) }
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
    let listener = listener
    listener.replaceCallback(with: callback.map(RequestListener.atEnd))
    if callback == nil { home?.stopListening(to: self) } else { home?.listen(listener, to: self) }
    return self
  }
}
