import Foundation

/// A clock for the waiting in a registry: `.real`, `.immediate` or a ``ManualClock``.
///
/// It measures everything that takes time: delays, bandwidth, jitter, the pauses of event streams, and the timeouts
/// of requests. A ``ResponseGate`` and an open stream wait for the code that opens or feeds them.
///
/// ```swift
/// HTTPStubs.clock = .immediate
/// stub(
///   .get, "https://api.example.com/slow",
///   response: .text("late").delay(.seconds(30)))
/// // Every request to /slow is answered at once.
/// ```
///
/// Only the library's own clocks can move a registry, because it has to know what waits. A ``ManualClock`` is a `Clock`
/// for the code under test, too.
public protocol StubClock: Sendable {
  /// The time that registries use. Only the library's own clocks can create one. A clock that wraps one of them returns
  /// the time of that clock.
  @_documentation(visibility: internal)
  var time: StubTime { get }
}
