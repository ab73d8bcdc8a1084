/// The state of a scenario, as a number.
///
/// One lock guards the states of all scenarios, so that a request that depends on several of them sees or moves all
/// at the same moment.
final class ScenarioTrack: Sendable {
  let name: String
  /// The states as they are written, by number.
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

/// A scenario in a state: the state that a search has seen, or the state that an answer moves it to.
struct ScenarioMove: Sendable {
  let track: ScenarioTrack
  let state: Int
}

/// The states that one search has seen. It sees each scenario in one state, however often it asks.
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

/// The result of claiming a use of a stub.
enum StubClaim {
  case call(Int)
  /// Another request took the last use.
  case usedUp
  /// A scenario has moved since the search looked at it, so the search could find another stub now.
  case stale
}

extension ScenarioReadings {
  /// Takes a use of a stub and makes the moves of its answer, if all scenarios are still in the states that the
  /// search has seen.
  ///
  /// - Parameter incoming: The request to answer.
  func claim(_ stub: Stub, for incoming: IncomingRequest) -> StubClaim {
    if isEmpty && !stub.movesScenarios { return stub.claim().map { .call($0) } ?? .usedUp }
    // This is outside the lock, because a request belongs to the user.
    let moves = stub.responder.moves(for: incoming.seen.request)
    return ScenarioTrack.claim(stub, moving: moves, seen: readings)
  }

  /// A Boolean value that indicates whether all scenarios are still in the states that the search has seen.
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
