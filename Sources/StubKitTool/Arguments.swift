import Foundation

/// The words behind a command, taken one option after the other.
struct Arguments {
  private var words: [String]

  init(_ words: some Sequence<String>) { self.words = Array(words) }

  /// Whether an option without a value is there.
  mutating func takeFlag(_ names: String...) -> Bool {
    let count = words.count
    words.removeAll { names.contains($0) }
    return words.count < count
  }

  /// The values of an option, one for each time it is there.
  mutating func takeValues(_ names: String..., what: String) throws(Mistake) -> [String] {
    var values: [String] = []
    while let position = words.firstIndex(where: { names.contains($0) }) {
      guard position + 1 < words.count, !words[position + 1].hasPrefix("--") else {
        throw Mistake("\(words[position]) wants \(what) after it.")
      }
      values.append(words[position + 1])
      words.removeSubrange(position...position + 1)
    }
    return values
  }

  /// The value of an option that may be there once.
  mutating func takeValue(_ names: String..., what: String) throws(Mistake) -> String? {
    var values: [String] = []
    for name in names { values += try takeValues(name, what: what) }
    guard values.count <= 1 else { throw Mistake("\(names.joined(separator: " or ")) is there more than once.") }
    return values.first
  }

  /// What is left, which has to be files.
  consuming func files() throws(Mistake) -> [URL] {
    if let option = words.first(where: { $0.hasPrefix("-") }) { throw Mistake("There is no option \(option).") }
    guard !words.isEmpty else { throw Mistake("Name a file.") }
    return words.map { URL(fileURLWithPath: $0) }
  }

  /// What is left, which has to be one file.
  consuming func file() throws(Mistake) -> URL {
    let files = try files()
    guard files.count == 1 else { throw Mistake("Name one file; here are \(files.count).") }
    return files[0]
  }
}
