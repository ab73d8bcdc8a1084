import Foundation

/// Matches URLs whose query has all these items, in any order, among others or not.
///
/// ```swift
/// containsQuery(["page": "2", "flag": nil, "filter": ""])  // ?flag&filter=&page=2&more=1
/// ```
///
/// `nil` is a name without =, `""` a name with = and nothing after it. Of a name that is repeated in the URL one item
/// has to fit. Names and values are percent-decoded; a + is a plus (RFC 3986).
public func containsQuery(_ items: [String: String?]) -> RequestMatcher {
  RequestMatcher(.query(NamedValue.sorted(items)))
}

/// Matches URLs whose query has an item with this name, whatever its value, with or without =.
public func containsQuery(_ name: String) -> RequestMatcher {
  RequestMatcher(.queryName(name))
}

/// Matches URLs whose query has an item with this name and this value: `containsQuery("page", "2")`.
public func containsQuery(_ name: String, _ value: String) -> RequestMatcher {
  RequestMatcher(.queryValue(name: name, value: value))
}

/// Matches URLs whose query has an item with this name, in whose value the pattern is found.
///
/// ```swift
/// stub(condition: isPath("/events") && queryMatches("since", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), response: .json([]))
/// ```
///
/// The value is percent-decoded. If the name is repeated in the URL, one item has to fit; an item without = does not.
/// Named groups are captured.
///
/// - Parameters:
///   - name: The item's decoded name.
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. An invalid one traps with its message.
///   - options: Such as `.caseInsensitive`. Defaults to none.
public func queryMatches(
  _ name: String, _ pattern: String, options: NSRegularExpression.Options = []
) -> RequestMatcher {
  RequestMatcher(.queryPattern(name: name, Pattern(pattern, options: options, in: "queryMatches")))
}

/// Matches URLs whose query has these items and no others, in any order; `hasExactQuery([:])` matches those without
/// one.
///
/// `nil` is a name without =, `""` a name with = and nothing after it. Of a name that is repeated in the URL every item
/// has to fit.
public func hasExactQuery(_ items: [String: String?]) -> RequestMatcher {
  RequestMatcher(.exactQuery(NamedValue.sorted(items)))
}

/// Matches URLs whose query has no item with this name.
public func lacksQuery(_ name: String) -> RequestMatcher {
  RequestMatcher(.lacksQuery(name))
}
