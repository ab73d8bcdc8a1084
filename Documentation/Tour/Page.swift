import Foundation

/// Where a chapter writes what came back.
final class Page: @unchecked Sendable {
  // @unchecked holds because one chapter writes on a page, one line after the other.
  private(set) var failureCount = 0
  /// Whether all chapters before this one were performed too.
  let isInWholeTour: Bool
  /// What was shown, without styles.
  private(set) var lines: [String] = []

  init(isInWholeTour: Bool) { self.isInWholeTour = isInWholeTour }

  /// Shows text, in lines that fit the terminal; where one must be broken, the rest of it hangs further in.
  func show(_ text: String, hanging: Int = 4) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let wrapped = Terminal.wrapped(String(line), indent: 3, hanging: hanging)
      lines += wrapped.components(separatedBy: "\n")
      print(wrapped)
    }
  }

  /// Shows an exchange: the request, and below it what came.
  func show(_ reply: Reply) {
    let request = "   → \(reply.request.httpMethod ?? "GET") \(reply.request.url!)"
    lines += [request, "   ← \(reply)"]
    print(Terminal.style(request, .dim))
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
