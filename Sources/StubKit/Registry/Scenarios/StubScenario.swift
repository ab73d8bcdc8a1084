import Foundation

/// A state that several stubs share. Which stubs answer depends on it, and answers move it.
///
/// ```swift
/// enum Cart { case empty, full }
/// let cart = StubScenario(initial: Cart.empty)
///
/// stub(
///   condition: isMethodGET() && isPath("/cart") && cart.is(.empty),
///   response: .json([]))
/// stub(
///   condition: isMethodGET() && isPath("/cart") && cart.is(.full),
///   response: .json(["book"]))
/// stub(
///   condition: isMethodPOST() && isPath("/cart") && cart.is(.empty),
///   response: .status(201).moving(cart, to: .full))
/// ```
///
/// Matching a request against the state and moving the state are one step. If two concurrent requests want `.empty`,
/// one of them gets the stub, and the other one sees `.full`. A scenario belongs to no registry: create one for each
/// test.
public final class StubScenario<State: Hashable & Sendable>: Sendable, CustomStringConvertible {
  let track: ScenarioTrack
  private let known: Protected<Known>

  /// The states in the order in which they were first used, and the number of each.
  private struct Known {
    var states: [State]
    var numbers: [State: Int]
  }

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - initial: The initial state.
  ///   - name: The name in conditions and reports. Defaults to the name of the state's type: `cart` for a type
  ///     `Cart`, and `scenario` for strings, numbers and Booleans.
  public init(initial: State, name: String? = nil) {
    track = ScenarioTrack(name ?? Self.defaultName, Self.text(of: initial))
    known = Protected(Known(states: [initial], numbers: [initial: 0]))
  }

  /// The current state. You can set it, and later requests and responses see the new state.
  public var state: State {
    get {
      let number = track.state
      return known.withLock { $0.states[number] }
    }
    set { track.state = number(of: newValue) }
  }

  /// Matches every request that arrives while the scenario is in a state. It prints as `cart.is(.empty)`.
  public func `is`(_ state: State) -> RequestMatcher {
    RequestMatcher(ScenarioCriterion(track: track, state: number(of: state), text: Self.text(of: state)))
  }

  /// A description such as `cart is .full`.
  public var description: String { "\(track.name) is \(track.text(of: track.state))" }

  func move(to state: State) -> ScenarioMove { ScenarioMove(track: track, state: number(of: state)) }

  /// Runs the state's own code, which compares states, outside the lock.
  private func number(of state: State) -> Int {
    while true {
      let seen = known.withLock { $0 }
      if let number = seen.numbers[state] { return number }
      var grown = seen
      grown.states.append(state)
      grown.numbers[state] = seen.states.count
      let text = Self.text(of: state)
      let isFirst = known.withLock { known in
        guard known.states.count == seen.states.count else { return false }
        known = grown
        track.add(text)
        return true
      }
      if isFirst { return seen.states.count }
    }
  }

  private static var defaultName: String {
    if State.self is any LosslessStringConvertible.Type { return "scenario" }
    let name = String(describing: State.self)
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  private static func text(of state: State) -> String {
    if let text = state as? String { return text.debugDescription }
    return Mirror(reflecting: state).displayStyle == .enum ? ".\(state)" : "\(state)"
  }
}

/// A condition on a scenario.
final class ScenarioCriterion: Criterion {
  private let track: ScenarioTrack
  private let state: Int
  private let text: String

  init(track: ScenarioTrack, state: Int, text: String) {
    self.track = track
    self.state = state
    self.text = text
  }

  var description: String { "\(track.name).is(\(text))" }
  var subject: String { track.name }
  var expectation: String { text }
  var isState: Bool { true }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.scenarios.state(of: track) == state
  }

  func actual(_ facts: inout RequestFacts) -> String? { track.text(of: facts.scenarios.state(of: track)) }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(Points.state, mismatch(actual: actual(&facts)))
  }
}

extension StubResponse {
  /// Returns the response with a move of a scenario to a state.
  ///
  /// ```swift
  /// .status(201).moving(cart, to: .full)
  /// ```
  ///
  /// The scenario moves when the stub is chosen for a request, not when the response is delivered. A request that is
  /// cancelled later has still moved it. If a closure creates the response, the scenario moves when the closure
  /// returns.
  ///
  /// A 412 moves nothing: if ``validated(etag:lastModified:)`` refuses a request because of its conditions, the
  /// scenario stays as it is (RFC 9110, section 13.2.1).
  ///
  /// ```swift
  /// .empty().validated(etag: "v1").moving(document, to: .edited)
  /// ```
  public func moving<State>(_ scenario: StubScenario<State>, to state: State) -> StubResponse {
    let move = scenario.move(to: state)
    return configured { $0.moves.append(move) }
  }

  /// Moves the scenarios for an answer that was not known before its request.
  func applyMoves(for request: URLRequest) { ScenarioTrack.move(moves(for: request)) }

  /// Returns how the response moves scenarios as the answer to a request. It moves none if the request's own
  /// conditions refuse it.
  func moves(for request: URLRequest) -> [ScenarioMove] {
    guard let options, !options.moves.isEmpty else { return [] }
    guard options.isValidated, Selection(from: self, for: request, length: nil) == .preconditionFailed else {
      return options.moves
    }
    return []
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
      for move in moves[call: call] { move.track.moveUnderLock(to: move.state) }
      return .call(call)
    }
  }
}

extension Responder {
  /// A Boolean value that indicates whether a response that is known in advance moves a scenario.
  var movesScenarios: Bool {
    switch self {
    case .value(let response): response.options?.moves.isEmpty == false
    case .sequence(let responses, _): responses.contains { $0.options?.moves.isEmpty == false }
    case .closure: false
    }
  }

  /// Returns how the answer to a request moves scenarios, by the number of the call, as far as that is known in
  /// advance.
  func moves(for request: @autoclosure () -> URLRequest) -> Moves {
    guard movesScenarios else { return Moves() }
    let request = request()
    switch self {
    case .value(let response): return Moves(ofAnswers: [response.moves(for: request)])
    case .sequence(let responses, let end):
      return Moves(ofAnswers: responses.map { $0.moves(for: request) }, end: end)
    case .closure: return Moves()
    }
  }

  /// How each answer of a stub moves scenarios.
  struct Moves {
    var ofAnswers: [[ScenarioMove]] = []
    var end = SequenceEnd.repeatLast

    subscript(call number: Int) -> [ScenarioMove] {
      ofAnswers.isEmpty ? [] : ofAnswers[end.index(ofCall: number, in: ofAnswers.count)]
    }
  }
}
