import Foundation

/// Text that is split at ASCII delimiters, byte by byte.
///
/// A `Character` includes the combining marks that follow it, so `"/\u{301}".contains("/")` is false. No byte of a
/// longer scalar is ASCII, so the byte of a delimiter is always the delimiter.
extension StringProtocol {
  /// Returns whether the text contains the delimiter.
  @inlinable
  package func has(_ delimiter: Unicode.Scalar) -> Bool {
    // The pointer stays in the closure. Byte by byte, this took half of a stub's registration in a debug build.
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, Int32(delimiter.value), bytes.count) != nil } ?? false
    } ?? utf8.contains(UInt8(ascii: delimiter))
  }

  /// Returns whether the text begins with these bytes.
  @inlinable
  package func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}

extension StringProtocol where SubSequence == Substring {
  /// Returns the pieces between the delimiters, including empty ones.
  @inlinable
  package func pieces(at delimiter: Unicode.Scalar) -> [Substring] {
    self[...].utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the text before and after the first delimiter, or `nil` if there is none.
  @inlinable
  package func cut(at delimiter: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    guard let place = utf8.firstIndex(of: UInt8(ascii: delimiter)) else { return nil }
    return (self[..<place], self[utf8.index(after: place)...])
  }
}

extension Substring {
  /// Removes and returns the text up to the first of the delimiters, or all of it.
  @inlinable
  package mutating func take(upTo delimiters: Unicode.Scalar...) -> Substring {
    let end = utf8.firstIndex { byte in delimiters.contains { UInt8(ascii: $0) == byte } } ?? endIndex
    defer { self = self[end...] }
    return self[..<end]
  }

  /// Removes the delimiter if the text begins with it.
  @inlinable
  package mutating func take(_ delimiter: Unicode.Scalar) -> Bool {
    guard utf8.first == UInt8(ascii: delimiter) else { return false }
    self = self[utf8.index(after: startIndex)...]
    return true
  }

  /// The text without the spaces and tabs around it, which are the optional white space of RFC 9110, section 5.6.3.
  @inlinable
  package var withoutOuterSpace: Substring {
    var rest = utf8[...]
    while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
    while let byte = rest.last, byte == 0x20 || byte == 0x09 { rest.removeLast() }
    return Substring(rest)
  }

  var isDotSegment: Bool { self == "." || self == ".." }

  /// The text decoded like that of a form (WHATWG URL, section 5.1): a `+` is a space, a `%` that escapes nothing
  /// stays, and what is not UTF-8 becomes U+FFFD.
  package var formDecoded: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(self) }
    return String(decoding: utf8.percentDecoded(ofForm: true) ?? [], as: UTF8.self)
  }
}

extension String {
  /// Creates a text from UTF-8, scalar by scalar. Returns `nil` if the bytes are not UTF-8.
  ///
  /// Foundation's initializers drop a byte order mark.
  @inlinable
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding replaces what is not UTF-8 by U+FFFD, so nothing else comes out as it went in.
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// Lends the text in UTF-8, as `withUTF8` does, which would be compiled again in each file that calls it.
  @inline(__always)
  mutating func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try withUTF8(body)
  }

  /// The text with its percent escapes decoded (RFC 3986, section 2.1). It stays as it is if a `%` escapes nothing,
  /// or if the bytes are not UTF-8.
  package var percentDecoded: String {
    guard has("%"), let bytes = utf8.percentDecoded() else { return self }
    return String(validUTF8: bytes) ?? self
  }

  /// The path without its segments `.` and `..` (RFC 3986, section 5.2.4). Percent-encoded ones stay.
  var withoutDotSegments: String {
    let pieces = has(".") ? pieces(at: "/") : []
    guard pieces.contains(where: \.isDotSegment) else { return self }
    var segments: [Substring] = []
    for piece in pieces {
      // Nothing is above the root.
      if piece == "..", segments != [""] { segments = segments.dropLast() }
      if !piece.isDotSegment { segments.append(piece) }
    }
    return (segments + (pieces.last?.isDotSegment == true ? [""] : [])).joined(separator: "/")
  }
}

extension Collection<UInt8> {
  /// Returns the bytes with every escape decoded.
  ///
  /// - Parameter isOfForm: Whether a `+` becomes a space, and a `%` without two hexadecimal digits stays. Otherwise
  ///   such a `%` makes the result `nil`. Defaults to `false`.
  func percentDecoded(ofForm isOfForm: Bool = false) -> [UInt8]? {
    // Positions in an array cost a debug build much less than slices.
    let escaped = Array(self)
    var (bytes, position) = ([UInt8](), 0)
    bytes.reserveCapacity(escaped.count)
    while position < escaped.count {
      let byte = escaped[position]
      position += 1
      if byte == UInt8(ascii: "%") {
        if position + 1 < escaped.count, let high = escaped[position].hexadecimalDigit,
          let low = escaped[position + 1].hexadecimalDigit
        {
          bytes.append(high << 4 | low)
          position += 2
          continue
        }
        if !isOfForm { return nil }
      }
      bytes.append(isOfForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return bytes
  }
}

/// Bytes as ASCII.
extension UInt8 {
  @inlinable package var isDigit: Bool { 0x30...0x39 ~= self }
  @inlinable package var isUppercase: Bool { 0x41...0x5A ~= self }
  @inlinable package var isLowercase: Bool { 0x61...0x7A ~= self }
  @inlinable package var isLetter: Bool { (self | 0x20).isLowercase }
  @inlinable package var isAlphanumeric: Bool { isDigit || isLetter }

  /// The lowercase letter for an uppercase one, and otherwise the same byte.
  @inlinable package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }

  /// The value of a hexadecimal digit, or `nil` for any other byte.
  @inlinable
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The position of the first byte that is not part of valid UTF-8 (RFC 3629), or `nil` if all bytes are.
  package var firstInvalidUTF8: Int? {
    guard let baseAddress else { return nil }
    var position = 0
    while position < count {
      if position + 8 <= count, EightBytes(baseAddress, at: position).nonASCII.first == nil {
        position += 8
        continue
      }
      var (rest, parser) = (self[position...].makeIterator(), Unicode.UTF8.ForwardParser())
      guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return position }
      position += scalar.count
    }
    return nil
  }
}

/// Eight bytes of a text in one word, the first one lowest. Questions are answered for all of them at once.
struct EightBytes {
  private let word: UInt64

  /// - Parameter position: A position that eight bytes or more of the text follow. Exactly eight are read.
  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private init(word: UInt64) { self.word = word }

  /// Compares eight bytes at a time, which is faster than a call for the short texts of requests.
  ///
  /// - Parameter count: The number of bytes in both. No more are read.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    @inline(__always)
    func differ<Word: FixedWidthInteger>(_ position: Int, _: Word.Type) -> Bool {
      left.loadUnaligned(fromByteOffset: position, as: Word.self)
        != right.loadUnaligned(fromByteOffset: position, as: Word.self)
    }
    var position = 0
    // The last words overlap those before.
    if count >= 8 {
      while position &+ 8 < count {
        if differ(position, UInt64.self) { return false }
        position &+= 8
      }
      return !differ(count &- 8, UInt64.self)
    }
    if count >= 4 { return !differ(0, UInt32.self) && !differ(count &- 4, UInt32.self) }
    while position < count {
      if differ(position, UInt8.self) { return false }
      position &+= 1
    }
    return true
  }

  /// The bytes without the first ones, and with zeros after the last one.
  @inline(__always)
  func dropFirst(_ count: Int) -> EightBytes { EightBytes(word: word &>> UInt64(truncatingIfNeeded: 8 &* count)) }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// The bytes that were found, marked by their highest bits. Only the first mark counts. Later ones can be wrong.
  struct Marks {
    fileprivate let bits: UInt64

    /// The position of the first marked byte, or `nil` if none is marked.
    var first: Int? { @inline(__always) get { bits == 0 ? nil : bits.trailingZeroBitCount &>> 3 } }

    @inline(__always)
    static func | (left: Marks, right: Marks) -> Marks { Marks(bits: left.bits | right.bits) }
  }

  var nonASCII: Marks { Marks(bits: word & Self.each(0x80)) }

  @inline(__always)
  func equal(to byte: UInt8) -> Marks { EightBytes(word: word ^ Self.each(byte)).below(1) }

  /// - Parameter limit: At most 0x80.
  @inline(__always)
  func below(_ limit: UInt8) -> Marks {
    // Subtracting borrows from the next byte only where a byte is below the limit, which is at the first mark.
    Marks(bits: (word &- Self.each(limit)) & ~word & Self.each(0x80))
  }

  /// The bytes that are neither a lower-case letter nor a digit nor a dot nor a hyphen.
  var unusualInHost: Marks {
    @inline(__always) get {
      // Without their highest bits, sums of bytes with anything up to 0x80 stay within the byte.
      let low = word & Self.each(0x7F)
      @inline(__always)
      func within(_ first: UInt8, _ last: UInt8) -> UInt64 {
        (low &+ Self.each(0x80 &- first)) & ~(low &+ Self.each(0x7F &- last))
      }
      let usual = within(UInt8(ascii: "a"), UInt8(ascii: "z")) | within(UInt8(ascii: "-"), UInt8(ascii: "9"))
      return Marks(bits: (~usual | word) & Self.each(0x80)) | equal(to: UInt8(ascii: "/"))
    }
  }

  /// Whether the bytes are those of "http://" and another one.
  var isHTTP: Bool { word & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 }

  /// Whether the bytes are those of "https://".
  var isHTTPS: Bool { word == 0x2F2F_3A73_7074_7468 }
}

/// A regular expression with the names of its groups, which become captures.
package final class Pattern: Sendable {
  // NSRegularExpression is immutable and documented as safe to use from several threads at once. Foundation declares
  // it Sendable accordingly.
  package let expression: NSRegularExpression
  package let names: [String]

  package init(_ expression: NSRegularExpression) {
    self.expression = expression
    names = expression.numberOfCaptureGroups == 0 ? [] : Self.groupNames(in: expression)
  }

  package convenience init(
    parsing pattern: String, options: NSRegularExpression.Options, in function: StaticString
  ) throws(UsageMistake) {
    do {
      self.init(try NSRegularExpression(pattern: pattern, options: options))
    } catch {
      throw UsageMistake(
        "\(function)(\(pattern.debugDescription)) is not a regular expression: \(Self.cure(for: pattern, error))")
    }
  }

  /// Returns what is wrong with a pattern, and what to write instead.
  package static func cure(for pattern: String, _ error: any Error) -> String {
    // Python's (?P<name>…), .NET's (?'name'…), and names that have more than ICU's.
    for group in pattern.matches(of: #/\(\?P?[<']([^=!>'][^>']*)[>']/#) {
      let plain = String(decoding: group.1.utf8.filter(\.isAlphanumeric), as: UTF8.self)
      let name = plain.utf8.first?.isLetter == true ? plain : "name"
      if group.0 == "(?<\(name)>" { continue }
      return
        "NSRegularExpression has no group \(group.0)…): write (?<\(name)>…), whose name has letters and digits only."
    }
    return "\(error.localizedDescription) Write one for NSRegularExpression, with a backslash before a literal "
      + "( [ { * + ? . $ ^ | \\."
  }

  /// The arguments in Swift source, such as `"^/a$", options: .caseInsensitive`.
  package var source: String {
    let names = Self.optionNames.filter { expression.options.contains($0.option) }.map { ".\($0.name)" }
    let pattern = expression.pattern.debugDescription
    return switch names.count {
    case 0: pattern
    case 1: "\(pattern), options: \(names[0])"
    default: "\(pattern), options: [\(names.joined(separator: ", "))]"
    }
  }

  private static let optionNames: [(option: NSRegularExpression.Options, name: String)] = [
    (.caseInsensitive, "caseInsensitive"), (.allowCommentsAndWhitespace, "allowCommentsAndWhitespace"),
    (.ignoreMetacharacters, "ignoreMetacharacters"), (.dotMatchesLineSeparators, "dotMatchesLineSeparators"),
    (.anchorsMatchLines, "anchorsMatchLines"), (.useUnixLineSeparators, "useUnixLineSeparators"),
    (.useUnicodeWordBoundaries, "useUnicodeWordBoundaries"),
  ]

  /// Foundation doesn't say which names a pattern has. On Apple platforms, asking a match for an unknown name raises
  /// an exception. What looks like a named group can be quoted, escaped or in a comment. It is a group if a reference
  /// to it is valid. The `\E` ends a quotation that nothing else ends, and the line break ends a comment.
  private static func groupNames(in expression: NSRegularExpression) -> [String] {
    expression.pattern.matches(of: #/\(\?<([A-Za-z][A-Za-z0-9]*)>/#).map { String($0.1) }.filter { name in
      let reference = expression.pattern + "\\E\n\\k<\(name)>"
      return (try? NSRegularExpression(pattern: reference, options: expression.options)) != nil
    }
  }
}

/// A name with an optional value: a query item or a form field. Without a value, it is a name without `=`.
package struct NamedValue: Sendable, Hashable {
  package let name: String
  package let value: String?

  package init(name: String, value: String?) { (self.name, self.value) = (name, value) }

  package static func sorted(_ items: [String: String?]) -> NamedItems {
    items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Parses the query of a URL: items between `&`, names and values split at the first `=`, percent-decoded, with `+`
  /// kept (RFC 3986).
  package static func query(_ query: String) -> NamedItems { items(query) { String($0).percentDecoded } }

  /// Parses a form: the same, with `+` for a space (WHATWG URL, application/x-www-form-urlencoded).
  package static func form(_ form: String) -> NamedItems { items(form) { $0.formDecoded } }

  private static func items(_ text: String, decode: (Substring) -> String) -> NamedItems {
    text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let (name, value) = item.cut(at: "=") else { return NamedValue(name: decode(item), value: nil) }
      return NamedValue(name: decode(name), value: decode(value))
    }
  }

  /// Parses a Cookie header: pairs between semicolons, without surrounding white space, with quotes kept.
  package static func cookies(_ header: String) -> NamedItems {
    header.pieces(at: ";").compactMap { pair in
      guard let (name, value) = pair.cut(at: "=") else { return nil }
      return NamedValue(name: String(name.withoutOuterSpace), value: String(value.withoutOuterSpace))
    }
  }
}

/// Items in order: those of a query, a form or a Cookie header.
package typealias NamedItems = [NamedValue]

extension NamedItems {
  package func contains(name: String) -> Bool { contains { $0.name == name } }

  /// Returns the items with a name, in order.
  package func named(_ name: String) -> NamedItems { filter { $0.name == name } }

  /// Returns the items that have none of these names.
  package func without(_ ignored: Set<String>) -> NamedItems { filter { !ignored.contains($0.name) } }

  var urlQueryItems: [URLQueryItem] { map { URLQueryItem(name: $0.name, value: $0.value) } }

  /// The names, each once, in the order of their first items.
  package var names: [String] {
    var seen: Set<String> = []
    return map(\.name).filter { seen.insert($0).inserted }
  }

  /// Returns whether every wanted item is there. A few are searched one by one, which allocates nothing. Many take time
  /// in proportion to the lengths of both lists.
  func containsAll(_ wanted: NamedItems) -> Bool {
    count <= 16 ? wanted.allSatisfy(contains) : Set(self).isSuperset(of: wanted)
  }

  /// Returns whether every item is wanted, as often as it occurs, and every wanted name exists.
  package func isExactly(_ wanted: NamedItems) -> Bool { wanted.containsAll(self) && containsAll(wanted) }

  /// Returns whether the items are the wanted ones, each as often, in any order.
  package func isCounted(_ wanted: NamedItems) -> Bool { count == wanted.count && counts == wanted.counts }

  private var counts: [NamedValue: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
