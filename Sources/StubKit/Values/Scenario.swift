/// A scenario: its name and its current state.
///
/// One lock guards the states of all scenarios, so that a request that depends on several of them sees or moves all
/// at the same moment. No code of the states themselves runs under it: a claim compares the numbers of changes.
final class Scenario: Sendable {
  let name: String
  // Safe because both are touched under `lock` only.
  nonisolated(unsafe) private var state: ScenarioState
  nonisolated(unsafe) private var changeCount = 0

  private static let lock = Protected(0)

  init(_ name: String, _ state: ScenarioState) {
    self.name = name
    self.state = state
  }

  /// The current state.
  var reading: ScenarioReading {
    Self.lock.withLock { _ in ScenarioReading(scenario: self, state: state, changeCount: changeCount) }
  }

  /// Returns a state as it is written.
  static func text(of state: ScenarioState) -> String {
    if let text = state as? String { return text.debugDescription }
    return Mirror(reflecting: state).displayStyle == .enum ? ".\(state)" : "\(state)"
  }

  /// Makes the moves that `claim` returns, if no scenario has moved since it was read. Returns `false` if one has.
  ///
  /// - Parameter claim: A closure that runs under the lock, and decides on the moves at the same moment.
  @discardableResult
  static func move(ifUnchanged readings: [ScenarioReading] = [], _ claim: () -> [ScenarioMove]) -> Bool {
    var moves: [ScenarioMove] = []
    return lock.withLock { _ in
      guard readings.allSatisfy({ $0.scenario.changeCount == $0.changeCount }) else { return false }
      moves = claim()
      for position in moves.indices {
        let scenario = moves[position].scenario
        // The earlier state is released outside the lock, because it belongs to the user.
        swap(&scenario.state, &moves[position].state)
        scenario.changeCount += 1
      }
      return true
    }
  }
}

/// A state of a scenario, whatever its type.
typealias ScenarioState = any Hashable & Sendable

/// A scenario, and the state that an answer moves it to.
struct ScenarioMove {
  let scenario: Scenario
  var state: ScenarioState
}

/// A scenario as a search has seen it.
struct ScenarioReading {
  let scenario: Scenario
  let state: ScenarioState
  fileprivate let changeCount: Int
}

/// What one search has seen. It sees each scenario in one state, however often it asks.
extension [ScenarioReading] {
  mutating func state(of scenario: Scenario) -> ScenarioState {
    for reading in self where reading.scenario === scenario { return reading.state }
    append(scenario.reading)
    return self[count - 1].state
  }

  /// A Boolean value that indicates whether no scenario has moved since it was read.
  var areCurrent: Bool { isEmpty || Scenario.move(ifUnchanged: self) { [] } }
}
