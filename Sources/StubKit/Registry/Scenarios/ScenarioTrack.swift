/// Where a scenario stands: its state as a number.
///
/// One lock is for the states of all scenarios, so that a request that asked several of them finds or moves all at the same moment.
final class ScenarioTrack: Sendable {
  let name: String
  /// As they are written, by number.
  private let texts: Protected<[String]>
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private var current = 0

  private static let lock = Protected(0)

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

  static func move(_ moves: [ScenarioMove]) {
    guard !moves.isEmpty else { return }
    lock.withLock { _ in
      for move in moves { move.track.current = move.state }
    }
  }
}

/// A condition on a scenario.
struct ScenarioDemand: Sendable {
  let track: ScenarioTrack
  let state: Int
  let text: String
}

/// A scenario in a state: that in which a search has seen it, or that to which an answer moves it.
struct ScenarioMove: Sendable {
  let track: ScenarioTrack
  let state: Int
}

/// What one search has seen of the scenarios: each of them in one state, however often it is asked.
struct ScenarioReadings: Sendable {
  private var readings: [ScenarioMove] = []

  var isEmpty: Bool { readings.isEmpty }

  mutating func state(of track: ScenarioTrack) -> Int {
    if let known = readings.first(where: { $0.track === track }) { return known.state }
    let state = track.state
    readings.append(ScenarioMove(track: track, state: state))
    return state
  }
}

/// What comes of a search that wants to take a use of a stub.
enum StubClaim {
  case call(Int)
  /// Another request took the last use.
  case usedUp
  /// A scenario has moved since the search looked at it: what was found is no longer what would be found.
  case stale
}

extension ScenarioReadings {
  /// Takes a use of a stub and makes the moves of its answer, if all scenarios are still as they were seen.
  ///
  /// - Parameter incoming: The request that is answered.
  func claim(_ stub: Stub, for incoming: IncomingRequest) -> StubClaim {
    if isEmpty && !stub.movesScenarios { return stub.claim().map { .call($0) } ?? .usedUp }
    // Asked outside the lock: a request is the user's.
    let moves = stub.responder.moves(for: incoming.seen.request)
    return ScenarioTrack.claim(stub, moving: moves, seen: readings)
  }

  /// Whether all scenarios are as they were seen.
  var hold: Bool { isEmpty || ScenarioTrack.hold(readings) }
}

extension ScenarioTrack {
  fileprivate static func hold(_ readings: [ScenarioMove]) -> Bool {
    lock.withLock { _ in readings.allSatisfy { $0.track.current == $0.state } }
  }

  fileprivate static func claim(
    _ stub: Stub, moving moves: Responder.Moves, seen readings: [ScenarioMove]
  ) -> StubClaim {
    lock.withLock { _ in
      guard readings.allSatisfy({ $0.track.current == $0.state }) else { return .stale }
      guard let call = stub.claim() else { return .usedUp }
      for move in moves[call: call] { move.track.current = move.state }
      return .call(call)
    }
  }
}
