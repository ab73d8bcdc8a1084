import Foundation
import StubKitFormats

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URL on the first line, text for conditions on the second.
struct URLFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    let text = input.text
    _ = (text.percentDecoded, text[...].formDecoded, NamedValue.query(text), NamedValue.form(text))
    _ = (HTTPPath.pathExtension(of: text), HostName.canonical(text))
  }

  func check(_ input: Data) {
    let lines = input.lines(2)
    let (text, other) = (lines[0].text, lines[1].text)
    checkDecoding(text)
    checkDecoding(other)
    guard let url = URL(string: text) else { return }
    let request = URLRequest(url: url)
    var facts = RequestFacts(request)
    let (path, encodedPath) = (facts.path, facts.encodedPath)
    demand(
      path == HTTPPath.canonical(SlowText.percentDecoded(encodedPath) ?? encodedPath), "path \(path) of \(encodedPath)")
    let query = url.absoluteString.query
    demand(Array(facts.queryItems) == SlowText.query(query ?? ""), "the items of \(query ?? "no query")")
    checkConditions(request, &facts, other)
  }

  private func checkDecoding(_ text: String) {
    demand(text.percentDecoded.isIdentical(to: SlowText.percentDecoded(text) ?? text), "the escapes of \(text)")
    demand(text.canonical == text, "the canonical form of \(text)")
    demand(!text[...].formDecoded.contains("%20"), "the form's escapes of \(text)")
    // Any other text is a mistake of the matcher.
    guard Mistake.of(.host, text) == nil else { return }
    let host = HostName.canonical(text)
    demand(HostName.canonical(host) == host, "the host \(text), which is \(host)")
  }

  /// The index finds a stub exactly where its condition matches.
  private func checkConditions(_ request: URLRequest, _ facts: inout RequestFacts, _ other: String) {
    let path = facts.path
    var conditions: [(condition: RequestMatcher, mustMatch: Bool)] = []
    if !path.has("?"), !path.has("#") {
      conditions.append((isPath(path), true))
      let scalars = path.unicodeScalars
      let cut = scalars.index(scalars.startIndex, offsetBy: other.utf8.count % (scalars.count + 1))
      conditions += [(pathStartsWith(String(path[..<cut])), false), (pathEndsWith(String(path[cut...])), false)]
      conditions.append((pathStartsWith(path) && pathEndsWith(path), true))
    }
    if let host = facts.host, !host.has("/"), !host.has("?"), !host.has("@"), !host.has(":") {
      conditions += [(isHost(host), true), (hostEndsWith(host), true)]
    }
    if let item = facts.queryItems.last {
      conditions.append((item.value.map { containsQuery(item.name, $0) } ?? containsQuery(item.name), true))
      conditions.append((containsQuery([item.name: item.value]), true))
    }
    if !other.has("?"), !other.has("#") {
      conditions += [(isPath(other), false), (pathStartsWith(other), false), (pathEndsWith(other), false)]
      if SlowText.isTemplate(other) { conditions.append((isPath(template: other), false)) }
    }
    for (condition, mustMatch) in conditions where condition.mistake == nil {
      let registry = StubRegistry()
      let stub = stub(condition: condition, response: .empty(), in: registry)
      let matches = condition.matches(request)
      demand(matches || !mustMatch, "\(condition) does not match \(request)")
      demand((registry.stub(matching: request) === stub) == matches, "the index and \(condition) differ on \(request)")
      if !matches { _ = registry.explain(request).description }
    }
  }
}

extension String {
  /// What stands between the first ? and the # after it.
  fileprivate var query: String? {
    let head = self[...].cut(at: "#")?.before ?? self[...]
    return head.cut(at: "?").map { String($0.after) }
  }
}
