import Foundation
import StubKit

// What the requests of a test reveal when it is over: a look back at the journal, which runs no closure.

extension StubRegistry {
  /// What a client sent and no condition, closure or verification asked about, for each stub.
  ///
  /// - Parameters:
  ///   - isNote: Whether it stands beside the failure of a test. There are at most three then, of the last hundred
  ///     requests, and a JSON body that is declared as nothing is one of them. It is never an issue, because real
  ///     clients send such bodies.
  ///   - strictness: Whether all others are issues, and what is allowed.
  ///   - readings: The query items that the test has read, by the stubs.
  func unaskedParts(
    isNote: Bool, _ strictness: Strictness, read readings: [UInt64: Set<NamedValue>]
  ) -> [UnaskedParts] {
    let entries = journal.entries.suffix(isNote ? 100 : .max)
    let stubs = Dictionary(uniqueKeysWithValues: judgedStubs.map { ($0.id, $0) })
    let secureHosts = Set(entries.lazy.map { RequestFacts($0.request) }.filter { $0.scheme == "https" }.map(\.host))
    // Those that the test asks about anywhere, be it for their absence.
    let conditions = stubs.values.map(\.condition) + journal.verified.withLock(\.values)
    let items = conditions.reduce(into: Set<AskedPart>()) { $0.formUnion($1.askedParts.filter(\.isQueryItem)) }
    // A client that follows a redirect sends what the test has written.
    let targets = Set(entries.map(\.redirectTarget).filter { $0 != nil })
    // What a strict test has is an issue, and what any other has is a note. An undeclared body is never an issue.
    let isWanted = isNote != strictness.isStrict
    var (found, positions): ([UnaskedParts], [UInt64: Int]) = ([], [:])
    for entry in entries {
      guard entry.outcome != .passedThrough, let stub = entry.stub.flatMap({ stubs[$0.id] }),
        !targets.contains(entry.url)
      else { continue }
      var facts = RequestFacts(entry.request)
      let readItems = Set((readings[stub.id] ?? []).map { AskedPart.item($0) })
      var asked = askedParts(of: &facts, answeredBy: stub).union(items).union(readItems)
      if asked.contains(.anything) { continue }
      let allowed = strictness.items.map { AskedPart.queryItem($0) }
      asked.formUnion(allowed)
      // How often it is there counts as asked, too.
      asked.formUnion((Array(readItems) + allowed).compactMap(\.counted))
      let position = positions[stub.id] ?? found.count
      if position == found.count {
        let hasQuery = stub.condition.askedParts.contains { $0.isQueryItem || $0 == .query }
        let hasURL = "\(stub.condition)".contains("isURL(")
        found.append(UnaskedParts(stub: "\(stub)", location: stub.location, hasQuery: hasQuery, hasURL: hasURL))
        positions[stub.id] = position
      }
      found[position].requestCount += 1
      let answer = entry.request.shortSummary
      for item in facts.unaskedItems(asked) where isWanted {
        found[position].request = found[position].request ?? answer
        found[position].merge(
          UnaskedParts(stub: "", location: stub.location, hasQuery: false, items: [item]))
      }
      let parts = facts.unaskedParts(asked, allowing: strictness, isBesideHTTPS: secureHosts.contains(facts.host))
      for (part, sentence) in parts {
        let isShown = part == undeclared ? isNote : isWanted
        guard isShown, !found[position].others.contains(where: { $0.key == part }) else { continue }
        found[position].others.append((part, "\(answer), and \(sentence)"))
      }
    }
    let all = found.filter { !$0.others.isEmpty || !$0.items.isEmpty }
    return isNote ? Array(all.prefix(3)) : all
  }
}

extension AskedPart {
  /// That an item is asked about includes how often it is there.
  fileprivate var counted: AskedPart? { if case .item(let item) = self { .count(item) } else { nil } }
}

extension StubRegistry {
  /// Returns the parts of a request that the condition and the response closure of its stub ask about, or a
  /// verification that the request can meet. This runs no closure.
  fileprivate func askedParts(of facts: inout RequestFacts, answeredBy stub: Stub) -> Set<AskedPart> {
    let isOpaque = stub.responder.isClosure || annotations[stub.id] != nil
    var parts = isOpaque ? [.anything] : stub.condition.askedParts
    for condition in journal.verified.withLock(\.values) where !parts.contains(.anything) {
      if condition.canBe(true, &facts, readsBody: false) { parts.formUnion(condition.askedParts) }
    }
    return parts
  }
}

/// The part of a JSON body without a Content-Type.
private let undeclared = "undeclared JSON"

extension RequestFacts {
  /// What is in the request and nothing asks about: each part, and what to do about it.
  ///
  /// - Parameters:
  ///   - strictness: What may be there all the same.
  ///   - isBesideHTTPS: Whether another request asks the same host over https.
  fileprivate mutating func unaskedParts(
    _ asked: Set<AskedPart>, allowing strictness: Strictness, isBesideHTTPS: Bool
  ) -> [(String, String)] {
    let allowed = strictness.fields
    var parts: [(String, String)] = []
    func add(_ part: String, _ sentence: String) { parts.append((part, sentence)) }
    // One stub answers GET and HEAD.
    if method != "GET", method != "HEAD", !asked.contains(.method) {
      let matcher = RequestMatcher.isMethod(ofRequest: method)
      add("method", "no condition names its method \(method). Write \(matcher) in the condition of the stub.")
    }
    if strictness.isStrict { addItems(asked, allowing: strictness) { add($0, $1) } }
    if scheme == "http", !asked.contains(.scheme), let url, !URLRequest(url: url).isLoopback,
      let reason = isBesideHTTPS ? "another request asks this host over https" : secret(allowing: allowed)
    {
      let cure = "Send it over https, or write isScheme(\"http\") in the condition."
      add("scheme", "it goes over http, although \(reason). \(cure)")
    }
    if url?.user != nil, !asked.contains(.authorization), !allowed.contains("authorization"),
      !parts.contains(where: { $0.0 == "scheme" })
    {
      let cure = "Send the field Authorization in its place, or write hasBasicAuth(user:password:) in the condition."
      add("user", "its URL has user information. \(cure)")
    }
    let paths = asked.compactMap { if case .path(let path) = $0, path != "/" { path } else { nil } }
    let path = url?.absoluteURL.path(percentEncoded: true) ?? ""
    let hasSlash = path.hasSuffix("/")
    if path.count > 1, let other = paths.first, paths.allSatisfy({ $0.hasSuffix("/") != hasSlash }) {
      let cure = "The condition ignores it, and servers don't. Write both in the same way."
      add("path", "it has \(hasSlash ? "a" : "no") trailing slash, unlike \(other) in the condition. \(cure)")
    }
    let type = header("Content-Type")?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
    let form = "application/x-www-form-urlencoded"
    // The journal doesn't say whether the client or URLSession has set it.
    let isDefault = method == "POST" && type == form
    func add(_ type: String, for kind: String, _ right: String) {
      let cure = "Send \(right), or write hasHeader(\"Content-Type\", \(type.debugDescription)) in the condition."
      let note = isDefault ? ", as of a POST that has no Content-Type" : ""
      add("body", "the condition reads its body as \(kind), but its Content-Type is \(type)\(note). \(cure)")
    }
    if allowed.contains("content-type") { return parts }
    if let type, type.contains(",") {
      let cure = "Set the field once: setValue replaces a value, and addValue adds one."
      add("types", "its Content-Type has several values: \(type). \(cure)")
    }
    switch (type, asked.contains(.contentType) ? nil : json) {
    case (let type?, _?) where asked.contains(.json) && !type.hasSuffix("/json") && !type.hasSuffix("+json"):
      add(type, for: "JSON", "application/json")
    case (_, let json?) where isDefault && json.isContainer:
      let call = "hasHeader(\"Content-Type\", \(form.debugDescription))"
      let cure = "Send application/json, or write \(call) in the condition."
      add(
        "form type",
        "its JSON body is sent as \(form), which URLSession adds to a POST without a Content-Type. \(cure)")
    case (nil, let json?) where json.isContainer:
      add(undeclared, "its JSON body has no Content-Type. Send application/json, which many servers need.")
    case (let type?, _) where asked.isDisjoint(with: [.json, .contentType]) && asked.contains(.form) && type != form:
      add(type, for: "a form", form)
    default: break
    }
    return parts
  }

  /// Why a request shouldn't go over http, or `nil`.
  private mutating func secret(allowing allowed: Set<String>) -> String? {
    for field in ["Authorization", "Cookie"] where header(field) != nil && !allowed.contains(field.lowercased()) {
      return "it has the header \(field)"
    }
    let members = if case .object(let members)? = json { members.map(\.key) } else { formFields.map(\.name) }
    let hasPassword = (queryItems.map(\.name) + members).contains { $0.lowercased().hasSuffix("password") }
    return url?.password != nil || hasPassword ? "it has a password" : nil
  }

  /// The items that nothing asks about, each with its values in this request.
  fileprivate mutating func unaskedItems(_ asked: Set<AskedPart>) -> [UnaskedItem] {
    if asked.contains(.query) { return [] }
    var items: [UnaskedItem] = []
    for (item, text) in itemsWithTexts where !asked.contains(.queryItem(item.name)) {
      let isShown = shown(item.value ?? "", of: item.name) == item.value ?? ""
      let value = (shown: shownValue(item.value, of: item.name), text: isShown ? text : nil)
      if let index = items.firstIndex(where: { $0.name.isSame(as: item.name) }) {
        items[index].add(value)
        // Two of a name can't stand for one text in a URL.
        items[index].requestCount = 0
      } else {
        items.append(UnaskedItem(name: item.name, values: [value], requestCount: 1))
      }
    }
    return items
  }

  /// What servers read otherwise than the test: items that no condition counts, and a + for a space.
  private mutating func addItems(
    _ asked: Set<AskedPart>, allowing strictness: Strictness, _ add: (String, String) -> Void
  ) {
    let items = itemsWithTexts
    for name in items.map(\.0).names where !asked.contains(.count(nil)) {
      let there = items.filter { $0.0.name.isSame(as: name) }
      guard there.count > 1, asked.contains(.query) || asked.contains(.queryItem(name)),
        !asked.contains(.count(NamedValue(name: name)))
      else { continue }
      // Those whose values the condition wants, each once, are counted by their values.
      let isWanted = there.allSatisfy { asked.contains(.wanted($0.0)) } && Set(there.map(\.0)).count == there.count
      if isWanted { continue }
      let values = there.prefix(5).map { shownValue($0.0.value, of: name) }.joined(separator: ", ")
      let isShown = there.allSatisfy { shown($0.0.value ?? "", of: name) == $0.0.value ?? "" }
      let text = there.map(\.1).joined(separator: "&")
      let url = isShown && text.count <= 200 ? "Write \(text) in the URL of the stub" : "Write hasExactQuery"
      add(
        "count of \(name)",
        "no condition counts its query item \(name.middle(100).plain), which it has \(there.count) times (\(values)). "
          + "\(url), or send the item once.")
    }
    for (item, text) in items where text.contains("+") && !strictness.items.contains(item.name) {
      add(
        "plus in \(item.name)",
        "its query has a + that isn't escaped: \(shown(text, of: item.name).middle(100).plain). Servers read a space. Send %2B for a plus sign, "
          + "and %20 for a space. URLComponents and URLQueryItem escape no plus sign.")
    }
  }

  /// The items of the query, with their texts in the URL.
  private var itemsWithTexts: [(NamedValue, String)] {
    (url?.query(percentEncoded: true) ?? "").split(separator: "&").compactMap { text in
      NamedValue.query(String(text)).first.map { ($0, String(text)) }
    }
  }
}

extension RecordedRequest {
  /// Where the response sends the client, or `nil`.
  fileprivate var redirectTarget: URL? {
    guard let response, (300...399).contains(response.status) else { return nil }
    return response.headerFields["Location"].flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
  }
}

/// A value of a query item, as a report may show it.
private func shownValue(_ value: String?, of name: String) -> String {
  value.map { shown($0, of: name).middle(40).plain } ?? "no value"
}

/// Text without what recordings of the test replace.
private func shown(_ text: String, of name: String) -> String {
  StubRegistry.current.shown(text, of: "query item \(name)")
}
