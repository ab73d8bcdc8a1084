import Foundation
import StubKitFormats

/// Matches URLs whose query contains all of these items, in any order and possibly among others.
///
/// ```swift
/// // Matches ?flag&filter=&page=2&more=1.
/// containsQuery(["page": "2", "flag": nil, "filter": ""])
/// ```
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. If a URL repeats a name,
/// one of its items must match. Names and values are percent-decoded, and a `+` is a plus sign (RFC 3986).
public func containsQuery(_ items: [String: String?]) -> RequestMatcher {
  RequestMatcher(ItemsCriterion(.query, NamedValue.sorted(items), .some))
}

/// Matches URLs whose query contains an item with a name, whatever its value, with or without `=`.
public func containsQuery(_ name: String) -> RequestMatcher {
  RequestMatcher(ValueCriterion("containsQuery", .queryItem(name), .exists))
}

/// Matches URLs whose query contains an item with a name and a value, such as `containsQuery("page", "2")`.
public func containsQuery(_ name: String, _ value: String) -> RequestMatcher {
  RequestMatcher(ValueCriterion("containsQuery", .queryItem(name), .equals(MatchText(value))))
}

/// Matches URLs whose query contains an item whose value contains a match of a regular expression.
///
/// ```swift
/// stub(
///   condition: isPath("/events")
///     && queryMatches("since", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
///   response: .json([]))
/// ```
///
/// The value is percent-decoded. If a URL repeats the name, one of its items must match. An item without `=` doesn't
/// match. Named groups capture.
///
/// - Parameters:
///   - name: The decoded name of the item.
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. A mistake if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func queryMatches(
  _ name: String, _ pattern: String, options: NSRegularExpression.Options = []
) -> RequestMatcher {
  RequestMatcher("queryMatches(\(name.debugDescription), \(pattern.debugDescription))") { () throws(UsageMistake) in
    let pattern = try Pattern(parsing: pattern, options: options, in: "queryMatches")
    return ValueCriterion("queryMatches", .queryItem(name), .matches(pattern))
  }
}

/// Matches URLs whose query has these items and no others, in any order. `hasExactQuery([:])` matches URLs without a
/// query.
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. If a URL repeats a name,
/// all of its items must match.
public func hasExactQuery(_ items: [String: String?]) -> RequestMatcher {
  RequestMatcher(ItemsCriterion(.query, NamedValue.sorted(items), .all))
}

/// Matches URLs whose query contains no item with a name.
public func lacksQuery(_ name: String) -> RequestMatcher {
  RequestMatcher(ValueCriterion("lacksQuery", .queryItem(name), .isMissing))
}
