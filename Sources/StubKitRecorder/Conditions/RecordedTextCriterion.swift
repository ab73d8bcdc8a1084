import Foundation
import StubKit

/// A recorded body with redacted parts that has no structure.
final class RecordedTextCriterion: Criterion {
  let text: RecordedText

  init(text: RecordedText) { self.text = text }

  var description: String { "hasBody(\(text.data.swiftSource))" }
  var subject: String { "body" }
  var expectation: String { text.data.excerpt }
  var traits: MatcherTraits { .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    text.isMet(by: facts.bodyData ?? Data())
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.bodyData?.excerpt }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(
      facts.bodyData == nil ? Points.otherBody : Points.body.upperBound, mismatch(actual: actual(&facts)))
  }
}
