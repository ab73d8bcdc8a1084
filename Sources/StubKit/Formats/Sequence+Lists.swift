extension Sequence<String> {
  /// The texts with commas between them.
  package var listed: String { joined(separator: ", ") }

  /// The texts as lines.
  package var lines: String { joined(separator: "\n") }

  /// Returns whether one of the texts has the same Unicode scalars.
  func has(_ text: String) -> Bool { contains { $0.isSame(as: text) } }
}

extension Sequence where Element: Hashable {
  /// The elements in their order, each once.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
