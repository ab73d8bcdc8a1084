import Foundation

/// A request in a report.
extension URLRequest {
  /// The method and the URL on one line: `GET https://api.example.com/users`.
  package var summary: String { summary(StubRegistry.current.shown(address)) }

  /// The summary as a list has it.
  package var shortSummary: String { summary.middle(100) }

  /// The summary in a text that is printed outside of a test's tasks.
  func summary(in scopes: OpenScopes) -> String { summary(scopes.shown(address)) }

  private var address: String { url?.absoluteString ?? "(no URL)" }

  private func summary(_ address: String) -> String { "\(httpMethod ?? "GET") \(address)".onOneLine }
}
