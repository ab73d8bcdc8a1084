import Foundation

// Reports show each value as it is, because the value that differs is what a reader looks for. Only a recorder takes out
// what it mustn't show.

extension MatchReport.Mismatch: CustomStringConvertible {
  /// One line of about 94 characters. Longer text is shortened where this hides no difference.
  public var description: String {
    let criterion = Excerpt.oneLine(Excerpt.middle(criterion, 40))
    if let unknown { return "\(criterion): \(unknown)" }
    let note = note.map { "; \(Excerpt.oneLine(Excerpt.middle($0, 80)))" } ?? ""
    let rest = max(30, 94 - criterion.count - note.count - ": expected , got ".count)
    let shown = actual.map { isState ? $0 : StubRegistry.current.shown($0, of: self.criterion) } ?? "none"
    let (expected, actual) = Excerpt.pair(Excerpt.oneLine(expected), Excerpt.oneLine(shown), rest)
    if isState { return "\(criterion) is \(actual), expected \(expected)\(note)" }
    return "\(criterion): expected \(expected), got \(actual)\(note)"
  }
}

extension URLRequest {
  /// The method and the URL on one line: `GET https://api.example.com/users`.
  var summary: String { summary(StubRegistry.current.shown(address)) }

  /// The summary in a text that is printed outside of a test's tasks, for which the recorders of all scopes count.
  func summary(in scopes: OpenScopes) -> String {
    summary(
      scopes.ids.reduce(StubRegistry.global.shown(address)) { text, id in
        var text = text
        scopes.visit(id) { text = $0.shown(text) }
        return text
      })
  }

  private var address: String { url?.absoluteString ?? "(no URL)" }

  private func summary(_ address: String) -> String { Excerpt.oneLine("\(httpMethod ?? "GET") \(address)") }
}
