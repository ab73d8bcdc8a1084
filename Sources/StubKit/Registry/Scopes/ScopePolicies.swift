/// What happens to requests to this machine, such as `http://localhost:8080/`, that name no scope and that no open scope
/// has a stub for.
///
/// Such a request is made on a plain queue, on a thread or in a detached task, through a session that was created outside of
/// every scope.
public struct LoopbackPolicy: Sendable, Hashable {
  private let lets: Bool

  /// The request goes to the server that listens there, which can be that of another test. This is the default.
  public static let passThrough = LoopbackPolicy(lets: true)

  /// The request is treated like one to any other host, so that it reaches no server on this machine.
  public static let stubbed = LoopbackPolicy(lets: false)
}

/// What happens to requests that are made outside of every scope when none is open any more: on a plain queue, on a thread
/// or in a detached task.
public struct UnscopedPolicy: Sendable, Hashable {
  private let lets: Bool

  /// The request fails with a ``StubScopeEndedError``, and the run has a warning. A request to this machine goes out. This
  /// is the default, because a test that has ended may have left the request behind.
  public static let fail = UnscopedPolicy(lets: false)

  /// The request goes to the network as if StubKit didn't exist.
  public static let passThrough = UnscopedPolicy(lets: true)
}

extension HTTPStubs {
  private static let unscopedPolicy = Protected(UnscopedPolicy.fail)

  /// What happens to requests that belong to nobody after the first scope of the process. Defaults to
  /// ``UnscopedPolicy/fail``.
  ///
  /// ```swift
  /// // The app that hosts the tests may use the network between them.
  /// HTTPStubs.unscoped = .passThrough
  /// ```
  ///
  /// It applies to the whole process, and only while no scope is open. If code outside of scopes may use the network beside
  /// open ones, too, write `StubRegistry.global.isEnabled = false` instead.
  public static var unscoped: UnscopedPolicy {
    get { unscopedPolicy.withLock(\.self) }
    set { unscopedPolicy.withLock { $0 = newValue } }
  }
}
