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
  /// stub(condition: isPath("/events"), response: .json([:]))
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
