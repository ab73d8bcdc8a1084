/// Text that is split at ASCII delimiters, byte by byte.
///
/// A `Character` includes the combining marks that follow it, so `"/\u{301}".contains("/")` is false. No byte of a
/// longer scalar is ASCII, so the byte of a delimiter is always the delimiter.
extension StringProtocol {
  /// Returns whether the text contains the delimiter.
  @inlinable
  package func has(_ delimiter: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: delimiter)) }

  /// Returns whether the text begins with these bytes.
  @inlinable
  package func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}

extension Substring {
  /// Returns the pieces between the delimiters, including empty ones.
  @inlinable
  package func pieces(at delimiter: Unicode.Scalar) -> [Substring] {
    utf8.split(separator: UInt8(ascii: delimiter), omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the text before and after the first delimiter, or `nil` if there is none.
  @inlinable
  package func cut(at delimiter: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    guard let place = utf8.firstIndex(of: UInt8(ascii: delimiter)) else { return nil }
    return (self[..<place], self[utf8.index(after: place)...])
  }

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

extension String {
  @inlinable
  package func pieces(at delimiter: Unicode.Scalar) -> [Substring] { self[...].pieces(at: delimiter) }

  @inlinable
  package func cut(at delimiter: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    self[...].cut(at: delimiter)
  }
}
