import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubRegistry {
  /// Sets what is called for each request of this registry that a stub was chosen for, before the response is given; nil calls
  /// nothing any more.
  ///
  /// ```swift
  /// StubRegistry.current.onStubActivation { request, stub, response in
  ///   print("\(request.url!) stubbed by \(stub.name ?? "?"): \(response)")
  /// }
  /// ```
  ///
  /// Like the other callbacks it replaces the one before, and is called for requests that are made from then on: once each, in
  /// the order of what happens to a request, in a task that sees the requester's task-locals, never under a lock. It may use
  /// `URLSession` itself. The request waits until it returns, so whoever has an answer knows that it was called.
  ///
  /// A task that is redirected makes several requests. A response closure that throws counts as a response that fails.
  public func onStubActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    observers.set { $0.activation = callback }
  }

  /// Sets what is called when a stub's response has redirected a request: with the request, the one that is made next, the stub
  /// and the response. nil calls nothing any more.
  ///
  /// It is not called for a redirect that the session's delegate refuses. See ``onStubActivation(_:)`` for when and where.
  ///
  /// ```swift
  /// registry.onStubRedirectResponse { request, redirected, stub, response in
  ///   print("\(request.url!) led to \(redirected.url!)")
  /// }
  /// ```
  public func onStubRedirectResponse(_ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?) {
    observers.set { $0.redirect = callback }
  }

  /// Sets what is called when a stub's response has been given to its end, or has failed: then with the error. nil calls nothing
  /// any more.
  ///
  /// It is called just before the task hears of the end; after a cancellation, or where something else keeps the end from
  /// waiting, soon after it, on a queue of StubKit's, with a `URLError` of the code `cancelled` or whatever the failure was. It
  /// is not called for a response that redirected: that has a callback of its own.
  ///
  /// ```swift
  /// registry.afterStubFinish { request, stub, response, error in
  ///   print("\(request.url!) is done", error ?? "")
  /// }
  /// ```
  public func afterStubFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    observers.set { $0.finish = callback }
  }

  /// Sets what is called for each request that no stub matches, whatever ``unmatched`` then makes of it; nil calls nothing any
  /// more. See ``onStubActivation(_:)`` for when and where.
  ///
  /// ```swift
  /// registry.onStubMissing { request in print("nothing answers \(request)") }
  /// ```
  public func onStubMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    observers.set { $0.missing = callback }
  }

  /// What happens to the requests that are made from now on, in order for each of them. Each read makes a stream of its own.
  ///
  /// ```swift
  /// let events = registry.events
  /// _ = try await client.users()
  /// for await event in events {
  ///   if event.kind == .finish { break }
  /// }
  /// ```
  ///
  /// A stream ends with its registry. It keeps the newest 10,000 events that you have not read yet, and drops older ones; the
  /// ``StubEvent/droppedCount`` of the next event says how many.
  public var events: AsyncStream<StubEvent> { observers.makeReader() }
}

extension HTTPStubs {
  /// Sets what is called for each request that a stub of the current registry was chosen for, before the response is given; nil
  /// calls nothing any more. See ``StubRegistry/onStubActivation(_:)``.
  ///
  /// ```swift
  /// HTTPStubs.onStubActivation { request, stub, response in
  ///   print("\(request.url!) stubbed by \(stub.name ?? "?")")
  /// }
  /// ```
  public static func onStubActivation(_ callback: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?) {
    StubRegistry.current.onStubActivation(callback)
  }

  /// Sets what is called when a stub's response has redirected a request of the current registry; nil calls nothing any more.
  /// See ``StubRegistry/onStubRedirectResponse(_:)``.
  public static func onStubRedirectResponse(
    _ callback: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?
  ) {
    StubRegistry.current.onStubRedirectResponse(callback)
  }

  /// Sets what is called when a stub's response to a request of the current registry has been given, or has failed; nil calls
  /// nothing any more. See ``StubRegistry/afterStubFinish(_:)``.
  public static func afterStubFinish(_ callback: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?) {
    StubRegistry.current.afterStubFinish(callback)
  }

  /// Sets what is called for each request of the current registry that no stub matches; nil calls nothing any more.
  /// See ``StubRegistry/onStubMissing(_:)``.
  ///
  /// ```swift
  /// HTTPStubs.onStubMissing { request in print("nothing answers \(request)") }
  /// ```
  public static func onStubMissing(_ callback: (@Sendable (URLRequest) -> Void)?) {
    StubRegistry.current.onStubMissing(callback)
  }
}
