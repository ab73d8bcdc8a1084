import StubKit

/// Tells entries apart whose requests differ only in their secrets.
///
/// A replayed client sends the placeholders that recorded responses gave to it. They name one of the entries. Other
/// clients send secrets of their own, which name none, so that the entries answer in turn.
final class RecordedSecretsCriterion: Criterion {
  enum Wanted { case own, none, ownOrNone }

  private let own: RequestImage
  private let all: Set<RequestImage>
  private let comparison: ReplayComparison
  private let wanted: Wanted

  /// - Parameters:
  ///   - own: The image of the entry's request with its placeholders.
  ///   - all: The images of all entries that differ only in their placeholders.
  init(_ wanted: Wanted, own: RequestImage, among all: Set<RequestImage>, _ comparison: ReplayComparison) {
    (self.own, self.all, self.comparison, self.wanted) = (own, all, comparison, wanted)
  }

  var description: String { "the recorded placeholders" }
  var subject: String { "placeholders" }
  var expectation: String { "those of the entry, or other values" }
  var stages: Stages { comparison.matching.comparesBodies == .never ? .head : .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    let image = RequestImage(literally: &facts, comparison)
    return switch wanted {
    case .own: image == own
    case .none: !all.contains(image)
    case .ownOrNone: image == own || !all.contains(image)
    }
  }

  func actual(_ facts: inout RequestFacts) -> String? { "those of another entry" }
}

extension RequestImage {
  /// Creates an image with the placeholders of a request.
  init(literally facts: inout RequestFacts, _ comparison: ReplayComparison) {
    self.init(headOf: &facts, comparison, literally: true)
    if comparison.matching.comparesBodies != .never {
      body = RecordedBody(&facts, comparison.ignored, literally: true)
    }
  }
}
