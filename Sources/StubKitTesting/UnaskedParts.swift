import Foundation
import StubKit

// What the requests of a test reveal when it is over: a look back at the journal, which runs no closure.

extension StubRegistry {
  /// What a client sent and no condition, closure or verification asked about, once for each stub and part.
  ///
  /// - Parameters:
  ///   - isNote: Whether it stands beside the failure of a test. There are at most three then, of the last hundred
  ///     requests, and a JSON body that is declared as nothing is one of them. It is never an issue, because real
  ///     clients send such bodies.
  ///   - isStrict: Whether all others are issues.
  func unaskedParts(isNote: Bool, besideStrict isStrict: Bool = false) -> [Finding] {
    let entries = journal.entries.suffix(isNote ? 100 : .max)
    let stubs = Dictionary(uniqueKeysWithValues: judgedStubs.map { ($0.id, $0) })
    let secureHosts = Set(entries.lazy.map { RequestFacts($0.request) }.filter { $0.scheme == "https" }.map(\.host))
    // Those that the test asks about anywhere, be it for their absence.
    let conditions = stubs.values.map(\.condition) + journal.verified.withLock(\.values)
    let items = conditions.reduce(into: Set<AskedPart>()) { $0.formUnion($1.askedParts.filter(\.isQueryItem)) }
    // A client that follows a redirect sends what the test has written.
    let targets = Set(entries.map(\.redirectTarget).filter { $0 != nil })
    var (found, known): ([Finding], Set<NamedValue>) = ([], [])
    for entry in entries {
      guard entry.outcome != .passedThrough, let stub = entry.stub.flatMap({ stubs[$0.id] }),
        !targets.contains(entry.url)
      else { continue }
      var facts = RequestFacts(entry.request)
      let asked = askedParts(of: &facts, answeredBy: stub).union(items)
      if asked.contains(.anything) { continue }
      for (part, sentence) in facts.unaskedParts(asked, isBesideHTTPS: secureHosts.contains(facts.host)) {
        let key = NamedValue(name: "\(stub.id)", value: part)
        guard part == undeclared ? isNote : !isStrict, known.insert(key).inserted else { continue }
        if isNote, found.count == 3 { return found }
        let answer = "The stub \(stub) answered \(entry.request.shortSummary), and \(sentence)"
        found.append(Finding(answer, at: stub.location, isNote: isNote))
      }
    }
    return found
  }
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
  /// - Parameter isBesideHTTPS: Whether another request asks the same host over https.
  fileprivate mutating func unaskedParts(_ asked: Set<AskedPart>, isBesideHTTPS: Bool) -> [(String, String)] {
    var parts: [(String, String)] = []
    func add(_ part: String, _ sentence: String) { parts.append((part, sentence)) }
    // One stub answers GET and HEAD.
    if method != "GET", method != "HEAD", !asked.contains(.method) {
      let matcher = RequestMatcher.isMethod(ofRequest: method)
      add("method", "no condition names its method \(method). Write \(matcher) in the condition of the stub.")
    }
    for name in queryItems.map(\.name) where !asked.contains(.query) && !asked.contains(.queryItem(name)) {
      // A name with an = or an escape is a mistake there.
      let call =
        containsQuery(name).mistake == nil && name.count <= 100 ? "containsQuery(\(name.debugDescription))" : nil
      let asks = call.map { "Write \($0) in the condition of the stub or in a verification" } ?? "Test it in a closure"
      add(
        "query item \(name)",
        "no condition names its query item \(name.middle(100).plain). \(asks), or take the item out of the request.")
    }
    if scheme == "http", !asked.contains(.scheme), let url, !URLRequest(url: url).isLoopback,
      let reason = isBesideHTTPS ? "another request asks this host over https" : secret
    {
      let cure = "Send it over https, or write isScheme(\"http\") in the condition."
      add("scheme", "it goes over http, although \(reason). \(cure)")
    }
    if url?.user != nil, !asked.contains(.authorization), !parts.contains(where: { $0.0 == "scheme" }) {
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
  private var secret: String? {
    mutating get {
      for field in ["Authorization", "Cookie"] where header(field) != nil { return "it has the header \(field)" }
      let members = if case .object(let members)? = json { members.map(\.key) } else { formFields.map(\.name) }
      let hasPassword = (queryItems.map(\.name) + members).contains { $0.lowercased().hasSuffix("password") }
      return url?.password != nil || hasPassword ? "it has a password" : nil
    }
  }
}

extension RecordedRequest {
  /// Where the response sends the client, or `nil`.
  fileprivate var redirectTarget: URL? {
    guard let response, (300...399).contains(response.status) else { return nil }
    return response.headers["Location"].flatMap { URL(string: $0, relativeTo: url)?.absoluteURL }
  }
}
