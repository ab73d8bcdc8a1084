import StubKitFormats

/// An item that is found by its name: in the query, in the header, or among the cookies.
final class ItemCriterion: Criterion {
  enum Source { case query, header, cookie }

  enum Demand: Sendable {
    case any
    case value(String)
    case pattern(Pattern)
    case none
  }

  let source: Source
  let name: String
  let demand: Demand

  init(_ source: Source, _ name: String, _ demand: Demand) {
    (self.source, self.name, self.demand) = (source, name, demand)
  }

  var description: String {
    switch (source, demand) {
    case (.query, .any): call("containsQuery", name)
    case (.query, .value(let value)): call("containsQuery", name, value)
    case (.query, .pattern(let pattern)): "queryMatches(\(name.debugDescription), \(pattern.source))"
    case (.query, .none): call("lacksQuery", name)
    case (.header, .any): call("hasHeaderNamed", name)
    case (.header, .pattern(let pattern)): "headerMatches(\(name.debugDescription), \(pattern.source))"
    case (.header, .none): call("lacksHeader", name)
    case (.header, .value(let value)), (.cookie, .value(let value)):
      "\(source == .header ? "hasHeaderNamed" : "hasCookie")(\(name.debugDescription), value: \(value.debugDescription))"
    case (.cookie, _): call("hasCookie", name)
    }
  }

  var subject: String {
    switch source {
    case .query: "query item \(Excerpt.plain(name))"
    case .header: "header \(Excerpt.plain(name))"
    case .cookie: "cookie \(Excerpt.plain(name))"
    }
  }

  var expectation: String {
    switch demand {
    case .any: "any value"
    case .value(let value): value.debugDescription
    case .pattern(let pattern): "a match of \(pattern.source)"
    case .none: "none"
    }
  }

  var opposite: String {
    switch demand {
    case .any: "none"
    case .none: "any value"
    case .value, .pattern: "anything but \(expectation)"
    }
  }

  var stages: Stages { if case .pattern(let pattern) = demand { pattern.stages } else { .head } }
  var isSlow: Bool { if case .pattern = demand { true } else { false } }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    if source == .header {
      let value = facts.header(name)
      return switch demand {
      case .any: value != nil
      case .value(let wanted): value == wanted
      case .pattern(let pattern): value.map { pattern.test($0, &captures) } ?? false
      case .none: value == nil
      }
    }
    let items = source == .query ? facts.queryItems : facts.cookies
    return switch demand {
    case .any: items.contains(name: name)
    case .value(let value): items.contains(NamedValue(name: name, value: value))
    case .pattern(let pattern):
      items.named(name).contains { $0.value.map { pattern.test($0, &captures) } ?? false }
    case .none: !items.contains(name: name)
    }
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    switch source {
    case .query: facts.queryItems.values(of: name)
    case .header: facts.header(name)?.debugDescription
    case .cookie: facts.cookies.values(of: name)
    }
  }

  func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch] {
    if case .none = demand { return [whole(actual: actual(&facts))] }
    return switch source {
    case .query: [whole(&facts, names: facts.queryItems.names, name)]
    case .header: [whole(&facts, names: facts.headerNames, name)]
    case .cookie: [whole(&facts, names: facts.cookies.names, name)]
    }
  }

  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    let items: NamedItems
    switch source {
    case .query: items = facts.queryItems
    case .header: items = facts.header(name).map { [NamedValue(name: name, value: $0)] } ?? []
    case .cookie: items = facts.cookies
    }
    return switch demand {
    case .any, .none: Points.missingItem
    case .value(let value): NamedValue(name: name, value: value).distance(from: items)
    case .pattern: items.contains(name: name) ? Points.item.most : Points.missingItem
    }
  }

  func forEachEquality(_ body: (Equality) -> Void) {
    // The index keeps the names of headers in lower case.
    let name = source == .header ? name.lowercased() : name
    switch (source, demand) {
    case (_, .none): break
    case (.query, .value(let value)):
      body(Equality(.queryItem, NamedValue(name: name, value: value)))
    case (.header, .value(let value)):
      body(Equality(.headerItem, NamedValue(name: name, value: value)))
    case (.cookie, .value(let value)):
      body(Equality(.cookieItem, NamedValue(name: name, value: value)))
    case (.query, _): body(Equality(.queryName, name))
    case (.header, _): body(Equality(.headerName, name))
    case (.cookie, _): body(Equality(.cookieName, name))
    }
  }

  func addPlain(to parts: inout PlainConditionParts) -> Bool {
    switch (source, demand) {
    case (.query, .any): parts.add(parts.queryName(name).map { .queryName($0) })
    case (.query, .none): parts.add(parts.queryName(name).map { .noQueryName($0) })
    case (.query, .value(let value)): parts.add([NamedValue(name: name, value: value)]) != nil
    default: false
    }
  }
}

extension NamedValue {
  /// Returns 0 if the item is in the list, and less for one with its name than for none. Among very many items with
  /// its name, the first ones count.
  package func distance(from items: NamedItems) -> Int {
    if items.contains(self) { return 0 }
    let shares = items.named(name).prefix(64).map { TextDifference(value ?? "", $0.value ?? "").share }
    return shares.min().map { Points.scaled(Points.item, $0) } ?? Points.missingItem
  }
}

extension NamedItems {
  /// Returns the values of all items with a name: `"1"`, or `"1" and no value`. Returns `nil` if there is none.
  func values(of name: String) -> String? { named(name).valuesText }
}

extension [NamedValue] {
  var valuesText: String? {
    isEmpty ? nil : map { $0.value?.debugDescription ?? "no value" }.joined(separator: " and ")
  }
}
