import Dispatch
import Foundation

/// An event of a request, as ``StubRegistry/events`` delivers it.
///
/// ```swift
/// for await event in StubRegistry.current.events
/// where event.kind == .missing {
///   print("nothing answers \(event.request)")
/// }
/// ```
///
/// A request that a stub answers causes an ``Kind/activation`` and then a ``Kind/redirect`` or a ``Kind/finish``. An
/// unmatched request causes only a ``Kind/missing``.
public struct StubEvent: Sendable, CustomStringConvertible {
  /// The kind of an event. Kinds compare by value, so you can use `switch` and `==`. Later versions can add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let description: String

    /// A stub was chosen, and its response is about to begin.
    public static let activation = Kind(description: "activation")
    /// The response led to another request, which is about to be made.
    public static let redirect = Kind(description: "redirect")
    /// The response ended or broke off.
    public static let finish = Kind(description: "finish")
    /// No stub matches.
    public static let missing = Kind(description: "missing")
  }

  /// The kind of the event.
  public let kind: Kind
  /// The request. Its body is its `stubBody`.
  public let request: URLRequest
  /// The stub that answers, or `nil` for ``Kind/missing``.
  public let stub: Stub?
  /// The response of the stub, or a failure if its closure threw an error. `nil` for ``Kind/missing``.
  public let response: StubResponse?
  /// The request that a redirect leads to, possibly changed by the session's delegate. `nil` for every other kind.
  public let redirected: URLRequest?
  /// The error of a request that failed. `nil` for a request that was answered completely, and for every kind but
  /// ``Kind/finish``.
  public let error: (any Error)?

  /// A description such as `activation: GET https://api.example.com/users`.
  public var description: String {
    var text = "\(kind): \(request.summary)"
    if let redirected { text += " to \(redirected.summary)" }
    if let error { text += ", \(error.localizedDescription)" }
    return text
  }
}

extension StubEvent {
  fileprivate func answer(_ call: (Stub, StubResponse) -> Void) { if let stub, let response { call(stub, response) } }
}

extension StubRegistry {
  /// Sets a closure that StubKit calls for each request that a stub was chosen for, before the response begins. `nil`
  /// removes it.
  ///
  /// ```swift
  /// StubRegistry.current.onStubActivation { request, stub, response in
  ///   print("\(request.url!) stubbed by \(stub.name ?? "?"): \(response)")
  /// }
  /// ```
  ///
  /// Like the other callbacks, it replaces the one before, and applies to requests that are made from now on. StubKit
  /// calls each callback once per request, in the order of events, in a task that sees the task-local values of the
  /// requester, and never under a lock. The callback can use `URLSession` itself. The request waits until it returns,
  /// so code that has received an answer can rely on the call.
  ///
  /// A task that is redirected makes several requests. A response closure that throws an error counts as a response
  /// that fails.
  public func onStubActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    observers.set(.activation, callback) { call, event in event.answer { call(event.request, $0, $1) } }
  }

  /// Sets a closure that StubKit calls when a stub's response has redirected a request. It receives the request, the
  /// next request, the stub and the response. `nil` removes it.
  ///
  /// StubKit doesn't call it for a redirect that the session's delegate refuses. ``onStubActivation(_:)`` says when
  /// and where callbacks run.
  ///
  /// ```swift
  /// registry.onStubRedirectResponse { request, redirected, stub, response in
  ///   print("\(request.url!) led to \(redirected.url!)")
  /// }
  /// ```
  public func onStubRedirectResponse(_ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?) {
    observers.set(.redirect, callback) { call, event in
      event.answer { call(event.request, event.redirected ?? event.request, $0, $1) }
    }
  }

  /// Sets a closure that StubKit calls when a stub's response has ended or failed. If it failed, the closure receives
  /// the error. `nil` removes it.
  ///
  /// StubKit calls it just before the task learns of the end. After a cancellation, or if the end can't wait, it
  /// calls the closure soon afterwards, on a queue of its own. The error is then a `URLError` with the code
  /// `cancelled`, or the cause of the failure. StubKit doesn't call it for a response that redirected, which has a
  /// callback of its own.
  ///
  /// ```swift
  /// registry.afterStubFinish { request, stub, response, error in
  ///   print("\(request.url!) is done", error ?? "")
  /// }
  /// ```
  public func afterStubFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    observers.set(.finish, callback) { call, event in event.answer { call(event.request, $0, $1, event.error) } }
  }

  /// Sets a closure that StubKit calls for each request that no stub matches, whatever ``unmatched`` does with it.
  /// `nil` removes it. ``onStubActivation(_:)`` says when and where callbacks run.
  ///
  /// ```swift
  /// registry.onStubMissing { request in
  ///   print("nothing answers \(request)")
  /// }
  /// ```
  public func onStubMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    observers.set(.missing, callback) { call, event in call(event.request) }
  }

  /// A stream of the events of requests that are made from now on, in order for each of them. Each read of the
  /// property creates a new stream.
  ///
  /// ```swift
  /// let events = registry.events
  /// _ = try await client.users()
  /// for await event in events {
  ///   if event.kind == .finish { break }
  /// }
  /// ```
  ///
  /// The stream ends with its registry. It keeps the newest 10,000 unread events, and drops older ones.
  public var events: AsyncStream<StubEvent> { observers.makeReader() }
}

extension HTTPStubs {
  /// Sets a closure that StubKit calls for each request that a stub of the current registry was chosen for, before
  /// the response begins. `nil` removes it. See ``StubRegistry/onStubActivation(_:)``.
  ///
  /// ```swift
  /// HTTPStubs.onStubActivation { request, stub, response in
  ///   print("\(request.url!) stubbed by \(stub.name ?? "?")")
  /// }
  /// ```
  public static func onStubActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    StubRegistry.current.onStubActivation(callback)
  }

  /// Sets a closure that StubKit calls when a stub's response has redirected a request of the current registry. `nil`
  /// removes it. See ``StubRegistry/onStubRedirectResponse(_:)``.
  public static func onStubRedirectResponse(
    _ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?
  ) {
    StubRegistry.current.onStubRedirectResponse(callback)
  }

  /// Sets a closure that StubKit calls when a stub's response to a request of the current registry has ended or
  /// failed. `nil` removes it. See ``StubRegistry/afterStubFinish(_:)``.
  public static func afterStubFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    StubRegistry.current.afterStubFinish(callback)
  }

  /// Sets a closure that StubKit calls for each unmatched request of the current registry. `nil` removes it. See
  /// ``StubRegistry/onStubMissing(_:)``.
  ///
  /// ```swift
  /// HTTPStubs.onStubMissing { request in
  ///   print("nothing answers \(request)")
  /// }
  /// ```
  public static func onStubMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    StubRegistry.current.onStubMissing(callback)
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
  /// before the task learns of it. After a failure or a cancellation, it does so at the latest soon afterwards. Like
  /// the registry's callbacks (``StubRegistry/afterStubFinish(_:)``), the closure replaces the one before, sees the
  /// task-local values of the requester, never runs under a lock, and can use `URLSession`.
  ///
  /// - Parameter callback: A closure that receives the request as the journal contains it, with its outcome.
  /// - Returns: The stub.
  @discardableResult
  public func onFinish(_ callback: (@Sendable (RecordedRequest) -> Void)?) -> Stub {
    // The values that the old closure holds belong to the user, and are released outside the lock.
    var callback = callback.map(Closure.init)
    calls.onFinish.withLock { swap(&$0, &callback) }
    home?.observers.watchStubs()
    return self
  }
}

/// The observation of one request, from the moment when its stub was chosen, or when none was.
///
/// Its members call the user's code, so don't call them under a lock or on a queue of URLSession.
final class StubObservation: ExchangeListener {
  final class Subject: Sendable {
    let request: URLRequest
    /// The stub, or `nil` for an unmatched request.
    let stub: Stub?
    let response: StubResponse?
    let registry: StubRegistry
    let entry: JournalEntry

    init(
      _ request: URLRequest, of stub: Stub?, _ response: StubResponse?, in registry: StubRegistry, _ entry: JournalEntry
    ) {
      (self.request, self.stub, self.response) = (request, stub, response)
      (self.registry, self.entry) = (registry, entry)
    }
  }

  private let isOver = Protected(false)
  // Safe because it is retained by init, and released once, on behalf of deinit.
  private let reference: Unmanaged<Subject>

  init(_ subject: Subject) { reference = .passRetained(subject) }

  /// This can run on a queue of URLSession. What the stub, the response and the callbacks hold belongs to the user,
  /// and can use URLSession when it is released, which traps there.
  deinit {
    DispatchQueue.global().async { [reference] in reference.release() }
  }

  private var subject: Subject { reference.takeUnretainedValue() }

  func willBegin() { tell(subject.stub == nil ? .missing : .activation) }

  func willEnd(_ error: (any Error)?, redirectedTo request: URLRequest?) -> (@Sendable () -> Void)? {
    isOver.withLock(\.self) ? nil : { @Sendable in self.end(error, redirectedTo: request) }
  }

  /// If the observers have not learned of the end yet, because nothing could delay it, they learn of it elsewhere than
  /// on the queue of the request.
  func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int?, callbacks: RequestCallbacks?) {
    guard !isOver.withLock(\.self) else { return }
    let error = outcome == .cancelled ? URLError(.cancelled) : outcome.error
    let (registry, timeline) = (subject.registry, subject.entry.timeline)
    let begun = timeline.begin()
    WorkerPool.closures.run {
      StubRegistry.$local.withValue(registry) { self.end(error, redirectedTo: nil) }
      timeline.end(begun)
    }
  }

  /// Ends the observation, unless it is over. Without a stub, there is no answer whose end matters.
  private func end(_ error: (any Error)?, redirectedTo request: URLRequest?) {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    let subject = subject
    guard !wasOver, let stub = subject.stub else { return }
    tell(request == nil ? .finish : .redirect, redirected: request, error: error)
    guard let response = subject.response, let callback = stub.calls.onFinish.withLock(\.self) else { return }
    callback.call(subject.entry.request(endingWith: error, status: response.status))
  }

  private func tell(_ kind: StubEvent.Kind, redirected: URLRequest? = nil, error: (any Error)? = nil) {
    let subject = subject
    subject.registry.observers.tell(
      StubEvent(
        kind: kind, request: subject.request, stub: subject.stub, response: subject.response,
        redirected: redirected, error: error))
  }
}

/// The observers of a registry's requests: its callbacks, and the readers of its events.
final class StubObservers: Sendable {
  private struct State {
    var callbacks: [StubEvent.Kind: Closure<@Sendable (StubEvent) -> Void>] = [:]
    var readers: [UUID: AsyncStream<StubEvent>.Continuation] = [:]
    /// A Boolean value that indicates whether some stub has a callback of its own.
    var watchesStubs = false
  }
  private let state = Protected(State())

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.finish() }
  }

  var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty && $0.readers.isEmpty && !$0.watchesStubs } }

  func watchStubs() { state.withLock { $0.watchesStubs = true } }

  /// Sets the callback for the events of a kind, and how to call it.
  func set<Callback: Sendable>(
    _ kind: StubEvent.Kind, _ callback: Callback?, _ call: @escaping @Sendable (Callback, StubEvent) -> Void
  ) {
    var callback = callback.map { callback in Closure<@Sendable (StubEvent) -> Void> { call(callback, $0) } }
    // The values that the old callback holds belong to the user, and are released outside the lock.
    state.withLock { swap(&$0.callbacks[kind], &callback) }
  }

  func makeReader() -> AsyncStream<StubEvent> {
    let id = UUID()
    let (stream, reader) = AsyncStream.makeStream(of: StubEvent.self, bufferingPolicy: .bufferingNewest(10_000))
    reader.onTermination = { [weak self] _ in
      let reader = self?.state.withLock { $0.readers.removeValue(forKey: id) }
      _ = consume reader
    }
    state.withLock { $0.readers[id] = reader }
    return stream
  }

  /// Calls the user's code.
  func tell(_ event: StubEvent) {
    let (callback, readers) = state.withLock { ($0.callbacks[event.kind], $0.readers) }
    for reader in readers.values { reader.yield(event) }
    callback?.call(event)
  }
}

/// Listens to the requests of a registry that go to the network, for example to record them.
package protocol NetworkTap: AnyObject, Sendable {
  /// Begins to listen to a request.
  ///
  /// - Parameter request: The request as a server receives it.
  func begin(_ request: URLRequest) -> any NetworkRecorder

  /// Returns text of a report without what this tap replaces in what it writes.
  ///
  /// - Parameter criterion: The part of the request that has the text as its value, such as `header Accept`, or `nil` for
  ///   a text of any kind.
  func redacted(_ text: String, of criterion: String?) -> String
}

/// Learns what happens to one request on the network. A request that a response leads to has a recorder of its own.
///
/// Call it on any thread, in the order of events.
package protocol NetworkRecorder: AnyObject, Sendable {
  /// The request is sent with this body.
  func setRequestBody(_ body: Data)

  func head(_ response: HTTPURLResponse)
  /// The response is a redirect that URLSession understands to lead here.
  func leads(to target: URL)
  /// A piece of the body has arrived.
  ///
  /// - Parameter asPiece: Whether the client receives the body in pieces.
  func receive(_ piece: Data, asPiece: Bool)

  /// The response is complete, or has broken off.
  func end(error: (any Error)?)
  /// The request was cancelled.
  func cancel()
}

/// A recording in use in a registry: its policy for unmatched requests, and what listens to those that go to the
/// network.
///
/// Recordings are nested, and the innermost one has all requests of the registry.
package final class RecordingFrame: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingFrame?

  let tap: (any NetworkTap)?
  /// The command after which unmatched requests have stubs, or `nil` if there is none.
  let remedy: String?
  /// Whether it is that of a whole test, whose tasks don't name it.
  let isOfTest: Bool
  /// The policy for requests that no stub matches, or `nil` for that of the registry.
  // Safe because it is touched only under the lock of the registry.
  nonisolated(unsafe) var unmatched: UnmatchedPolicy?

  package init(
    _ tap: (any NetworkTap)? = nil, unmatched: UnmatchedPolicy? = nil, remedy: String? = nil, isOfTest: Bool = false
  ) {
    (self.tap, self.unmatched, self.remedy, self.isOfTest) = (tap, unmatched, remedy, isOfTest)
  }

  /// Returns whether the frame can begin inside another one, and not beside it. It can if the code that begins it runs
  /// inside of the other one.
  func isInside(_ outer: RecordingFrame) -> Bool { outer === Self.current || outer.isOfTest && !isOfTest }
}
