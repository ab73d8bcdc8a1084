import Foundation

extension [String: String] {
  /// Creates the texts of header fields whose names and values have any types.
  package init(textsOf fields: [AnyHashable: Any]) {
    self.init(fields.map { ("\($0.key)", "\($0.value)") }) { $1 }
  }
}

extension String {
  /// Returns whether both names are those of the same header field. Names are ASCII.
  package func isHeaderName(_ other: String) -> Bool {
    // The cases of a letter differ in one bit, and so do the bytes of some other pairs.
    isSame(as: other)
      || utf8.count == other.utf8.count
        && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && $0.isLetter }
  }

  /// Calls `body` with the bytes of each member of a field, as ``headerMembers(of:)`` returns them.
  @inline(__always)
  func forEachHeaderMember(of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self
    guard has(",") else { return text.withBytes { body($0.withoutOuterSpace) } }
    for member in headerMembers(of: name) {
      text = String(member)
      text.withBytes(body)
    }
  }

  /// Returns the cookies of a `Set-Cookie` field. A name that isn't ASCII is that of no cookie (RFC 6265, section
  /// 4.1.1), and ends the process in Foundation on Linux.
  package func cookies(for url: URL) -> [HTTPCookie] {
    HTTPCookie.cookies(
      withResponseHeaderFields: [
        "Set-Cookie": replacingOccurrences(
          of: #"(^|;)[^=;]*[^\x00-\x7F=;][^=;]*="#, with: ";", options: .regularExpression)
      ], for: url)
  }

  /// Returns the members of a field that is a list (RFC 9110, section 5.6.1), or the whole value of any other field.
  /// There is no white space around them, and an empty value is one.
  ///
  /// Foundation and servers join the values of a repeated field to such a list, with or without a space. A field of an
  /// unknown name is a list, too.
  func headerMembers(of name: String) -> [Substring] {
    guard has(","), !Self.singleFields.contains(name.lowercased()) else { return [self[...].withoutOuterSpace] }
    var isQuoted = false
    var isEscaped = false
    let members = utf8.split { byte in
      defer { isEscaped = isQuoted && !isEscaped && byte == .backslash }
      if byte == .quote, !isEscaped { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }.map { Substring($0).withoutOuterSpace }
    let filled = members.filter { !$0.isEmpty }
    return filled.isEmpty ? [""] : filled
  }

  /// The fields of requests that have one value, which can contain a comma.
  private static let singleFields: Set = [
    "authorization", "content-disposition", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "expires", "from", "host", "if-modified-since", "if-range", "if-unmodified-since",
    "last-modified", "location", "max-forwards", "origin", "proxy-authorization", "range", "referer", "retry-after",
    "server", "set-cookie", "user-agent",
  ]
}
