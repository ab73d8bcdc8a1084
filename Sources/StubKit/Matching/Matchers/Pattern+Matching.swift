import Foundation
import StubKitFormats

extension Pattern {
  /// Returns whether the text contains a match.
  func test(_ text: String, _ captures: inout Captures) -> Bool {
    firstMatch(in: text, &captures) != nil
  }

  /// Returns the first match, and captures its named groups.
  func firstMatch(in text: String, _ captures: inout Captures) -> NSTextCheckingResult? {
    let whole = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
    for name in names {
      if let range = Range(match.range(withName: name), in: text) { captures.add(name, String(text[range])) }
    }
    return match
  }
}

/// A regular expression for the URL or for the path.
package final class PatternCriterion: Criterion {
  package enum Part: Sendable { case url, path }

  let part: Part
  let pattern: Pattern

  package init(_ part: Part, _ pattern: Pattern) { (self.part, self.pattern) = (part, pattern) }

  package var description: String { "\(part == .url ? "urlMatches" : "pathMatches")(\(pattern.source))" }
  package var subject: String { part == .url ? "URL" : "path" }
  package var expectation: String { "a match of \(pattern.source)" }
  package var stages: Stages { pattern.stages }
  package var isSlow: Bool { true }
  package var place: CriterionPlace? { part == .url ? .host : .path }

  package func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.url != nil && pattern.test(part == .url ? facts.absoluteString : facts.path, &captures)
  }

  package func actual(_ facts: inout RequestFacts) -> String? {
    facts.url.map { _ in Excerpt.plain(part == .url ? facts.absoluteString : facts.path) }
  }

  package func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int { Points.pathOfOtherForm }
}

extension Pattern {
  var stages: Stages { names.isEmpty ? .head : [.head, .captures] }
}
