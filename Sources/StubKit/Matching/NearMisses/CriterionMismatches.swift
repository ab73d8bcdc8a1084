import Foundation
import StubKitFormats

extension Criterion {
  /// Returns what the request lacks. Empty if it passes. This doesn't read a body that nobody has read.
  func mismatches(_ facts: inout RequestFacts, negated: Bool) -> [MatchReport.Mismatch] {
    if stages.contains(.body) && facts.bodyIsUnread {
      return [.init("body", expected: expectation, actual: nil, unknown: "not read")]
    }
    var captures = Captures()
    guard test(&facts, &captures) == negated else { return [] }
    if case .scenario = self {
      let expected = negated ? "anything but \(expectation)" : expectation
      return [.init(subject, expected: expected, actual: actual(&facts), isState: true)]
    }
    guard !negated else {
      return [.init(subject, expected: opposite, actual: actual(&facts))]
    }
    return differences(&facts)
  }

  /// What the criterion requires under a `!`.
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
    case .queryItems(let items) where facts.url != nil:
      return items.differences(from: facts.queryItems, kind: "query item", .counted)
    case .recordedQuery(let recorded) where facts.url != nil:
      return recorded.items.differences(from: facts.queryItems, kind: "query item", .recorded)
    case .pathTemplate(let template):
      return [whole(actual: actual(&facts), note: template.problem(with: facts.encodedPath))]
    case .url(let url), .under(let url): return url.mismatches(&facts)
    case .form(let items): return formDifferences(&facts, items, .all)
    case .formItems(let items): return formDifferences(&facts, items, .counted)
    case .recordedForm(let recorded): return formDifferences(&facts, recorded.items, .recorded)
    case .queryName(let name), .queryValue(let name, _), .queryPattern(let name, _):
      return [whole(&facts, names: facts.queryItems.names, name)]
    case .cookie(let name), .cookieValue(let name, _): return [whole(&facts, names: facts.cookies.names, name)]
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
    case .recordedJSON(let path, let value):
      return jsonDifferences(&facts) { json in
        path.value(in: json).map { JSONDifference.all(value, $0, exactly: true, at: path.dotted, isRecorded: true) }
          ?? []
      }
    case .body(let wanted): return [bytes(wanted, facts.bodyData)]
    default: break
    }
    return [whole(actual: actual(&facts))]
  }

  private func formDifferences(
    _ facts: inout RequestFacts, _ items: NamedItems, _ comparison: NamedItems.Comparison
  ) -> [MatchReport.Mismatch] {
    let fields = facts.formFields
    guard let data = facts.bodyData, !fields.isEmpty else { return [whole(actual: facts.bodyData?.excerpt)] }
    // A body that is not a form reads as one field without a value.
    if fields.count == 1, fields[0].value == nil, !items.contains(where: { $0.value == nil }) {
      return [whole(actual: data.excerpt)]
    }
    return items.differences(from: fields, kind: "form field", comparison)
  }

  private func whole(actual: String?, note: String? = nil) -> MatchReport.Mismatch {
    .init(subject, expected: expectation, actual: actual, note: note)
  }

  /// Returns the mismatch of an item that is found by its name. If there is none with the name, it lists the existing
  /// names.
  private func whole(_ facts: inout RequestFacts, names: [String], _ name: String) -> MatchReport.Mismatch {
    let actual = actual(&facts)
    return whole(actual: actual, note: actual == nil ? Names.note(Names(names).nearest(to: name)) : nil)
  }

  /// - Parameter compare: A closure that returns the differences of a JSON body, or none if there is nothing at the
  ///   place.
  private func jsonDifferences(
    _ facts: inout RequestFacts, _ compare: (JSONValue) -> [JSONDifference]
  ) -> [MatchReport.Mismatch] {
    guard let data = facts.bodyData else { return [whole(actual: nil)] }
    guard let json = facts.json else {
      var problem: JSONSyntaxError?
      do { _ = try JSONValue(parsing: data) } catch { problem = error as? JSONSyntaxError }
      let note = problem.map { "not JSON: \($0.problem) (line \($0.line), column \($0.column))" }
      return [.init("body", expected: expectation, actual: data.excerpt, note: note)]
    }
    let differences = compare(json)
    return differences.isEmpty ? [whole(actual: nil)] : differences.map { $0.mismatch(in: "body") }
  }

  /// Compares text as text, and other bytes by the position where they differ.
  private func bytes(_ wanted: Data, _ data: Data?) -> MatchReport.Mismatch {
    guard let data, !data.isEmpty else { return whole(actual: nil) }
    let areTexts = [wanted, data].allSatisfy { $0.excerpt.hasPrefix("\"") }
    let alike = zip(wanted, data).prefix { $0 == $1 }.count
    return whole(actual: data.excerpt, note: areTexts ? nil : "they differ from byte \(alike) on")
  }
}

extension NamedItems {
  fileprivate enum Comparison {
    /// The items must exist.
    case some
    /// And there are no others.
    case all
    /// And each exists as often as it was written.
    case counted
    /// The same, except that redacted values match any value.
    case recorded

    func isMet(_ wanted: [NamedValue], by there: [NamedValue]) -> Bool {
      let (wanted, there) = (NamedItems(wanted), NamedItems(there))
      return switch self {
      case .some: wanted.allSatisfy(there.contains)
      case .all: there.isExactly(wanted)
      case .counted: there.isCounted(wanted)
      case .recorded: RecordedItems(wanted).isMet(by: there)
      }
    }
  }

  /// Compares item by item.
  fileprivate func differences(
    from items: NamedItems, kind: String, _ comparison: Comparison
  ) -> [MatchReport.Mismatch] {
    let strangers = items.names.filter { !contains(name: $0) }
    let known = Names(strangers)
    var mismatches: [MatchReport.Mismatch] = []
    for name in names {
      let (wanted, there) = (named(name), items.named(name))
      if comparison.isMet(wanted, by: there) { continue }
      // With very many missing names, nobody reads the notes about similar ones.
      let isNoted = there.isEmpty && mismatches.count < 100
      mismatches.append(
        .init(
          "\(kind) \(Excerpt.plain(name))", expected: wanted.valuesText ?? "none", actual: there.valuesText,
          note: isNoted ? Names.note(known.nearest(to: name)) : nil))
    }
    guard comparison != .some else { return mismatches }
    for name in strangers {
      mismatches.append(.init("\(kind) \(Excerpt.plain(name))", expected: "none", actual: items.values(of: name)))
    }
    return mismatches
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

  /// Returns the header as an item, if it exists.
  mutating func values(ofHeader name: String) -> NamedItems {
    header(name).map { [NamedValue(name: name, value: $0)] } ?? []
  }
}

extension JSONPath {
  /// The path with dots and brackets, even if it was written as a pointer.
  fileprivate var dotted: String {
    guard text.starts(withBytesOf: "/") else { return text }
    return steps.reduce("") { path, step in
      switch step {
      case .key(let key): path.appending(key: key)
      case .index(let index): "\(path)[\(index)]"
      case .token(let token):
        !token.isEmpty && token.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "\(path)[\(token)]" : path.appending(key: token)
      }
    }
  }
}
