import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The stubs of the current registry, under the names that OHHTTPStubs' users know.
///
/// Everything here reads and changes ``StubRegistry/current``.
public enum HTTPStubs {
  /// Removes all stubs. Requests made from now on are unmatched.
  public static func removeAllStubs() { StubRegistry.current.removeAll() }

  /// The stubs, oldest first.
  public static func allStubs() -> [Stub] { StubRegistry.current.stubs }

  /// Removes a stub.
  ///
  /// - Returns: True the first time, false for a stub that is no longer registered.
  @discardableResult
  public static func removeStub(_ stub: Stub) -> Bool { stub.remove() }

  /// Whether requests are taken at all. While they are not, they go out as if StubKit were not there.
  public static func setEnabled(_ enabled: Bool) { StubRegistry.current.isEnabled = enabled }

  /// Whether requests are taken.
  public static func isEnabled() -> Bool { StubRegistry.current.isEnabled }

  /// Whether sessions made from the configuration from now on are stubbed. They are, unless this says otherwise.
  ///
  /// With true they belong to the current registry, as by ``StubRegistry/install(in:)``.
  ///
  /// ```swift
  /// let configuration = URLSessionConfiguration.ephemeral
  /// HTTPStubs.setEnabled(false, for: configuration)
  /// let real = URLSession(configuration: configuration)  // reaches the network
  /// ```
  public static func setEnabled(_ enabled: Bool, for configuration: URLSessionConfiguration) {
    if enabled {
      StubRegistry.current.install(in: configuration)
    } else {
      SessionInstallation.leaveAlone(configuration)
    }
  }

  /// Whether sessions made from the configuration are stubbed.
  public static func isEnabled(for configuration: URLSessionConfiguration) -> Bool {
    SessionInstallation.activate()
    return SessionInstallation.isIntercepted(configuration)
  }

  /// What becomes of a request that no stub matches. ``UnmatchedPolicy/fail`` to begin with.
  public static var unmatched: UnmatchedPolicy {
    get { StubRegistry.current.unmatched }
    set { StubRegistry.current.unmatched = newValue }
  }

  /// What all waiting goes by: ``RealStubClock`` to begin with.
  ///
  /// ```swift
  /// HTTPStubs.clock = .immediate  // nothing waits any more
  /// ```
  public static var clock: any StubClock {
    get { StubRegistry.current.clock }
    set { StubRegistry.current.clock = newValue }
  }

  /// The network between every client and its stubs: nil, to begin with, for one that takes no time and loses nothing.
  ///
  /// ```swift
  /// HTTPStubs.network = .edge
  /// ```
  public static var network: NetworkConditions? {
    get { StubRegistry.current.network }
    set { StubRegistry.current.network = newValue }
  }
}
