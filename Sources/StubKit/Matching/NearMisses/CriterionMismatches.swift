import Foundation

extension Criterion {
  /// What the request lacks; empty if it passes. A body that nobody has read is not read for it.
  func mismatches(_ facts: inout RequestFacts, negated: Bool) -> [MatchReport.Mismatch] {
    if stages.contains(.body) && facts.bodyIsUnread {
      return [.init("body", expected: expectation, actual: nil, unknown: "not read")]
    }
    var captures = Captures()
    guard test(&facts, &captures) == negated else { return [] }
    guard !negated else {
      return [.init(subject, expected: opposite, actual: actual(&facts))]
    }
    return differences(&facts)
  }

  /// What the criterion asks for under a `!`.
  private var opposite: String {
    switch self {
    case .queryName, .header, .cookie, .multipart(_, nil): "none"
    case .lacksQuery, .lacksHeader: "any value"
    default: "anything but \(expectation)"
    }
  }

  private func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch] {
    switch self {
    case .query(let items): return items.differences(from: facts.queryItems, kind: "query item", .some)
    case .exactQuery(let items) where facts.url != nil:
      return items.differences(from: facts.queryItems, kind: "query item", .all)
    case .form(let items): return formDifferences(&facts, items, .all)
    case .formItems(let items): return formDifferences(&facts, items, .counted)
    case .queryName(let name), .queryValue(let name, _):
      return [whole(&facts, names: facts.queryItems.map(\.name), name)]
    case .cookie(let name), .cookieValue(let name, _): return [whole(&facts, names: facts.cookies.map(\.name), name)]
    case .header(let name), .headerValue(let name, _), .headerPattern(let name, _):
      return [whole(&facts, names: facts.headerNames, name)]
    case .basicAuth: return [whole(&facts, names: facts.headerNames, "Authorization")]
    case .multipart(let name, _):
      guard let multipart = facts.multipart else {
        let type = facts.header("Content-Type").map { "its Content-Type is \($0)" }
        return [whole(actual: nil, note: type ?? "the request has no Content-Type")]
      }
      return [whole(&facts, names: multipart.parts.compactMap(\.name), name)]
    case .json(let value): return jsonDifferences(&facts) { JSONDifference.all(value, $0, exactly: true) }
    case .jsonContaining(let value): return jsonDifferences(&facts) { JSONDifference.all(value, $0, exactly: false) }
    case .jsonAt(let path, let value):
      return jsonDifferences(&facts) { json in
        path.value(in: json).map { JSONDifference.all(value, $0, exactly: true, at: path.dotted) } ?? []
      }
    case .body(let wanted): return [bytes(wanted, facts.bodyData)]
    default: break
    }
    return [whole(actual: actual(&facts))]
  }

  private func formDifferences(
    _ facts: inout RequestFacts, _ items: [NamedValue], _ comparison: [NamedValue].Comparison
  ) -> [MatchReport.Mismatch] {
    let fields = facts.formFields
    guard let data = facts.bodyData, !fields.isEmpty else { return [whole(actual: facts.bodyData?.excerpt)] }
    // A body that is no form at all reads as one field without a value.
    if fields.count == 1, fields[0].value == nil, !items.contains(where: { $0.value == nil }) {
      return [whole(actual: data.excerpt)]
    }
    return items.differences(from: fields, kind: "form field", comparison)
  }

  private func whole(actual: String?, note: String? = nil) -> MatchReport.Mismatch {
    .init(subject, expected: expectation, actual: actual, note: note)
  }

  /// An item that is looked for by its name: if there is none of the name, the names that there are.
  private func whole(_ facts: inout RequestFacts, names: [String], _ name: String) -> MatchReport.Mismatch {
    let actual = actual(&facts)
    return whole(actual: actual, note: actual == nil ? Names.note(Names.nearest(to: name, names)) : nil)
  }

  /// - Parameter compare: The differences of a body that is JSON; none if there is nothing at the place.
  private func jsonDifferences(
    _ facts: inout RequestFacts, _ compare: (JSONValue) -> [JSONDifference]
  ) -> [MatchReport.Mismatch] {
    guard let data = facts.bodyData else { return [whole(actual: nil)] }
    guard let json = facts.json else {
      var problem: JSONSyntaxError?
      do { _ = try JSONValue(parsing: data) } catch { problem = error as? JSONSyntaxError }
      let note = problem.map { "no JSON: \($0.problem) (line \($0.line), column \($0.column))" }
      return [.init("body", expected: expectation, actual: data.excerpt, note: note)]
    }
    let differences = compare(json)
    return differences.isEmpty ? [whole(actual: nil)] : differences.map { $0.mismatch(in: "body") }
  }

  /// Text by its text, other bytes by where they differ.
  private func bytes(_ wanted: Data, _ data: Data?) -> MatchReport.Mismatch {
    guard let data, !data.isEmpty else { return whole(actual: nil) }
    let areTexts = [wanted, data].allSatisfy { $0.excerpt.hasPrefix("\"") }
    let alike = zip(wanted, data).prefix { $0 == $1 }.count
    return whole(actual: data.excerpt, note: areTexts ? nil : "they differ from byte \(alike) on")
  }
}

extension [NamedValue] {
  fileprivate enum Comparison {
    /// The items have to be there.
    case some
    /// And no others.
    case all
    /// And as often as they were written.
    case counted

    func isMet(_ wanted: [NamedValue], by there: [NamedValue]) -> Bool {
      switch self {
      case .some: wanted.allSatisfy(there.contains)
      case .all: there.isExactly(wanted)
      case .counted: there.sortedForComparison == wanted.sortedForComparison
      }
    }
  }

  /// Name by name.
  fileprivate func differences(
    from items: [NamedValue], kind: String, _ comparison: Comparison
  ) -> [MatchReport.Mismatch] {
    let strangers = items.map(\.name).filter { name in !contains { $0.name == name } }
    var mismatches: [MatchReport.Mismatch] = []
    for name in map(\.name).eachOnce {
      let (wanted, there) = (filter { $0.name == name }, items.filter { $0.name == name })
      if comparison.isMet(wanted, by: there) { continue }
      mismatches.append(
        .init(
          "\(kind) \(Excerpt.plain(name))", expected: wanted.values(of: name) ?? "none", actual: there.values(of: name),
          note: there.isEmpty ? Names.note(Names.nearest(to: name, strangers)) : nil))
    }
    guard comparison != .some else { return mismatches }
    for name in strangers.eachOnce {
      mismatches.append(.init("\(kind) \(Excerpt.plain(name))", expected: "none", actual: items.values(of: name)))
    }
    return mismatches
  }
}

extension [String] {
  fileprivate var eachOnce: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension RequestFacts {
  /// The names of all headers, in no order.
  fileprivate var headerNames: [String] {
    mutating get {
      var names: [String] = []
      forEachHeader { name, _ in names.append(name) }
      return names
    }
  }

  /// The header as an item, if there is one.
  mutating func values(ofHeader name: String) -> [NamedValue] {
    header(name).map { [NamedValue(name: name, value: $0)] } ?? []
  }
}

extension JSONPath {
  /// With dots and brackets, also what was written as a pointer.
  fileprivate var dotted: String {
    guard text.hasPrefix("/") else { return text }
    return steps.reduce("") { path, step in
      switch step {
      case .key(let key): path.appending(key: key)
      case .index(let index): "\(path)[\(index)]"
      case .token(let token): token.allSatisfy(\.isWholeNumber) ? "\(path)[\(token)]" : path.appending(key: token)
      }
    }
  }
}
