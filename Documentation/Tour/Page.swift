import Foundation

/// Where a chapter writes what came back.
final class Page: @unchecked Sendable {
  // @unchecked holds because one chapter writes on a page, one line after the other.
  private(set) var failureCount = 0

  /// Shows text, in lines that fit the terminal; where one must be broken, the rest of it hangs further in.
  func show(_ text: String, hanging: Int = 4) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      print(Terminal.wrapped(String(line), indent: 3, hanging: hanging))
    }
  }

  /// Shows an exchange: the request, and below it what came.
  func show(_ reply: Reply) {
    print("   " + Terminal.style("→ \(reply.request.httpMethod ?? "GET") \(reply.request.url!)", .dim))
    print("   ← \(reply)")
  }

  /// Says so, and counts it, if something is not as it should be.
  func expect(_ isMet: Bool, _ expectation: String) {
    guard !isMet else { return }
    failureCount += 1
    print(Terminal.style(Terminal.wrapped("✗ expected: \(expectation)", indent: 3), .red))
  }
}
