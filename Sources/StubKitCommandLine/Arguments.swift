import Foundation

/// The words after a command. Options are taken out one after another.
package struct Arguments {
  private var words: [String]

  package init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// Returns whether the words contain an option without a value, and removes it.
  package mutating func takeFlag(_ names: String...) -> Bool {
    let count = words.count
    words.removeAll { names.contains($0) }
    return words.count < count
  }

  /// Returns the values of an option, one for each time that it appears, and removes them. `--name value` and
  /// `--name=value` are the same.
  package mutating func takeValues(_ names: String..., what: String) throws(Mistake) -> [String] {
    var values: [String] = []
    while let position = words.firstIndex(where: { word in
      names.contains { word == $0 || $0.hasPrefix("--") && word.hasPrefix($0 + "=") }
    }) {
      let parts = words[position].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let next = words.indices.contains(position + 1) ? words[position + 1] : "--"
      let value = parts.count == 2 ? String(parts[1]) : next.hasPrefix("--") ? "" : next
      guard !value.isEmpty else { throw Mistake("\(parts[0]) needs \(what) after it.") }
      values.append(value)
      words.removeSubrange(position...position + 2 - parts.count)
    }
    return values
  }

  /// Returns the value of an option that can appear once, and removes it.
  package mutating func takeValue(_ names: String..., what: String) throws(Mistake) -> String? {
    var values: [String] = []
    for name in names { values += try takeValues(name, what: what) }
    guard values.count <= 1 else { throw Mistake("\(names.joined(separator: " or ")) appears more than once.") }
    return values.first
  }

  /// Returns the remaining words. None can look like an option.
  package consuming func rest() throws(Mistake) -> [String] {
    if let option = words.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      throw Mistake("There is no option \(option).")
    }
    return words
  }
}
