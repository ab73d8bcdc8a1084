import Foundation

@testable import StubKit

/// A URL on the first line, another text on the second.
struct URLFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    let text = input.text
    _ = (text.percentDecoded, text[...].formDecoded, NamedValue.query(text), NamedValue.form(text))
    _ = (text.extensionOfPath, text.canonicalHost)
  }

  func check(_ input: Data) {
    let lines = input.lines(2)
    let (text, other) = (lines[0].text, lines[1].text)
    checkDecoding(text)
    checkDecoding(other)
    // Whatever they make of it.
    _ = (try? TemplateCriterion(text, isEncoded: true), try? JSONPath(parsing: other), Date(httpDate: text))
    guard let url = URL(string: text) else { return }
    var facts = RequestFacts(URLRequest(url: url))
    let (path, encodedPath) = (facts.path, facts.encodedPath)
    demand(
      path.isIdentical(to: SlowText.decodedPath(encodedPath).canonicalPath),
      "path \(path) of \(encodedPath)")
    let query = url.absoluteString.query
    demand(Array(facts.queryItems) == SlowText.query(query ?? ""), "the items of \(query ?? "no query")")
    checkConditions(&facts, URLRequest(url: url))
  }

  private func checkDecoding(_ text: String) {
    demand(text.percentDecoded.isIdentical(to: SlowText.percentDecoded(text) ?? text), "the escapes of \(text)")
    demand(!text[...].formDecoded.contains("%20"), "the form's escapes of \(text)")
    // No other text is a host.
    guard text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || "0123456789.-:".unicodeScalars.contains($0) })
    else { return }
    let host = text.canonicalHost
    demand(host.canonicalHost == host, "the host \(text), which is \(host)")
  }

  /// What a request has, it matches.
  private func checkConditions(_ facts: inout RequestFacts, _ request: URLRequest) {
    let path = facts.path
    var conditions = facts.queryItems.suffix(1).map { containsQuery([$0.name: $0.value]) }
    if !path.has("?"), !path.has("#") { conditions += [isPath(path), pathStartsWith(path), pathEndsWith(path)] }
    if let host = facts.host, !host.has("/"), !host.has("?"), !host.has("@"), !host.has(":") {
      conditions += [isHost(host), hostEndsWith(host)]
    }
    for condition in conditions where condition.mistake == nil {
      demand(condition.matches(request), "\(condition) does not match \(request)")
    }
    // A path in another composition is another one.
    for other in [path.precomposedStringWithCanonicalMapping, path.decomposedStringWithCanonicalMapping] {
      let condition = isPath(other)
      // To match by a mistake is an issue of the test.
      guard condition.mistake == nil else { continue }
      demand(condition.matches(request) == other.isIdentical(to: path), "\(condition)")
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
