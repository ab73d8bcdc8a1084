import StubKitFormats

/// A matcher that can't match any request as it is written.
final class MistakenCriterion: Criterion {
  let description: String
  let mistake: String
  /// Returns the criterion that this is below the path of a base URL, or `nil` if it stays a mistake there.
  let underBase: (@Sendable (String) -> (any Criterion)?)?

  /// - Parameters:
  ///   - call: The call, as Swift source.
  ///   - mistake: What is wrong with it.
  ///   - underBase: Returns the criterion below the path of a base URL.
  init(
    _ call: String, _ mistake: UsageMistake, underBase: (@Sendable (String) -> (any Criterion)?)? = nil
  ) {
    description = call
    self.mistake = mistake.sentence
    self.underBase = underBase
  }

  var traits: MatcherTraits { MatcherTraits(stages: .head, isMistake: true) }
  var subject: String { "mistake" }
  var expectation: String { description }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool { false }
  func actual(_ facts: inout RequestFacts) -> String? { nil }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(Points.mistake, .init(subject, expected: expectation, actual: nil, unknown: mistake))
  }
}

extension RequestMatcher {
  /// Creates a matcher from a criterion, or one that carries what is wrong with the caller's arguments.
  ///
  /// - Parameters:
  ///   - call: The call of the matcher, as Swift source.
  ///   - criterion: A closure that checks the arguments and returns the criterion.
  package init(
    _ call: @autoclosure () -> String, _ criterion: () throws(UsageMistake) -> any Criterion
  ) {
    do throws(UsageMistake) {
      self.init(try criterion())
    } catch {
      self.init(.criterion(MistakenCriterion(call(), error)))
    }
  }

  /// Creates a matcher that carries a mistake.
  package init(mistake: String, in call: String) {
    self.init(.criterion(MistakenCriterion(call, UsageMistake(mistake))))
  }

  /// Why the condition can't match any request as it is written, or `nil` if nothing is wrong with it.
  ///
  /// ```swift
  /// // isHost("https://a.example") has a scheme: write the host alone, …
  /// isHost("https://a.example").mistake
  /// ```
  ///
  /// A matcher whose arguments make no sense doesn't end the process. It carries its mistake, and so does every
  /// condition that contains it. Such a condition matches nothing, not even under a `!`.
  public var mistake: String? { traits.isMistake ? node.mistake : nil }
}

extension RequestMatcher.Node {
  /// The first mistake in the tree, from left to right.
  fileprivate var mistake: String? {
    switch self {
    case .all(let children, _), .either(let children, _):
      for child in children where child.traits.isMistake { return child.mistake }
      return nil
    case .not(let child): return child.mistake
    case .criterion(let criterion): return (criterion as? MistakenCriterion)?.mistake
    case .closure: return nil
    }
  }
}
