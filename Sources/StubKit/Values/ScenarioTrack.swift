/// The state of a scenario, as a number.
///
/// One lock guards the states of all scenarios, so that a request that depends on several of them sees or moves all
/// at the same moment.
final class ScenarioTrack: Sendable {
  let name: String
  /// The states as they are written, by number.
  private let texts: Protected<[String]>
  // Safe because it is touched under `lock` only.
  nonisolated(unsafe) fileprivate(set) var current = 0

  static let lock = Protected(0)

  init(_ name: String, _ text: String) {
    self.name = name
    texts = Protected([text])
  }

  var state: Int {
    get { Self.lock.withLock { _ in current } }
    set { Self.lock.withLock { _ in current = newValue } }
  }

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func text(of state: Int) -> String { texts.withLock { $0[state] } }

  /// Call this under `lock`.
  func moveUnderLock(to state: Int) { current = state }

  static func move(_ moves: [ScenarioMove]) {
    guard !moves.isEmpty else { return }
    lock.withLock { _ in
      for move in moves { move.track.current = move.state }
    }
  }
}

/// A scenario in a state: the state that a search has seen, or the state that an answer moves it to.
struct ScenarioMove: Sendable {
  let track: ScenarioTrack
  let state: Int
}

/// The states that one search has seen. It sees each scenario in one state, however often it asks.
struct ScenarioReadings: Sendable {
  private(set) var readings: [ScenarioMove] = []

  var isEmpty: Bool { readings.isEmpty }

  mutating func state(of track: ScenarioTrack) -> Int {
    if let known = readings.first(where: { $0.track === track }) { return known.state }
    let state = track.state
    readings.append(ScenarioMove(track: track, state: state))
    return state
  }
}
