import StubKit

/// The names and words of the rules, in order to tell quickly that a name has none of them, as most names have. A name
/// in which it finds one can still be none of a secret.
struct KnownNames: @unchecked Sendable {
  /// Where a name has to begin.
  private struct Starts: OptionSet {
    let rawValue: UInt8
    static let anywhere = Starts(rawValue: 1), word = Starts(rawValue: 2), name = Starts(rawValue: 4)
  }

  static let all = KnownNames()

  // Holds: nothing writes to the tables after the initialiser, and nothing frees them.
  /// The next node after a letter or a digit, from the last one of a name to its first one, or 0.
  private let next: UnsafeMutablePointer<Int32>
  /// Where the name has to begin that ends at a node.
  private let starts: UnsafeMutablePointer<UInt8>

  /// Letters and digits by their bytes, in whatever case.
  private static let letters: [Int] = (0...UInt8.max).map { byte in
    byte.isDigit ? Int(byte) - 0x30 + 26 : byte.isLetter ? Int(byte | 0x20) - 0x61 : -1
  }
  private static let width = 36

  private init() {
    var (next, starts) = ([Int32](repeating: 0, count: Self.width), [UInt8(0)])
    func add(_ name: String, _ start: Starts) {
      var node = 0
      for byte in name.utf8.reversed() {
        let letter = Self.letters[Int(byte)]
        if letter < 0 { continue }
        if next[node * Self.width + letter] == 0 {
          next[node * Self.width + letter] = Int32(starts.count)
          next += [Int32](repeating: 0, count: Self.width)
          starts.append(0)
        }
        node = Int(next[node * Self.width + letter])
      }
      if node > 0 { starts[node] |= start.rawValue }
    }
    for (name, isAnywhere) in SecretName.allNames { add(name, isAnywhere ? .anywhere : .word) }
    for word in ["id", "authorization"] { add(word, .word) }
    for role in WordRules.roles.values { for word in role.words { add(word, .name) } }
    for word in WordRules.codes.words { add(word, .anywhere) }
    self.next = .allocate(capacity: next.count)
    self.next.initialize(from: next, count: next.count)
    self.starts = .allocate(capacity: starts.count)
    self.starts.initialize(from: starts, count: starts.count)
  }

  /// Whether a name has one of the names or words, or letters beyond ASCII.
  func contain(_ name: Bytes) -> Bool {
    var end = name.count
    // The end of a long name says what it is.
    let least = Swift.max(0, end - 128)
    while end > least {
      let byte = name[end - 1]
      if byte >= 0x80 { return true }
      // Digits and a plural don't count.
      if byte.isDigit || byte == UInt8(ascii: "s") || byte == UInt8(ascii: "S") {
        var stem = end
        while stem > least, name[stem - 1].isDigit { stem -= 1 }
        if stem > least, stem < end, ends(name, at: stem) { return true }
        if stem > least, name[stem - 1] | 0x20 == UInt8(ascii: "s"), ends(name, at: stem - 1) { return true }
      }
      if byte.isAlphanumeric, ends(name, at: end) { return true }
      // To the end of the word before.
      end -= 1
      while end > least {
        let (before, after) = (name[end - 1], name[end])
        if !before.isAlphanumeric || !after.isAlphanumeric || after.isUppercase || after.isDigit != before.isDigit {
          break
        }
        end -= 1
      }
    }
    return startsWithCode(name)
  }

  /// Whether a name or a word ends at a place.
  private func ends(_ name: Bytes, at end: Int) -> Bool {
    var (index, node) = (end, 0)
    while index > 0 {
      let letter = Self.letters[Int(name[index - 1])]
      index -= 1
      if letter < 0 {
        if name[index] >= 0x80 { return true }
        continue
      }
      node = Int(next[node * Self.width + letter])
      if node == 0 { return false }
      let start = Starts(rawValue: starts[node])
      if start.rawValue == 0 { continue }
      if start.contains(.anywhere) { return true }
      let isWord = index == 0 || !name[index - 1].isAlphanumeric || name[index].isUppercase || name[index - 1].isDigit
      if isWord, start.contains(.word) || index == 0 || !name[index - 1].isAlphanumeric { return true }
    }
    return false
  }

  /// A word for a code can also be the first one, as in `codigoSMS`.
  private func startsWithCode(_ name: Bytes) -> Bool {
    guard name.count > 4 else { return false }
    let (first, second) = (name[0] | 0x20, name[1] | 0x20)
    return second == UInt8(ascii: "o") && (first == UInt8(ascii: "c") || first == UInt8(ascii: "k"))
  }
}
