/// All that is known of one run of a cell, as lines, in paragraphs.
struct Transcript: Sendable {
  var lines: [String] = []

  mutating func add(_ title: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    self.lines.append("\(title):")
    self.lines += lines.map { "  \($0)" }
  }

  /// The lines that only one of the two has, and the titles between them, in order: what this one has after a minus,
  /// what the other one has after a plus.
  func difference(to other: Transcript) -> [String] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in other.lines.difference(from: lines) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var output: [String] = []
    var (mine, theirs) = (0, 0)
    while mine < lines.count || theirs < other.lines.count {
      if removed.contains(mine) {
        output.append("- \(lines[mine])")
        mine += 1
      } else if inserted.contains(theirs) {
        output.append("+ \(other.lines[theirs])")
        theirs += 1
      } else {
        if !lines[mine].hasPrefix(" ") { output.append("  \(lines[mine])") }
        (mine, theirs) = (mine + 1, theirs + 1)
      }
    }
    return output
  }
}
