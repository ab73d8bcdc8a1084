import Foundation

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
