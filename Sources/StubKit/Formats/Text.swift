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

  /// Returns whether the text contains one of the delimiters.
  func hasAny(of delimiters: String) -> Bool {
    withCString { text in delimiters.withCString { strpbrk(text, $0) != nil } }
  }

  /// Returns whether the text begins with these bytes.
  @inlinable
  package func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Returns whether the text ends with these bytes.
  @inlinable
  package func ends(withBytesOf suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

  /// Returns whether both texts have the same Unicode scalars, as a server compares them. To Swift, an `é` also equals
  /// an `e` with an accent after it.
  @inlinable
  package func isSame(as other: some StringProtocol) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard let left = bytes.baseAddress, let right = others.baseAddress else { return bytes.count == others.count }
        return bytes.count == others.count && memcmp(left, right, bytes.count) == 0
      }
    }
    return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
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
    guard let place = place(of: delimiter) else { return nil }
    return (self[..<place], self[utf8.index(after: place)...])
  }

  /// Returns the position of the first delimiter, or `nil` if there is none.
  @inlinable
  package func place(of delimiter: Unicode.Scalar) -> Index? {
    let offset = utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard let start = UnsafeRawPointer(bytes.baseAddress) else { return nil }
      return memchr(start, Int32(delimiter.value), bytes.count).map { UnsafeRawPointer($0) - start }
    }
    guard let offset else { return utf8.firstIndex(of: UInt8(ascii: delimiter)) }
    return offset.map { utf8.index(startIndex, offsetBy: $0) }
  }

  /// The scheme of a URL, and what follows its `://`, or `nil` for a text that begins with none.
  package var scheme: (name: Substring, rest: Substring)? {
    guard let (name, rest) = cut(at: ":"), rest.starts(withBytesOf: "//"), !name.has("/") else { return nil }
    return (name, Substring(rest.utf8.dropFirst(2)))
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
}
