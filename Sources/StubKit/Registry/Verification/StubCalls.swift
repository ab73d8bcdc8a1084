/// The calls of a stub, created at the first one. Among very many stubs, most never have one.
final class StubCalls: @unchecked Sendable {
  // Safe because the counts are touched only under the lock of the one journal that contains the stub's
  // requests, and the rest never changes or has a lock of its own.
  var begunCount = 0
  var endedCount = 0
  /// The closure to call for each request that is over, or `nil`.
  let onFinish = Protected<Closure<@Sendable (RecordedRequest) -> Void>?>(nil)

  /// The calls whose responses the test sends.
  let controlled = ControlledCalls()

  /// How far a request has come.
  enum Milestone: Sendable {
    case begun
    case ended
  }

  func count(of milestone: Milestone) -> Int {
    switch milestone {
    case .begun: begunCount
    case .ended: endedCount
    }
  }
}
