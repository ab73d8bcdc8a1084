import Foundation

/// What a test reads and changes of its stubs, its requests and its time. Some names are OHHTTPStubs'.
///
/// ```swift
/// HTTPStubs.clock = .immediate
/// HTTPStubs.network = .threeG
/// #expect(HTTPStubs.requests.count == 2)
/// ```
///
/// The members read and change ``StubRegistry/current``, which is the registry of the test. ``unscoped``,
/// ``capabilities``, ``isEnabled(for:)`` and ``setEnabled(_:for:)`` with `false` are about the process.
public enum HTTPStubs {
  /// Removes all stubs. Later requests are unmatched, and no removed stub is reported as unused.
  public static func removeAllStubs() { StubRegistry.current.removeAll() }

  /// Returns all stubs, oldest first.
  public static func allStubs() -> [Stub] { StubRegistry.current.stubs }

  /// Removes a stub.
  ///
  /// - Returns: `true` if the stub was registered, and `false` if it had been removed before.
  @discardableResult
  public static func removeStub(_ stub: Stub) -> Bool { stub.remove() }

  /// Enables or disables StubKit for sessions that are created from a configuration from now on. Defaults to enabled.
  ///
  /// If you pass `true`, these sessions belong to the current registry, as with ``StubRegistry/install(in:)``.
  ///
  /// ```swift
  /// let configuration = URLSessionConfiguration.ephemeral
  /// HTTPStubs.setEnabled(false, for: configuration)
  /// // This session reaches the network.
  /// let real = URLSession(configuration: configuration)
  /// ```
  public static func setEnabled(_ enabled: Bool, for configuration: URLSessionConfiguration) {
    if enabled {
      StubRegistry.current.install(in: configuration)
    } else {
      SessionInstallation.leaveAlone(configuration)
    }
  }

  /// Returns a Boolean value that indicates whether StubKit is enabled for sessions of the configuration.
  public static func isEnabled(for configuration: URLSessionConfiguration) -> Bool {
    SessionInstallation.activate()
    return SessionInstallation.isIntercepted(configuration)
  }

  /// The policy for requests that no stub matches. Defaults to ``UnmatchedPolicy/fail``.
  public static var unmatched: UnmatchedPolicy {
    get { StubRegistry.current.unmatched }
    set { StubRegistry.current.unmatched = newValue }
  }

  /// The clock for all waiting. Defaults to ``StubClock/real``.
  ///
  /// ```swift
  /// HTTPStubs.clock = .immediate  // Nothing waits any more.
  /// ```
  public static var clock: any StubClock {
    get { StubRegistry.current.clock }
    set { StubRegistry.current.clock = newValue }
  }

  /// The version of HTTP as which the client sees every response. Defaults to ``StubResponse/HTTPVersion/http1``.
  ///
  /// ```swift
  /// HTTPStubs.httpVersion = .http2  // Header names arrive in lower case.
  /// ```
  ///
  /// A response's own ``StubResponse/httpVersion(_:)`` takes precedence. The property applies to requests that are
  /// answered from now on.
  public static var httpVersion: StubResponse.HTTPVersion {
    get { StubRegistry.current.httpVersion }
    set { StubRegistry.current.httpVersion = newValue }
  }

  /// The requests that the registry has received, oldest first: the entries of the ``journal``.
  ///
  /// ```swift
  /// #expect(HTTPStubs.requests.map(\.outcome) == [.answered(status: 200)])
  /// ```
  public static var requests: [RecordedRequest] { journal.entries }

  /// Clears the journal and the call counts of all stubs, so that later checks see only later requests.
  ///
  /// ```swift
  /// try await client.signIn()
  /// HTTPStubs.forgetRequests()
  /// _ = try await client.user()
  /// #expect(HTTPStubs.requests.count == 1)
  /// ```
  ///
  /// Everything that counts calls begins anew: ``requests``, ``Stub/callCount``, `calls:`, `expectCalls`, `verify`,
  /// ``Stub/waitForCalls(_:timeout:)`` and ``Stub/nextCall(timeout:)``. A request that is under way counts for nothing.
  /// The stubs themselves go on: a use that `times:` has counted stays taken, `responses:` don't start over,
  /// `match.callNumber` counts on, and a stub that was used isn't reported as unused.
  public static func forgetRequests() { StubRegistry.current.forgetRequests() }

  /// Calls a closure for each request that is made from now on, when the request is over, whatever its outcome:
  /// answered, failed, cancelled, unmatched or passed through.
  ///
  /// ```swift
  /// HTTPStubs.onRequest { request in
  ///   print(request, request.stub?.description ?? "no stub")
  /// }
  /// ```
  ///
  /// Any number of closures can listen. Each is called once for each request of ``requests``, with its outcome. A
  /// redirect and the request that it leads to are two. The call comes just before the client learns of the end, so
  /// code that has received an answer can rely on it. If a request is cancelled, passes through to the network, or
  /// fails before it has an answer, the call comes shortly afterwards. When the scope ends, it waits up to a second for
  /// calls that run, unless the client cancelled before StubKit had chosen a stub.
  ///
  /// A closure can use StubKit and `URLSession`, and it learns of requests that it makes, too. It can run for several
  /// requests at the same time, and never runs under a lock. Checks that wait for requests don't wait in it.
  ///
  /// - Parameter listener: A closure that receives the request as the journal has it.
  /// - Returns: A closure that ends the calls of the listener, also for requests that have begun. A call that runs at
  ///   that moment goes on. You don't need it in a test, whose registry ends with it.
  ///
  /// ```swift
  /// let stopListening = HTTPStubs.onRequest { analytics.track("\($0)") }
  /// …
  /// stopListening()
  /// ```
  @discardableResult
  public static func onRequest(_ listener: @escaping @Sendable (RecordedRequest) -> Void) -> @Sendable () -> Void {
    StubRegistry.current.onRequest(listener)
  }

  /// The journal of the requests that the registry has received.
  ///
  /// ```swift
  /// let posts = HTTPStubs.journal.requests(matching: isMethod(.post))
  /// ```
  public static var journal: RequestJournal { StubRegistry.current.journal }

  /// The network conditions that apply to every stub of the registry. Defaults to `nil`: no latency and no losses. A
  /// request that passes through takes the time of the real network. Only `.offline` fails it.
  ///
  /// ```swift
  /// HTTPStubs.network = .edge
  /// ```
  public static var network: NetworkConditions? {
    get { StubRegistry.current.network }
    set { StubRegistry.current.network = newValue }
  }

  /// What happens to unscoped requests to this machine that no stub of the registry matches, while a scope with the
  /// registry is open. Defaults to ``UnscopedPolicy/passThrough``.
  ///
  /// ```swift
  /// HTTPStubs.loopback = .fail
  /// ```
  public static var loopback: UnscopedPolicy {
    get { StubRegistry.current.loopback }
    set { StubRegistry.current.loopback = newValue }
  }

  /// Says which stub would answer a request, or what keeps each stub from matching it, without making the request.
  ///
  /// ```swift
  /// print(HTTPStubs.explain(request))
  /// ```
  public static func explain(_ request: URLRequest) -> MatchExplanation { StubRegistry.current.explain(request) }

  /// Binds every session that is created from a configuration to the registry, on any queue and in any task, as
  /// ``StubRegistry/install(in:)`` does.
  ///
  /// ```swift
  /// let configuration = URLSessionConfiguration.ephemeral
  /// HTTPStubs.install(in: configuration)
  /// let client = Session(configuration: configuration)
  /// ```
  public static func install(in configuration: URLSessionConfiguration) {
    StubRegistry.current.install(in: configuration)
  }

  /// Returns a session that belongs to the registry, on any queue and in any task, as
  /// ``StubRegistry/makeSession(configuration:delegate:delegateQueue:)`` does.
  ///
  /// ```swift
  /// let client = Client(session: HTTPStubs.makeSession())
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session, which is copied. Defaults to `.ephemeral`.
  ///   - delegate: The delegate of the session. Defaults to `nil`.
  ///   - delegateQueue: The queue of the delegate. Defaults to `nil`, which is a queue of the session's own.
  public static func makeSession(
    configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    StubRegistry.current.makeSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
  }

  /// The mechanisms of the platform, for bug reports: a line for each, which says whether it is active, and what holds
  /// therefore.
  ///
  /// ```swift
  /// print(HTTPStubs.capabilities)
  /// ```
  ///
  /// On Linux, StubKit needs more than public API for some of its features. Each such mechanism checks itself before
  /// StubKit uses it, and something simpler takes its place if the check fails.
  public static var capabilities: String { Capabilities.current }
}

// Names that other libraries document, and that are others here. A call of one doesn't compile, and the message says
// what to write. An unavailable declaration loses to every other one that fits, such as one of the test's own.

/// OHHTTPStubs' `HTTPStubsResponse(jsonObject:statusCode:headers:)` and its other initialisers.
@available(
  *, unavailable,
  message: "for OHHTTPStubs' names, import StubKitOHHTTPStubs; here, write .json([\"id\": 1], status: 200)"
) @_documentation(visibility: internal)
public typealias HTTPStubsResponse = StubResponse

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// OHHTTPStubs' initialisers. Without them, the compiler blames the closure in which they are called.
extension StubResponse {
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(jsonObject: Any, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(data: Data, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(fileAtPath: String, statusCode: Int32, headers: [AnyHashable: Any]?) { fatalError() }
  @available(*, unavailable, message: "import StubKitOHHTTPStubs") @_documentation(visibility: internal)
  public init(error: any Error) { fatalError() }
}
