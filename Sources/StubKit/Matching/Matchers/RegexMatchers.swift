import Foundation
import StubKitFormats

/// Matches URLs whose path contains a match of a Swift regular expression. To match the whole path, use `^` and `$`.
///
/// ```swift
/// stub(condition: pathMatches(#/^/users/(?<id>\d+)$/#)) { _, match in
///   try .json(["id": match("id", as: Int.self)])
/// }
/// ```
///
/// Named groups capture. A transformation of RegexBuilder can run on any thread, several times at once. Everything else
/// is as for ``pathMatches(_:options:)``.
public func pathMatches(_ regex: Regex<some Any>) -> RequestMatcher { .matching(.path, regex) }

/// Matches requests whose absolute URL contains a match of a Swift regular expression, as ``urlMatches(_:options:)`` does.
///
/// ```swift
/// urlMatches(#/^https://(?<bucket>[a-z0-9-]+)\.s3\./#)
/// ```
public func urlMatches(_ regex: Regex<some Any>) -> RequestMatcher { .matching(.url, regex) }

/// Matches URLs whose query has an item whose value contains a match of a Swift regular expression, as
/// ``queryMatches(_:_:options:)`` does.
///
/// ```swift
/// queryMatches("since", /^\d{4}-\d{2}$/)
/// ```
public func queryMatches(_ name: String, _ regex: Regex<some Any>) -> RequestMatcher {
  .matching(.queryItem(name), regex, unless: Mistake.of(.itemName, name))
}

/// Matches requests with a header field whose value contains a match of a Swift regular expression, as
/// ``headerMatches(_:_:options:)`` does.
///
/// ```swift
/// headerMatches("Authorization", /^Bearer /)
/// ```
public func headerMatches(_ name: String, _ regex: Regex<some Any>) -> RequestMatcher {
  .matching(.header(name), regex, unless: Mistake.of(.headerName, name))
}

extension RequestMatcher {
  fileprivate static func matching(
    _ part: ValueCriterion.Part, _ regex: Regex<some Any>, unless mistake: Mistake? = nil
  ) -> RequestMatcher {
    RequestMatcher(part, .contains(RegexPattern(regex)), unless: mistake)
  }

  static func matching(
    _ part: ValueCriterion.Part, _ pattern: String, _ options: NSRegularExpression.Options, in function: StaticString,
    unless mistake: Mistake? = nil
  ) -> RequestMatcher {
    let arguments = [part.name, pattern].compactMap { $0?.debugDescription }.joined(separator: ", ")
    return RequestMatcher("\(function)(\(arguments))", unless: mistake) { () throws(UsageMistake) in
      ValueCriterion(part, .matches(try Pattern(parsing: pattern, options: options, in: function)))
    }
  }
}

/// A Swift regular expression, whose named groups become captures.
package final class RegexPattern: Sendable {
  // Safe because a regex publishes its compiled program atomically, and nothing else in it changes. A transformation in it
  // can run on any thread, several times at once, like the closure of a condition.
  nonisolated(unsafe) private let regex: Regex<AnyRegexOutput>
  /// The expression in Swift source, or `#/…/#` for one that was built.
  package let source: String

  init(_ regex: Regex<some Any>) {
    self.regex = Regex<AnyRegexOutput>(regex)
    source = "#/\(regex._literalPattern ?? "…")/#"
  }

  /// Returns whether a text contains a match, and captures its named groups. An error of a transformation is no match.
  func hasMatch(in text: String, _ captures: inout Captures) -> Bool {
    guard let match = try? regex.firstMatch(in: text) else { return false }
    for group in match.output {
      if let name = group.name, let text = group.substring { captures.add(name, String(text)) }
    }
    return true
  }
}
