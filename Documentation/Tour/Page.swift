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

  /// Shows a line that takes the place of the one before, for as long as somebody may want to see it.
  ///
  /// - Parameter isKept: Whether it is also for files and pipes, where nothing is taken back.
  func update(_ line: String, isKept: Bool) async {
    if Terminal.isInteractive {
      Terminal.rewrite("   " + line)
      await Terminal.pause(.milliseconds(15))
    } else if isKept {
      show(line)
    }
  }

  /// Leaves the last of the lines that changed.
  func endUpdates() {
    if Terminal.isInteractive { print() }
  }

  /// Says so, and counts it, if something is not as it should be.
  func expect(_ isMet: Bool, _ expectation: String) {
    guard !isMet else { return }
    failureCount += 1
    print(Terminal.style(Terminal.wrapped("✗ expected: \(expectation)", indent: 3), .red))
  }
}
