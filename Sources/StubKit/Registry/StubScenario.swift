import Foundation

/// A state that several stubs share. Which stubs answer depends on it, and answers move it.
///
/// ```swift
/// enum Cart { case empty, full }
/// let cart = StubScenario(initial: Cart.empty)
///
/// stub(
///   .get, "https://api.example.com/cart",
///   where: cart.is(.empty),
///   response: .json([]))
/// stub(
///   .get, "https://api.example.com/cart",
///   where: cart.is(.full),
///   response: .json(["book"]))
/// stub(
///   .post, "https://api.example.com/cart",
///   where: cart.is(.empty),
///   response: .status(201).moving(cart, to: .full))
/// ```
///
/// Matching a request against the state and moving the state are one step. If two concurrent requests want `.empty`,
/// one of them gets the stub, and the other one sees `.full`. A scenario belongs to no registry: create one for each
/// test.
public final class StubScenario<State: Hashable & Sendable>: Sendable, CustomStringConvertible {
  private let scenario: Scenario

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - initial: The initial state.
  ///   - name: The name in conditions and reports. Defaults to the name of the state's type: `cart` for a type
  ///     `Cart`, and `scenario` for strings, numbers and Booleans.
  public init(initial: State, name: String? = nil) { scenario = Scenario(name ?? Self.defaultName, initial) }

  /// The current state. You can set it, and later requests and responses see the new state.
  ///
  /// Reading it waits until the stub of each request of ``StubRegistry/current`` that was resumed is known, for a
  /// second at most, because choosing the stub moves the scenario. In the closures of stubs, it doesn't wait.
  public var state: State {
    get {
      StubRegistry.current.inFlight.settle(for: .ofStubs)
      return scenario.reading.state as! State
    }
    set { Scenario.move { [move(to: newValue)] } }
  }

  /// Matches every request that arrives while the scenario is in a state. It prints as `cart.is(.empty)`.
  public func `is`(_ state: State) -> RequestMatcher { RequestMatcher(ScenarioCriterion(scenario, state)) }

  /// A description such as `cart is .full`.
  public var description: String { "\(scenario.name) is \(Scenario.text(of: scenario.reading.state))" }

  fileprivate func move(to state: State) -> ScenarioMove { ScenarioMove(scenario: scenario, state: state) }

  private static var defaultName: String {
    if State.self is any LosslessStringConvertible.Type { return "scenario" }
    let name = String(describing: State.self)
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// A condition on a scenario.
private final class ScenarioCriterion: Criterion {
  private let scenario: Scenario
  private let state: ScenarioState

  init(_ scenario: Scenario, _ state: ScenarioState) {
    self.scenario = scenario
    self.state = state
  }

  var description: String { "\(scenario.name).is(\(Scenario.text(of: state)))" }
  var subject: String { scenario.name }
  var expectation: String { Scenario.text(of: state) }
  var stages: Stages { .state }
  var weight: ClosedRange<Int> { Points.state...Points.state }

  func test(_ facts: inout RequestFacts) -> Bool {
    AnyHashable(state) == AnyHashable(facts.scenarios.state(of: scenario))
  }

  func actual(_ facts: inout RequestFacts) -> String? { Scenario.text(of: facts.scenarios.state(of: scenario)) }
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
  /// A 412 moves nothing: if ``conditional(etag:lastModified:)`` refuses a request because of its conditions, the
  /// scenario stays as it is (RFC 9110, section 13.2.1).
  ///
  /// ```swift
  /// .status(204).conditional(etag: "v1").moving(document, to: .edited)
  /// ```
  public func moving<State>(_ scenario: StubScenario<State>, to state: State) -> StubResponse {
    let move = scenario.move(to: state)
    return configured(isOfNetwork: true) { $0.moves.append(move) }
  }

  /// Moves the scenarios for an answer that was not known before its request.
  func applyMoves(for request: URLRequest) {
    let moves = moves(for: request)
    if !moves.isEmpty { Scenario.move { moves } }
  }

  /// Returns how the response moves scenarios as the answer to a request. It moves none if the request's own
  /// conditions refuse it.
  func moves(for request: URLRequest) -> [ScenarioMove] {
    guard let options, !options.moves.isEmpty else { return [] }
    guard options.isConditional, Selection(from: self, for: request, length: nil) == .preconditionFailed else {
      return options.moves
    }
    return []
  }
}

/// The result of claiming a use of a stub.
enum StubClaim {
  case use(StubUse)
  /// Another request took the last use.
  case usedUp
  /// A scenario has moved since the search looked at it, so the search could find another stub now.
  case stale
}

extension Stub {
  /// Takes a use, and makes the moves of its answer, if all scenarios are still in the states that the search has seen.
  func claim(for incoming: IncomingRequest, seen readings: [ScenarioReading]) -> StubClaim {
    if readings.isEmpty && !movesScenarios { return if let use = claim() { .use(use) } else { .usedUp } }
    // This is outside the lock, because a request belongs to the user.
    let moves = movesScenarios ? responder.map { $0.moves(for: incoming.asSent) } : []
    var claim = StubClaim.stale
    Scenario.move(ifUnchanged: readings) {
      guard let use = self.claim() else {
        claim = .usedUp
        return []
      }
      claim = .use(use)
      return moves.isEmpty ? [] : moves[responder.index(ofCall: use.callNumber)]
    }
    return claim
  }
}
