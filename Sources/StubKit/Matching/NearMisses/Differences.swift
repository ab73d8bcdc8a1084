import Foundation

/// The difference between two texts, in hundredths: 0 for equal texts, and 100 for texts with nothing in common.
///
/// It is the number of bytes to insert, delete or replace (Levenshtein), as a share of the longer text, or the share of
/// its segments between slashes if that is less. The common beginning and end are skipped, and the first 64 bytes of
/// what remains are compared.
enum TextDifference {
  private static let longest = 64

  static func share(_ left: some StringProtocol, _ right: some StringProtocol) -> Int {
    share(Array(left.utf8), Array(right.utf8))
  }

  // Loops by position, because each unmatched request compares all stubs, and a debug build takes ten times as long for
  // the functions of collections.
  static func share(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let (shorter, longer) = left.count < right.count ? (left.count, right.count) : (right.count, left.count)
    var prefix = 0
    while prefix < shorter, left[prefix] == right[prefix] { prefix += 1 }
    if prefix == longer { return 0 }
    var suffix = 0
    while suffix < shorter - prefix, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
    let ours = Array(left[prefix..<left.count - suffix])
    let theirs = Array(right[prefix..<right.count - suffix])
    // Of the bytes after the first ones, only the number is compared.
    let surplus = abs(max(0, ours.count - longest) - max(0, theirs.count - longest))
    let edits = Array(ours.prefix(longest)).editDistance(to: Array(theirs.prefix(longest))) + surplus
    let segments = 1 + max(slashes(ours), slashes(theirs))
    let allSegments = max(1, slashes(left), slashes(right))
    return min(100, max(1, min(edits * 100 / longer, segments * 100 / allSegments)))
  }

  private static func slashes(_ bytes: [UInt8]) -> Int {
    var count = 0
    var position = 0
    while position < bytes.count {
      if bytes[position] == .slash { count += 1 }
      position += 1
    }
    return count
  }
}

/// Text as a report shows it: on one line, and shortened if it is too long.
extension String {
  /// Returns the text. If it is longer than the limit, returns its beginning and its end around an ellipsis.
  package func middle(_ limit: Int) -> String {
    guard utf8.count > limit, count > limit, limit > 2 else { return self }
    let tail = (limit - 1) / 3
    return "\(prefix(limit - 1 - tail))…\(suffix(tail))"
  }

  /// The text of a condition as it was written. Of one that fills more than two lines, the beginning.
  var excerptOfCondition: String {
    (count > Self.longestCondition ? "\(prefix(Self.longestCondition - 1))…" : self).onOneLine
  }

  static let longestCondition = 240

  /// Returns this text and another one, which together have no more than a number of characters. If they are too long
  /// and begin alike, the beginning is omitted first, so that the difference stays visible.
  func middle(_ limit: Int, beside other: String) -> (String, String) {
    guard count + other.count > limit else { return (self, other) }
    let alike = zip(self, other).prefix { String($0).isSame(as: String($1)) }.count
    func cut(_ text: String) -> String {
      alike > Self.context ? "…" + text.dropFirst(alike - Self.context) : text
    }
    let left = cut(self)
    let right = cut(other)
    let half = limit / 2
    return (left.middle(max(half, limit - right.count)), right.middle(max(half, limit - left.count)))
  }

  /// The number of characters of a common beginning that stay.
  private static let context = 10

  /// The text as it is, or as a literal if its end would be unclear: if it is empty, or contains white space, quotes or
  /// control characters.
  package var plain: String {
    let isUnclear = unicodeScalars.contains {
      $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" || $0 == "\u{7F}"
    }
    return isEmpty || isUnclear ? debugDescription : self
  }

  /// The text with escapes for everything that would break a line or control a terminal.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: { $0.breaksLines }) else { return self }
    return unicodeScalars.map { $0.breaksLines ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}

/// The names of items, as reports list them if one is missing.
struct Names {
  /// Each name once, in alphabetical order. Of very many, the first ones.
  private let names: [String]
  private let count: Int

  init(_ names: some Sequence<String>) {
    let names = Set(names)
    count = names.count
    guard count > Self.mostCompared else {
      self.names = names.sorted()
      return
    }
    self.names = names.reduce(into: []) { first, name in
      if first.count == 3, first[2] < name { return }
      first = Array((first + [name]).sorted().prefix(3))
    }
  }

  private static let mostCompared = 64

  /// Returns a note such as `found pge, q and 3 more`, with the names that are nearest to one, or `nil` for no names.
  /// Of very many names, it has the first ones, because searching for the nearest would take too long.
  func note(nearestTo name: String) -> String? {
    let wanted = name.lowercased()
    let isFew = count <= Self.mostCompared
    let nearest = isFew ? names.nearest(3) { TextDifference.share(wanted, $0.lowercased()) } : names
    let shown = nearest.map(\.plain) + (count > 3 ? ["\(count - 3) more"] : [])
    guard let last = shown.last else { return nil }
    let found = "found " + (shown.count == 1 ? last : "\(shown.dropLast().listed) and \(last)")
    return names.lazy.compactMap { name.composition(besides: $0) }.first.map { "\(found); \($0)" } ?? found
  }
}

extension String {
  /// Returns a note about a letter that another text has, too, but only as other Unicode scalars, or `nil` if there is
  /// none.
  ///
  /// The two look the same, and Swift finds them equal. Percent-encoded letters count.
  func composition(besides other: String) -> String? {
    let text = percentDecoded
    let others = other.percentDecoded
    if text.isASCII, others.isASCII { return nil }
    var twins: [Character: [String]] = [:]
    for letter in others {
      let scalars = String(letter)
      if twins[letter]?.has(scalars) != true { twins[letter, default: []].append(scalars) }
    }
    for letter in text {
      let scalars = String(letter)
      guard let alike = twins[letter], let twin = alike.first, !alike.has(scalars) else { continue }
      return "the same letters, composed differently (\(scalars.scalarNames); \(twin.scalarNames))"
    }
    return nil
  }

  private var scalarNames: String {
    unicodeScalars.map { $0.isASCII ? String($0) : $0.codePoint }.joined(separator: " ")
  }
}

extension String {
  /// Returns the JSON path extended by a key.
  func appending(key: String) -> String {
    let isPlain =
      !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
    guard isPlain else { return "\(self)[\(key.debugDescription)]" }
    return isEmpty ? key : "\(self).\(key)"
  }
}
