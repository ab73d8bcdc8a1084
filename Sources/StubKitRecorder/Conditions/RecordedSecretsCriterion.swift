import StubKit

/// Tells requests with secrets of their own from those with the placeholders of an entry.
///
/// A replayed client sends the placeholders that recorded responses gave to it. They name one of the entries. Other
/// clients send secrets of their own, which name none, so that the entries answer in turn.
final class OwnSecretsCriterion: Criterion {
  /// The images of all entries that differ only in their placeholders.
  private let recorded: Set<RequestImage>
  private let comparison: ReplayComparison

  init(_ recorded: Set<RequestImage>, _ comparison: ReplayComparison) {
    (self.recorded, self.comparison) = (recorded, comparison)
  }

  var description: String { "no recorded placeholders" }
  var subject: String { "placeholders" }
  var expectation: String { "those of the entry, or other values" }
  var stages: Stages { comparison.matching.comparesBodies == .never ? .head : .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    !recorded.contains(RequestImage(&facts, comparison))
  }

  func actual(_ facts: inout RequestFacts) -> String? { "those of another entry" }
}
