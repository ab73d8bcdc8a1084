import StubKit
import StubKitArchive

/// The turn of an entry among the entries of the same request.
///
/// Each entry is a stub of its own, so that a report can name the unused ones. An entry answers once. Then the next one
/// answers, which is an older stub. Only entries that start over need to know whose turn it is.
struct ReplayTurn {
  /// The number of requests that the entry answers, or `nil` for any number.
  var times: Int?
  private var round: (scenario: StubScenario<Int>, turn: Int, next: Int)?
  /// Where the turn moves to, for entries that are told apart by their secrets.
  private var move: (scenario: StubScenario<Int>, next: Int)?

  init(times: Int? = nil) { self.times = times }

  /// Returns the turns of a number of entries.
  ///
  /// - Parameter secrets: What distinguishes the entries, or `nil` if nothing does. The last entry of each secret repeats.
  static func turns(of count: Int, _ end: SequenceEnd, _ secrets: RecordedSecrets?) -> [ReplayTurn] {
    if let secrets {
      return (0..<count).map { number in
        var turn = ReplayTurn(times: secrets.isLast(number) ? nil : 1)
        turn.move = (secrets.scenario, number + 2)
        return turn
      }
    }
    if end == .startOver, count > 1 {
      let scenario = StubScenario(initial: 1, name: "turn")
      return (1...count).map { turn in
        var entry = ReplayTurn()
        entry.round = (scenario, turn, turn % count + 1)
        return entry
      }
    }
    let last = ReplayTurn(times: end == .stopMatching ? 1 : nil)
    return Array(repeating: ReplayTurn(times: 1), count: max(0, count - 1)) + [last]
  }

  func condition(_ condition: RequestMatcher) -> RequestMatcher {
    round.map { condition && $0.scenario.is($0.turn) } ?? condition
  }

  func response(_ response: StubResponse) -> StubResponse {
    if let move { return response.moving(move.scenario, to: move.next) }
    return round.map { response.moving($0.scenario, to: $0.next) } ?? response
  }
}
