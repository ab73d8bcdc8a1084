/// All that is known of one run of a cell, as lines, in paragraphs.
struct Transcript: Sendable, Equatable {
  var lines: [String] = []

  mutating func add(_ title: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    self.lines.append("\(title):")
    self.lines += lines.map { "  \($0)" }
  }

  /// What is different in the other one: lines of this one after a minus, lines of the other after a plus.
  func difference(to other: Transcript) -> String {
    let changes = other.lines.difference(from: lines)
    var removed: Set<Int> = []
    var inserted: [Int: String] = [:]
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var output: [String] = []
    var position = 0
    for (offset, line) in lines.enumerated() {
      while let line = inserted[position] {
        output.append("+ \(line)")
        position += 1
      }
      if removed.contains(offset) {
        output.append("- \(line)")
      } else {
        if !line.hasPrefix(" ") { output.append("  \(line)") }
        position += 1
      }
    }
    while let line = inserted[position] {
      output.append("+ \(line)")
      position += 1
    }
    return output.joined(separator: "\n")
  }
}
