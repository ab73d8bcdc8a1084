import Foundation

/// Matches URLs whose query contains all of these items, in any order and possibly among others.
///
/// ```swift
/// // Matches ?flag&filter=&page=2&more=1.
/// containsQuery(["page": "2", "flag": nil, "filter": ""])
/// ```
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. If a URL repeats a name,
/// one of its items must match. Names and values are percent-decoded, and a `+` is a plus sign (RFC 3986).
///
/// - Parameter items: The decoded items. Write `"a b"` for `a%20b`. The test fails if one is percent-encoded: a value
///   that contains a percent escape literally is ``queryMatches(_:_:options:)``, as in `queryMatches("q", "^a%20b$")`.
public func containsQuery(_ items: [String: String?]) -> RequestMatcher { .items(.query, items, .some) }

/// Matches URLs whose query contains an item with a name, whatever its value, with or without `=`.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/search",
///   where: !containsQuery("q"),
///   response: .status(400))
/// ```
///
/// - Parameter name: The decoded name. The test fails if it contains a value, as in `"page=2"`: write
///   `containsQuery("page", "2")`.
public func containsQuery(_ name: String) -> RequestMatcher {
  RequestMatcher(.queryItem(name), .exists, unless: name.fault(.itemName) ?? name.fault(.impossibleItemName))
}

/// Matches URLs whose query contains an item with a name and a value, such as `containsQuery("page", "2")`.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/users",
///   where: containsQuery("page", 2),
///   response: .json([["id": 42]]))
/// ```
///
/// The name and the value are decoded, as in ``containsQuery(_:)-([String:String?])``. The value is a text, a number or
/// another value that has one text.
public func containsQuery(_ name: String, _ value: some LosslessStringConvertible) -> RequestMatcher {
  let value = "\(value)"
  return RequestMatcher(
    .queryItem(name), .equals(MatchText(value)),
    unless: name.fault(.itemName) ?? name.fault(.impossibleItemName) ?? value.fault(.item))
}

/// Matches URLs whose query contains an item whose value contains a match of a regular expression.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/events",
///   where: queryMatches("since", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
///   response: .json([]))
/// ```
///
/// The value is percent-decoded. If a URL repeats the name, one of its items must match. An item without `=` doesn't
/// match. Named groups capture.
///
/// - Parameters:
///   - name: The decoded name of the item.
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. The test fails if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func queryMatches(
  _ name: String, _ pattern: String, options: NSRegularExpression.Options = []
) -> RequestMatcher {
  .matching(
    .queryItem(name), pattern, options, in: "queryMatches",
    unless: name.fault(.itemName) ?? name.fault(.impossibleItemName))
}

/// Matches URLs whose query has these items and no others, in any order. `hasExactQuery([:])` matches URLs without a
/// query.
///
/// ```swift
/// stub(
///   condition: hasExactQuery(["page": "2", "sort": "name"]),
///   response: .json([["id": 42]]))
/// ```
///
/// `nil` stands for a name without `=`, and `""` for a name with `=` and nothing after it. If a URL repeats a name,
/// all of its items must match.
///
/// - Parameter items: The decoded items, as in ``containsQuery(_:)-([String:String?])``.
public func hasExactQuery(_ items: [String: String?]) -> RequestMatcher { .items(.query, items, .all) }

extension RequestMatcher {
  static func items(
    _ source: ItemsCriterion.Source, _ items: [String: String?], _ comparison: ItemsCriterion.Comparison
  ) -> RequestMatcher {
    let items = NamedValue.sorted(items)
    let mistakes = items.lazy.compactMap { item in
      item.name.fault(.impossibleItemName) ?? item.name.fault(.item) ?? (item.value ?? "").fault(.item)
    }
    return RequestMatcher(ItemsCriterion(source, items, comparison), unless: mistakes.first)
  }
}

/// The items of the query or of a form.
package final class ItemsCriterion: Criterion {
  package enum Source: Sendable { case query, form }

  package enum Comparison: Sendable {
    /// The items must exist.
    case some
    /// The items must exist, each at least as often as it was written.
    case repeated
    /// And there are no others.
    case all
    /// And each exists as often as it was written, in any order.
    case counted

    /// A Boolean value that indicates whether there are no others.
    var isComplete: Bool { self == .all || self == .counted }
  }

  let source: Source
  let items: NamedItems
  let comparison: Comparison

  package init(_ source: Source, _ items: NamedItems, _ comparison: Comparison) {
    self.source = source
    self.items = items
    self.comparison = comparison
  }

  package var description: String {
    switch (source, comparison) {
    case (.query, .some): "containsQuery(\(items.swiftLiteral))"
    // No dictionary has a key twice.
    case (.query, .repeated):
      items.names.map { name in
        "containsQuery(\(NamedItems(items.named(name).prefix(1)).swiftLiteral)), \(items.named(name).count) times"
      }.listed
    case (.form, .some), (.form, .repeated): "hasFormBody(containing: \(items.swiftLiteral))"
    case (.query, _): "hasExactQuery(\(items.swiftLiteral))"
    case (.form, .counted):
      "hasFormBody("
        + items.map { "URLQueryItem(name: \($0.name.debugDescription), value: \($0.value?.debugDescription ?? "nil"))" }
        .listed + ")"
    case (.form, _): "hasFormBody(\(items.swiftLiteral))"
    }
  }

  package var subject: String { source.subject }

  package var expectation: String {
    if !comparison.isComplete { return items.swiftLiteral }
    return items.isEmpty ? "no items" : "exactly \(items.swiftLiteral)"
  }

  package var stages: Stages { source.stages }

  package func test(_ facts: inout RequestFacts) -> Bool {
    switch source {
    case .query: (!comparison.isComplete || facts.url != nil) && comparison.isMet(items, facts.queryItems)
    case .form: facts.form.map { comparison.isMet(items, $0) } ?? false
    }
  }

  package func actual(_ facts: inout RequestFacts) -> String? { source.actual(&facts) }

  package func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareItems(&facts, &result, source, items, isComplete: comparison.isComplete, isMet: comparison.isMet)
  }

  package func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    for item in items { body(source == .query ? .queryItem(item) : .formItem(item)) }
  }

  package func compile(into builder: inout CompiledCondition.Builder) -> Bool {
    source == .query && comparison == .some && builder.add(items)
  }
}

extension ItemsCriterion.Comparison {
  fileprivate func isMet(_ wanted: NamedItems, _ there: NamedItems) -> Bool {
    switch self {
    case .some: there.containsAll(wanted)
    case .repeated: there.containsEach(of: wanted)
    case .all: there.isExactly(wanted)
    case .counted: there.isCounted(wanted)
    }
  }
}

extension ItemsCriterion.Source {
  package var subject: String { self == .query ? "query" : "form" }
  package var stages: Stages { self == .query ? .head : .body }

  package func items(_ facts: inout RequestFacts) -> NamedItems { self == .query ? facts.queryItems : facts.formFields }

  package func actual(_ facts: inout RequestFacts) -> String? {
    let items = items(&facts)
    return items.isEmpty ? nil : items.swiftLiteral
  }
}

extension Criterion {
  /// Compares item by item.
  ///
  /// - Parameters:
  ///   - isComplete: Whether there must be no other items.
  ///   - ignored: The names of items that don't count.
  ///   - isMet: Returns whether the wanted items of a name are met by those of the request.
  package func compareItems(
    _ facts: inout RequestFacts, _ result: inout ScoredMismatches, _ source: ItemsCriterion.Source,
    _ wanted: NamedItems, isComplete: Bool, ignoring ignored: Set<String> = [],
    isMet: (NamedItems, NamedItems) -> Bool
  ) {
    let items = source.items(&facts).without(ignored)
    switch source {
    case .query:
      if isComplete, facts.url == nil { return result.add(Points.items, mismatch(actual: nil)) }
    case .form:
      // A body that is not a form reads as one field without a value.
      let other =
        facts.codingNote ?? (facts.multipart == nil ? nil : "the body is multipart: write hasMultipartPart")
      let isForm = items.count > 1 || items.first?.value != nil || wanted.contains { $0.value == nil }
      guard !items.isEmpty, isForm, other == nil else {
        let note = other ?? (items.isEmpty || facts.json == nil ? nil : "the body is JSON")
        return result.add(Points.otherBody, mismatch(actual: facts.bodyData?.excerpt, note: note))
      }
    }
    let kind = source == .query ? "query item" : "form field"
    var parts = ScoredMismatches(isDetailed: result.isDetailed)
    // More points than the most don't count.
    var isOver: Bool { !parts.isDetailed && parts.distance >= Points.items }
    let wantedByName = Dictionary(grouping: wanted, by: \.nameAlone)
    let itemsByName = Dictionary(grouping: items, by: \.nameAlone)
    func isStranger(_ name: String) -> Bool { wantedByName[NamedValue(name: name)] == nil }
    let strangers = isComplete || parts.isDetailed ? items.names.filter(isStranger) : []
    let known = parts.isDetailed ? Names(strangers) : Names([])
    for name in wanted.names + (isComplete ? strangers : []) where !isOver {
      let key = NamedValue(name: name)
      let mine = wantedByName[key] ?? []
      let there = itemsByName[key] ?? []
      if isMet(mine, there) { continue }
      // With very many missing names, the notes about similar ones would take too long.
      let isNoted = there.isEmpty && parts.mismatches.count < 100
      let surplus = mine.isEmpty ? there.count * Points.missingItem : 0
      parts.add(
        mine.reduce(surplus) { $0 + $1.distance(from: there) },
        .init(
          "\(kind) \(name.plain)", expected: mine.valuesText ?? "none", actual: there.valuesText,
          note: isNoted ? note(on: mine, known, isAbsenceMeant: source == .query && !isComplete) : nil))
    }
    let least = source == .query ? Points.item.lowerBound : Points.body.lowerBound
    result.add(min(max(parts.distance, least), Points.items), all: parts.mismatches)
  }

  /// A note about items that aren't there.
  private func note(on wanted: [NamedValue], _ known: Names, isAbsenceMeant: Bool) -> String? {
    let names = wanted.first.flatMap { known.note(nearestTo: $0.name) }
    guard isAbsenceMeant, !wanted.isEmpty, wanted.allSatisfy({ $0.value == nil }) else { return names }
    let meaning: String? = "nil means an item without =; for its absence, write !containsQuery"
    return [meaning, names].compactMap { $0 }.joined(separator: "; ")
  }
}

extension NamedValue {
  /// Returns 0 if the item is in the list, and less for one with its name than for none. Among very many items with
  /// its name, the first ones count.
  func distance(from items: NamedItems) -> Int {
    if items.contains(self) { return 0 }
    let values = items.lazy.filter { $0.name.isSame(as: name) }.prefix(64).map { $0.value ?? "" }
    let shares = values.map { TextDifference.share(value ?? "", $0) }
    return shares.min().map { Points.scaled(Points.item, $0) } ?? Points.missingItem
  }
}

extension NamedItems {
  /// The values: `"1"`, or `"1" and no value`. `nil` if there is none.
  var valuesText: String? {
    isEmpty ? nil : map { $0.value?.debugDescription ?? "no value" }.joined(separator: " and ")
  }

  /// The items as a dictionary literal: `["a": "1", "b": nil]`.
  package var swiftLiteral: String {
    if isEmpty { return "[:]" }
    return "[\(map { "\($0.name.debugDescription): \($0.value?.debugDescription ?? "nil")" }.listed)]"
  }
}

/// Matches URLs whose query has an item whose value contains a match of a Swift regular expression, as
/// ``queryMatches(_:_:options:)`` does.
///
/// ```swift
/// queryMatches("since", /^\d{4}-\d{2}$/)
/// ```
public func queryMatches(_ name: String, _ regex: Regex<some Any>) -> RequestMatcher {
  RequestMatcher(
    .queryItem(name), .contains(RegexPattern(regex)),
    unless: name.fault(.itemName) ?? name.fault(.impossibleItemName))
}
