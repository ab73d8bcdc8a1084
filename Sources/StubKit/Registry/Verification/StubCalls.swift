/// The calls of a stub, created at the first one. Among very many stubs, most never have one.
final class StubCalls: @unchecked Sendable {
  // @unchecked holds because the counts are touched only under the lock of the one journal that contains the stub's
  // requests, and the rest never changes or has a lock of its own.
  var begunCount = 0
  var endedCount = 0
  /// The closure to call for each request that is over, or `nil`.
  let onFinish = Protected<(@Sendable (RecordedRequest) -> Void)?>(nil)

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

/// The waits for a number of a stub's requests to reach a milestone.
struct CallWaits {
  /// Called with `false` when the time is up.
  typealias End = OneTime<Result<Bool, any Error>>

  private struct Wait {
    let count: Int
    let milestone: StubCalls.Milestone
    let calls: StubCalls
    let end: End
  }

  private var waits: [UInt64: Wait] = [:]

  private static let numbers = Protected<UInt64>(0)

  static func newNumber() -> UInt64 {
    numbers.withLock { last in
      last += 1
      return last
    }
  }

  mutating func add(
    _ number: UInt64, until count: Int, _ milestone: StubCalls.Milestone, of calls: StubCalls, _ end: End
  ) {
    waits[number] = Wait(count: count, milestone: milestone, calls: calls, end: end)
  }

  mutating func remove(_ number: UInt64) -> End? { waits.removeValue(forKey: number)?.end }

  /// Removes and returns the waits that are over, to be told outside the lock.
  mutating func takeMet(by calls: StubCalls?) -> [End] {
    guard !waits.isEmpty, let calls else { return [] }
    let met = waits.filter { $0.value.calls === calls && calls.count(of: $0.value.milestone) >= $0.value.count }
    for number in met.keys { waits[number] = nil }
    return met.values.map(\.end)
  }
}
