import Foundation

/// The stubs of the current registry, under the names that OHHTTPStubs uses.
///
/// The members read and change ``StubRegistry/current``, but for ``unscoped``, which is the process's, and for those
/// that take a configuration.
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

  /// The journal of the requests that the registry has received.
  ///
  /// ```swift
  /// #expect(HTTPStubs.journal.entries.count == 2)
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
