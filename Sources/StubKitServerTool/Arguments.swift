import Foundation

/// The words after a command. Options are taken out one after another.
struct Arguments {
  private var words: [String]

  init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// Returns whether the words contain an option without a value, and removes it.
  mutating func takeFlag(_ names: String...) -> Bool {
    let count = words.count
    words.removeAll { names.contains($0) }
    return words.count < count
  }

  /// Returns the values of an option, one for each time that it appears, and removes them.
  mutating func takeValues(_ names: String..., what: String) throws(Mistake) -> [String] {
    var values: [String] = []
    while let position = words.firstIndex(where: { names.contains($0) }) {
      guard position + 1 < words.count, !words[position + 1].hasPrefix("--") else {
        throw Mistake("\(words[position]) needs \(what) after it.")
      }
      values.append(words[position + 1])
      words.removeSubrange(position...position + 1)
    }
    return values
  }

  /// Returns the value of an option that can appear once, and removes it.
  mutating func takeValue(_ names: String..., what: String) throws(Mistake) -> String? {
    var values: [String] = []
    for name in names { values += try takeValues(name, what: what) }
    guard values.count <= 1 else { throw Mistake("\(names.joined(separator: " or ")) appears more than once.") }
    return values.first
  }

  /// Returns the remaining words, which must be files.
  consuming func files() throws(Mistake) -> [URL] {
    if let option = words.first(where: { $0.hasPrefix("-") }) { throw Mistake("There is no option \(option).") }
    guard !words.isEmpty else { throw Mistake("Pass a file.") }
    return words.map { URL(fileURLWithPath: $0) }
  }

  /// Returns the remaining words, which must be a number of them.
  ///
  /// - Parameter what: What they are, such as an origin and a file.
  consuming func words(_ count: Int, what: String) throws(Mistake) -> [String] {
    if let option = words.first(where: { $0.hasPrefix("-") }) { throw Mistake("There is no option \(option).") }
    guard words.count == count else { throw Mistake("Pass \(what).") }
    return words
  }
}
