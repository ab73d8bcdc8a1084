import StubKit

/// The names of the rules by their last letters, and words that count in names.
///
/// Most names have none of them, which is told without a string. A name in which one is found can still be none of a
/// secret.
struct KnownNames: @unchecked Sendable {
  /// How a name is written in the rules.
  enum Form: CaseIterable { case names, endings, words, wholes, afterWord }

  /// A name of a rule.
  struct Name {
    let form: Form
    let sureness: SecretName.Sureness
    let places: Set<Leaf.Place>?
    let isOnlyInRequests: Bool
    /// The length of the name, and the number of the rule, from the last one on.
    let rank: (length: Int, number: Int)
  }

  /// Where a name has to begin.
  private struct Starts: OptionSet {
    let rawValue: UInt8
    static let anywhere = Starts(rawValue: 1), word = Starts(rawValue: 2), name = Starts(rawValue: 4)
  }

  static let all = KnownNames()

  // Holds: nothing writes to the tables after the initialiser, and nothing frees them.
  /// The next node after a letter or a digit, from the last one of a name to its first one, or 0.
  private let next: UnsafePointer<Int32>
  /// Where the name has to begin that ends at a node.
  private let starts: UnsafePointer<UInt8>
  /// The names of rules that end at a node.
  private let names: [Int: [Name]]

  /// Letters and digits by their bytes, in whatever case. A byte beyond ASCII is a mark and two digits.
  private let letters: UnsafePointer<Int>
  private static let mark = 36, width = 37

  private init() {
    var (next, starts) = ([Int32](repeating: 0, count: Self.width), [UInt8(0)])
    var names = [Int: [Name]]()
    let letters = Self.kept((0...UInt8.max).map(Self.letter))
    self.letters = letters
    func add(_ name: String, _ start: Starts) -> Int {
      var node = 0
      for byte in name.utf8.reversed() {
        for letter in Self.path(of: byte, letters) {
          if next[node * Self.width + letter] == 0 {
            next[node * Self.width + letter] = Int32(starts.count)
            next += [Int32](repeating: 0, count: Self.width)
            starts.append(0)
          }
          node = Int(next[node * Self.width + letter])
        }
      }
      if node > 0 { starts[node] |= start.rawValue }
      return node
    }
    for (number, rule) in NameRules.all.enumerated() {
      for form in Form.allCases {
        for name in rule.names(form).map(\.withoutAccents.comparableName) {
          let isAnywhere = form == .endings || form == .words && name.utf8.count > Self.longest
          let length = rule.sureness == .described ? 1 : name.utf8.count
          names[add(name, isAnywhere ? .anywhere : .word), default: []].append(
            Name(
              form: form, sureness: rule.sureness, places: rule.places, isOnlyInRequests: rule.isOnlyInRequests,
              rank: (length, -number)))
        }
      }
    }
    for word in WordRules.callbacks.union(["id", "authorization"]) { _ = add(word, .word) }
    for words in WordRules.roles.values { for word in words { _ = add(word, .name) } }
    for word in WordRules.codes { _ = add(word, .anywhere) }
    self.names = names
    self.next = Self.kept(next)
    self.starts = Self.kept(starts)
  }

  private static func kept<Element>(_ table: [Element]) -> UnsafePointer<Element> {
    let kept = UnsafeMutablePointer<Element>.allocate(capacity: table.count)
    kept.initialize(from: table, count: table.count)
    return UnsafePointer(kept)
  }

  private static func letter(_ byte: UInt8) -> Int {
    if byte.isDigit { return Int(byte) - 0x30 + 26 }
    if byte.isLetter { return Int(byte | 0x20) - 0x61 }
    return byte >= 0x80 ? mark : -1
  }

  /// The steps for a byte of a name. Other marks say nothing.
  private static func path(of byte: UInt8, _ letters: UnsafePointer<Int>) -> [Int] {
    let letter = letters[Int(byte)]
    if letter != mark { return letter < 0 ? [] : [letter] }
    return [mark, Int(byte & 0xF), Int(byte >> 4)]
  }

  // MARK: The names of rules

  /// The length in bytes up to which a word of a rule has to be a word of a name. A longer one can also be its end.
  private static let longest = 5

  /// Returns the names of rules that a name has.
  ///
  /// - Parameters:
  ///   - words: The words of the name without those that qualify it.
  ///   - all: All of its words. A header has the same name with and without `X-`.
  func rules(_ words: [String], _ all: [String]) -> [Name] {
    var (found, length, wordStarts) = ([Name](), 0, [Int]())
    for word in words {
      wordStarts.append(length)
      length += word.utf8.count
    }
    forEachEnd(of: words.joined()) { name, start in
      let counts =
        switch name.form {
        case .names: wordStarts.contains(start)
        case .endings: true
        case .words: length - start > Self.longest
        // The last word alone says less than with another one before it.
        case .afterWord: words.count > 1 && wordStarts.contains(start)
        case .wholes: false
        }
      if counts { found.append(name) }
    }
    forEachEnd(of: all.joined()) { name, start in
      let isWhole = start == 0 || start == 1 && all.count > 1 && all[0] == "x"
      if name.form == .wholes, isWhole { found.append(name) }
    }
    for word in all {
      forEachEnd(of: word) { name, start in if name.form == .words, start == 0 { found.append(name) } }
    }
    return found
  }

  /// Calls a closure with each name of a rule with which a name ends, and where that begins.
  private func forEachEnd(of name: String, _ body: (Name, Int) -> Void) {
    name.withUTF8Bytes { bytes in
      var (index, node) = (bytes.count, 0)
      while index > 0 {
        index -= 1
        let letter = letters[Int(bytes[index])]
        if letter >= 0, letter != Self.mark {
          node = Int(next[node * Self.width + letter])
          if node == 0 { return }
        } else {
          for letter in Self.path(of: bytes[index], letters) {
            node = Int(next[node * Self.width + letter])
            if node == 0 { return }
          }
        }
        if starts[node] != 0, let names = names[node] { for name in names { body(name, index) } }
      }
    }
  }

  // MARK: Whether there is one

  /// Whether a name has one of the names or words, or letters beyond ASCII.
  func contain(_ name: Bytes) -> Bool {
    // The end of a long name says what it is.
    end(in: name, after: max(0, name.count - 128)) || startsWithCode(name)
  }

  /// Whether one of the names or words ends in a text after a place, or a letter beyond ASCII does.
  func end(in name: Bytes, after least: Int) -> Bool {
    let (digit, alphanumeric, capital, beyond) = (
      ByteSet.digit, ByteSet.alphanumeric, ByteSet.capital, ByteSet.notASCII
    )
    var end = name.count
    while end > least {
      let byte = name[end - 1]
      if beyond[byte] { return true }
      // Digits and a plural don't count.
      if digit[byte] || byte | 0x20 == UInt8(ascii: "s") {
        var stem = end
        while stem > least, digit[name[stem - 1]] { stem -= 1 }
        if stem > least, stem < end, ends(name, at: stem) { return true }
        if stem > least, name[stem - 1] | 0x20 == UInt8(ascii: "s"), ends(name, at: stem - 1) { return true }
      }
      if alphanumeric[byte], ends(name, at: end) { return true }
      // To the end of the word before, which a sign, a capital letter, or the edge of a number follows.
      end -= 1
      while end > least {
        let (before, after) = (name[end - 1], name[end])
        let isInWord = alphanumeric[before] && alphanumeric[after] && (digit[before] ? digit[after] : !capital[after])
        if !isInWord { break }
        end -= 1
      }
    }
    return false
  }

  /// Whether a name or a word ends at a place.
  private func ends(_ name: Bytes, at end: Int) -> Bool {
    var (index, node) = (end, 0)
    while index > 0 {
      let letter = letters[Int(name[index - 1])]
      index -= 1
      if letter < 0 { continue }
      if letter == Self.mark { return true }
      node = Int(next[node * Self.width + letter])
      if node == 0 { return false }
      if starts[node] == 0 { continue }
      let start = Starts(rawValue: starts[node])
      if start.contains(.anywhere) { return true }
      let isWord = index == 0 || !name[index - 1].isAlphanumeric || name[index].isUppercase || name[index - 1].isDigit
      if isWord, start.contains(.word) || index == 0 || !name[index - 1].isAlphanumeric { return true }
    }
    return false
  }

  /// A word for a code can also be the first one, as in `codigoSMS`.
  func startsWithCode(_ name: Bytes) -> Bool {
    guard name.count > 4 else { return false }
    let (first, second) = (name[0] | 0x20, name[1] | 0x20)
    return second == UInt8(ascii: "o") && (first == UInt8(ascii: "c") || first == UInt8(ascii: "k"))
  }
}

extension NameRule {
  /// The names of a form.
  fileprivate func names(_ form: KnownNames.Form) -> [String] {
    switch form {
    case .names: names
    case .endings: endings
    case .words: words
    case .wholes: wholes
    case .afterWord: afterWord
    }
  }
}
