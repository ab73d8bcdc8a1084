import Foundation

extension JSONValue {
  /// Parses a JSON text (RFC 8259) in UTF-8, or in UTF-16 or UTF-32 with either byte order.
  ///
  /// ```swift
  /// let user = try JSONValue(parsing: Data(#"{"id": 42}"#.utf8))
  /// ```
  ///
  /// The root can be any value, and a byte order mark is skipped. If an object repeats a key, the last one counts. A
  /// number that is not an integer of 64 bits becomes the nearest `Double`, or zero if it is too small for one.
  /// Arrays and objects can be nested 128 levels deep.
  ///
  /// - Throws: A ``JSONSyntaxError`` if the text is not JSON, if a number is too large for a `Double`, or if an
  ///   escaped surrogate lacks its other half.
  public init(parsing data: Data) throws {
    if let text = JSONEncodingForm(of: data).decode(data) {
      try self.init(parsing: text)
    } else {
      self = try data.withUnsafeBytes { try JSONParser.parse($0.bindMemory(to: UInt8.self)) }
    }
  }

  /// Parses a JSON text, like ``init(parsing:)-(Data)``.
  ///
  /// ```swift
  /// let user = try JSONValue(parsing: #"{"id": 42}"#)
  /// ```
  public init(parsing text: String) throws {
    var text = text
    self = try text.withUTF8 { try JSONParser.parse($0) }
  }
}

/// The Unicode encoding form of a JSON text. A text begins with two ASCII characters or is one, so the zeros in its
/// first bytes distinguish the forms (RFC 4627, section 3).
private enum JSONEncodingForm {
  case utf8
  case other(String.Encoding)

  init(of data: Data) {
    let start = Array(data.prefix(4))
    self =
      switch (start.first ?? 1, start.dropFirst().first ?? 1, start.dropFirst(2).first, start.dropFirst(3).first) {
      case (0, 0, _, _): .other(.utf32BigEndian)
      case (0xFF, 0xFE, 0, 0): .other(.utf32)
      case (0xFE, 0xFF, _, _), (0xFF, 0xFE, _, _): .other(.utf16)
      case (0, _, _, _): .other(.utf16BigEndian)
      case (_, 0, 0, 0): .other(.utf32LittleEndian)
      case (_, 0, _, _): .other(.utf16LittleEndian)
      default: .utf8
      }
  }

  /// Returns `nil` for UTF-8, and for data that only looks like another form.
  func decode(_ data: Data) -> String? {
    if case .other(let encoding) = self { String(data: data, encoding: encoding) } else { nil }
  }
}
