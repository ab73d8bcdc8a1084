import Foundation

/// How it is reported.
extension ValueCriterion {
  var description: String {
    var arguments = part.name.map { [$0.debugDescription] } ?? []
    switch (part, comparison) {
    case (.method, .equals(let text)): arguments.append("\(StubMethod(text.text))")
    case (.port, .equals(let text)), (.credentials, .equals(let text)): arguments.append(text.text)
    case (_, .matches(let pattern)): arguments.append(pattern.source)
    case (_, .contains(let pattern)): arguments.append(pattern.source)
    default: arguments += comparison.text.map { [$0.text.debugDescription] } ?? []
    }
    return "\(function)(\(arguments.listed))"
  }

  /// The name of the function that creates the criterion.
  private var function: String {
    switch comparison {
    case .equals, .includes, .exists: part.row.function
    case .begins: "\(part.row.word)StartsWith"
    case .isUnder: "hasBaseURL"
    case .ends: "\(part.row.word)EndsWith"
    case .matches, .contains: "\(part.row.word)Matches"
    case .isMissing: "!\(part.row.function)"
    }
  }

  var subject: String { part.name.map { "\(part.row.subject) \($0.plain)" } ?? part.row.subject }

  var expectation: String {
    switch comparison {
    case .equals(let text), .includes(let text):
      switch part {
      case .method: text.value.plain
      case .credentials: text.value
      case .queryItem, .header, .cookie, .bearerToken: text.text.debugDescription
      case .scheme, .host, .port, .url, .path, .pathExtension: text.writtenPath.plain
      }
    case .begins(let text): "\(text.text)…".plain
    case .isUnder(let text): "\(text.writtenPath)/…".plain
    case .ends(let text): "…\(text.text)".plain
    case .matches(let pattern): "a match of \(pattern.source)"
    case .contains(let pattern): "a match of \(pattern.source)"
    case .exists: "any value"
    case .isMissing: "none"
    }
  }

  var opposite: String {
    switch comparison {
    case .exists: "none"
    case .isMissing: "any value"
    default: "anything but \(expectation)"
    }
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    switch part {
    case .queryItem(let name), .cookie(let name): return part.items(in: &facts).named(name).valuesText
    case .header(let name): return facts.header(name)?.debugDescription
    case .bearerToken: return facts.bearerToken?.debugDescription ?? facts.header("Authorization")?.debugDescription
    case .credentials: return facts.basicCredentials ?? facts.header("Authorization")?.debugDescription
    case .path where comparison.text?.segments != nil && facts.requestURL.canHaveSlashInSegment,
      .path where comparison.text?.hasSlashInSegment == true:
      return facts.url.map { _ in facts.encodedPath.plain }
    default:
      guard let value = part.value(in: &facts), !value.isEmpty else { return nil }
      return value.plain
    }
  }

  var weight: ClosedRange<Int> { part.row.weight }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(points(&facts), mismatch(&facts))
  }

  private func mismatch(_ facts: inout RequestFacts) -> RequestMatcher.Mismatch {
    let actual = actual(&facts)
    let isToken = part == .bearerToken || part == .credentials
    let name = isToken ? "Authorization" : part.name
    guard let name else { return mismatch(actual: actual, note: noteOnQuestionMark(&facts)) }
    if case .bearerToken = part, facts.bearerToken == nil, facts.header(name) != nil {
      return mismatch(expected: "Bearer \(comparison.text?.text ?? "…")".debugDescription, actual: actual)
    }
    if actual != nil { return mismatch(actual: actual, note: noteOnValue(of: name, &facts)) }
    // That there are other fields is no hint for whom a token is missing.
    let names = isToken ? nil : Names(part.items(in: &facts).names).note(nearestTo: name)
    guard case .header = part, HTTPMessageHead.fieldsAddedLater(to: facts.request)[name.lowercased()] != nil else {
      return mismatch(actual: nil, note: names)
    }
    if let cure = Self.curesOfAddedFields[name.lowercased()] {
      return mismatch(actual: nil, note: "URLSession adds it after matching: \(cure)")
    }
    let note = [names, "URLSession adds its own after matching"].compactMap { $0 }.joined(separator: "; ")
    return mismatch(actual: nil, note: note)
  }

  /// A hint for a type that URLSession adds, or for a value that is there with parameters, as in
  /// `application/json; charset=utf-8`.
  private func noteOnValue(of name: String, _ facts: inout RequestFacts) -> String? {
    if name.isHeaderName("Content-Type"), facts.isTypeAdded { return "URLSession adds it" }
    guard case (.header, .includes(let text)) = (part, comparison), let value = facts.header(name) else { return nil }
    let types = value.headerMembers(of: name).map { $0.cut(at: ";")?.before.withoutOuterSpace ?? "" }
    guard let place = types.firstIndex(where: { $0.isSame(as: text.value) }) else { return nil }
    let type = text.value.asLiteralPattern
    let pattern = (place == 0 && value.starts(withBytesOf: text.value) ? "^" : "[, \t]") + type
    return "it has parameters: write headerMatches(\(name.debugDescription), \(pattern.debugDescription))"
  }

  /// A hint for a pattern such as `/users?page=[0-9]+` that would match if its `?` stood for itself.
  private func noteOnQuestionMark(_ facts: inout RequestFacts) -> String? {
    guard case (.url, .matches(let pattern)) = (part, comparison), let url = part.value(in: &facts) else { return nil }
    let source = pattern.expression.pattern.replacing(#/([\w\/])\?(?=[\w.-]+=)/#) { "\($0.1)[?]" }
    let literal = try? NSRegularExpression(pattern: source, options: pattern.expression.options)
    let isMatch = literal?.firstMatch(in: url, range: NSRange(url.startIndex..., in: url)) != nil
    return isMatch ? "a literal ? is written [?]" : nil
  }

  /// Returns the points for a text that differs from the wanted one, or the most for anything else.
  private func points(_ facts: inout RequestFacts) -> Int {
    guard let text = comparison.text else { return actual(&facts) == nil ? pointsOfMissing : weight.upperBound }
    if let name = part.name {
      return NamedValue(name: name, value: text.value).distance(from: part.items(in: &facts))
    }
    guard let value = part.value(in: &facts) else { return pointsOfMissing }
    let compared =
      switch comparison {
      case .begins, .isUnder: value.prefix(text.value.count)
      case .ends: value.suffix(text.value.count)
      default: value[...]
      }
    return Points.scaled(weight, TextDifference.share(text.value, compared))
  }

  private var pointsOfMissing: Int { max(weight.upperBound, Points.missingItem) }
}
