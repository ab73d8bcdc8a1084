/// A condition on a scenario.
struct ScenarioDemand: Criterion {
  let track: ScenarioTrack
  let state: Int
  let text: String

  var description: String { "\(track.name).is(\(text))" }
  var subject: String { track.name }
  var expectation: String { text }
  var isOfState: Bool { true }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.scenarios.state(of: track) == state
  }

  func actual(_ facts: inout RequestFacts) -> String? { track.text(of: facts.scenarios.state(of: track)) }
  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int { Points.scenario }
}
