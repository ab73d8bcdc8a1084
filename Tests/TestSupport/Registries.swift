import StubKit

extension StubRegistry {
  /// A registry with another clock than the system's.
  package convenience init(clock: any StubClock) {
    self.init()
    self.clock = clock
  }

  /// A registry with another policy for unmatched requests than `.fail`.
  package convenience init(unmatched: UnmatchedPolicy) {
    self.init()
    self.unmatched = unmatched
  }
}
