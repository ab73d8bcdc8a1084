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

/// The parameters of a header such as `form-data; name="a"; filename="b.png"` (RFC 9110, section 5.6.6).
package struct HeaderParameters: Sendable {
  private var values: [String: String] = [:]

  package init(_ header: String) {
    var rest = header[...]
    while true {
      _ = rest.take(upTo: ";")
      guard rest.take(";") else { return }
      rest = Substring(rest.utf8.drop { $0.isWhiteSpace })
      let name = rest.take(upTo: "=", ";").lowercased()
      guard rest.take("=") else { continue }
      let value = Self.takeValue(&rest)
      // The first of two values counts, as in browsers.
      if values[name] == nil { values[name] = value }
    }
  }

  /// Names compare without case.
  package subscript(name: String) -> String? { values[name] }

  /// Returns the text that a sender means: that of `name*`, in UTF-8 as in RFC 8187 (section 3.2), or else that of
  /// `name`, with the quotes and line breaks that browsers escape (WHATWG HTML, "multipart/form-data").
  package func text(_ name: String) -> String? {
    // JavaScript's encodeURIComponent leaves an apostrophe as it is.
    if let (charset, rest) = values["\(name)*"]?.cut(at: "'"), charset.lowercased() == "utf-8",
      let bytes = rest.cut(at: "'")?.after.utf8.percentDecoded(), let text = String(validUTF8: bytes)
    {
      return text
    }
    let escapes = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")]
    return values[name].map { escapes.reduce($0) { $0.replacing($1.0, with: $1.1) } }
  }

  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.take("\"") else {
      var token = rest.take(upTo: ";").utf8
      while token.last?.isWhiteSpace == true { token.removeLast() }
      return String(Substring(token))
    }
    var value = ""
    while true {
      value += rest.take(upTo: "\"", "\\")
      guard rest.take("\\"), let escaped = rest.unicodeScalars.popFirst() else { break }
      value.unicodeScalars.append(escaped)
    }
    _ = rest.take("\"")
    return value
  }
}

extension Date {
  /// The date in the format of HTTP header fields, which RFC 9110 (section 5.6.7) calls IMF-fixdate.
  ///
  /// ```swift
  /// let later = Date(timeIntervalSinceNow: 120).httpDate
  /// stub(
  ///   .get, "https://api.example.com/films",
  ///   response: .status(503).header("Retry-After", later))
  /// // "Sun, 06 Nov 1994 08:49:37 GMT"
  /// Date(timeIntervalSince1970: 784_111_777).httpDate
  /// ```
  ///
  /// HTTP dates have whole seconds, so the fraction is cut off. A date before the year 1583 or after 9999 is written
  /// as the nearest date in this range.
  public var httpDate: String {
    let bounded = min(max(self, HTTPDate.earliest), HTTPDate.latest)
    let parts = HTTPDate.calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: bounded)
    func digits(_ number: Int?, _ count: Int = 2) -> String { String(format: "%0\(count)d", number ?? 0) }
    let weekday = HTTPDate.weekdays[(parts.weekday ?? 1) - 1]
    let month = HTTPDate.months[(parts.month ?? 1) - 1]
    return "\(weekday), \(digits(parts.day)) \(month) \(digits(parts.year, 4)) "
      + "\(digits(parts.hour)):\(digits(parts.minute)):\(digits(parts.second)) GMT"
  }

  /// Creates a date from the value of an HTTP header field, in any of the three formats of RFC 9110 (section 5.6.7).
  ///
  /// ```swift
  /// // IMF-fixdate, RFC 850, and asctime() in C:
  /// Date(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT")
  /// Date(httpDate: "Sunday, 06-Nov-94 08:49:37 GMT")
  /// Date(httpDate: "Sun Nov  6 08:49:37 1994")
  /// ```
  ///
  /// A year of two digits that would be more than fifty years ahead is in the past century. The name of the weekday
  /// isn't read, and numbers can lack their leading zeros.
  ///
  /// - Parameter text: The value of the field.
  /// - Returns: `nil` if the text is not such a date.
  public init?(httpDate text: String) {
    guard let date = HTTPDate.date(text) else { return nil }
    self = date
  }
}

/// The dates of HTTP header fields (RFC 9110, section 5.6.7).
private enum HTTPDate {
  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  /// The first second of the first whole year of the Gregorian calendar, and the last second of the year 9999.
  static let earliest = Date(timeIntervalSince1970: -12_212_553_600)
  static let latest = Date(timeIntervalSince1970: 253_402_300_799)

  static var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }

  static func date(_ text: String) -> Date? {
    var words = text.split { " -,".contains($0) }
    // asctime() writes the month first, and the year last.
    if words.count == 5 { words = [words[0], words[2], words[1], words[4], words[3], "GMT"] }
    guard words.count == 6, words[5] == "GMT", let day = number(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = number(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map(number)
    // The second 60 is a leap second.
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], second <= 60 else {
      return nil
    }
    var parts = DateComponents(
      calendar: calendar, timeZone: .gmt, year: words[3].count == 2 ? fullYear(year) : year, month: month + 1, day: day,
      hour: hour, minute: minute, second: min(second, 59))
    guard parts.isValidDate else { return nil }
    parts.second = second
    return calendar.date(from: parts)
  }

  private static func fullYear(_ lastDigits: Int) -> Int {
    let now = calendar.component(.year, from: Date())
    let year = now - now % 100 + lastDigits
    return year > now + 50 ? year - 100 : year
  }

  private static func number(_ digits: Substring) -> Int? { digits.count <= 4 ? Int(digits) : nil }
}
