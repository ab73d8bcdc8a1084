import Foundation

/// The output of a chapter.
final class Page: @unchecked Sendable {
  // @unchecked holds because one chapter writes on a page, one line after the other.
  private(set) var failureCount = 0
  /// Whether all chapters before this one were performed too.
  let isInWholeTour: Bool
  /// The pictures of the guides that the chapter draws (SVG), by their names without an extension.
  private(set) var pictures: [String: String] = [:]

  init(isInWholeTour: Bool) { self.isInWholeTour = isInWholeTour }

  /// Shows text in lines that fit into the terminal. The rest of a broken line is indented further.
  func show(_ text: String, hanging: Int = 4) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let wrapped = Terminal.wrapped(String(line), indent: 3, hanging: hanging)
      print(wrapped)
    }
  }

  /// Shows an exchange: the request, and the reply below it.
  func show(_ reply: Reply) {
    let request = "   → \(reply.request.httpMethod ?? "GET") \(reply.request.url!)"
    print(Terminal.style(request, .dim))
    print("   ← \(reply)")
  }

  /// Draws a picture for the guides, which is written if the tour is asked for pictures.
  func draw(_ name: String, _ svg: String) { pictures[name] = svg }

  /// Writes the pictures. Returns `false`, after it has printed why, if that fails.
  func writePictures(to folder: URL) -> Bool {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, svg) in pictures {
        try Data(svg.utf8).write(to: folder.appendingPathComponent("\(name).svg"), options: .atomic)
      }
      return true
    } catch {
      print("✗ The pictures can't be written: \(error.localizedDescription)")
      return false
    }
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
