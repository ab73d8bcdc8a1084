/// A condition on a scenario.
final class ScenarioDemand: Criterion {
  let track: ScenarioTrack
  let state: Int
  let text: String

  init(track: ScenarioTrack, state: Int, text: String) {
    self.track = track
    self.state = state
    self.text = text
  }

  var description: String { "\(track.name).is(\(text))" }
  var subject: String { track.name }
  var expectation: String { text }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.scenarios.state(of: track) == state
  }

  func actual(_ facts: inout RequestFacts) -> String? { track.text(of: facts.scenarios.state(of: track)) }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(Points.scenario, mismatch(actual: actual(&facts)))
  }
}
