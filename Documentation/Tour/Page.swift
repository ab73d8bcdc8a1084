import Foundation

/// The output of a chapter.
final class Page: @unchecked Sendable {
  // @unchecked holds because one chapter writes on a page, one line after the other.
  private(set) var failureCount = 0
  /// Whether all chapters before this one were performed too.
  let isInWholeTour: Bool
  /// What was shown, without styles.
  private(set) var lines: [String] = []

  init(isInWholeTour: Bool) { self.isInWholeTour = isInWholeTour }

  /// Shows text in lines that fit into the terminal. The rest of a broken line is indented further.
  func show(_ text: String, hanging: Int = 4) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let wrapped = Terminal.wrapped(String(line), indent: 3, hanging: hanging)
      lines += wrapped.components(separatedBy: "\n")
      print(wrapped)
    }
  }

  /// Shows an exchange: the request, and the reply below it.
  func show(_ reply: Reply) {
    let request = "   → \(reply.request.httpMethod ?? "GET") \(reply.request.url!)"
    lines += [request, "   ← \(reply)"]
    print(Terminal.style(request, .dim))
    print("   ← \(reply)")
  }

  /// Shows a line that replaces the line before, long enough to be seen.
  ///
  /// - Parameter isKept: Whether the line is also printed to files and pipes, where no line can be replaced.
  func update(_ line: String, isKept: Bool) async {
    if Terminal.isInteractive {
      Terminal.rewrite("   " + line)
      await Terminal.pause(.milliseconds(15))
    } else if isKept {
      show(line)
    }
  }

  /// Keeps the last version of a line that changed.
  func endUpdates() {
    if Terminal.isInteractive { print() }
  }

  /// Reports and counts an expectation that is not met.
  func expect(_ isMet: Bool, _ expectation: String) {
    guard !isMet else { return }
    failureCount += 1
    print(Terminal.style(Terminal.wrapped("✗ expected: \(expectation)", indent: 3), .red))
  }
}
