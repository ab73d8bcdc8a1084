import Foundation

extension Date {
  /// The date in the format of HTTP header fields, which RFC 9110 (section 5.6.7) calls IMF-fixdate.
  ///
  /// ```swift
  /// .status(503)
  ///   .header("Retry-After", Date(timeIntervalSinceNow: 120).httpDate)
  /// // "Sun, 06 Nov 1994 08:49:37 GMT"
  /// Date(timeIntervalSince1970: 784_111_777).httpDate
  /// ```
  ///
  /// HTTP dates have whole seconds, so the fraction is cut off. A date before the year 1583 or after 9999 is written
  /// as the nearest date in this range.
  public var httpDate: String {
    let calendar = HTTPDate.calendar
    let bounded = min(max(self, HTTPDate.earliest), HTTPDate.latest)
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: bounded)
    func digits(_ number: Int?, _ count: Int = 2) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let weekday = HTTPDate.weekdays[(parts.weekday ?? 1) - 1].prefix(3)
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
  /// doesn't have to match the date.
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
  static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
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
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    if words[0].hasSuffix(",") {
      let weekday = String(words[0].dropLast())
      if words.count == 6, words[5] == "GMT", isWeekday(weekday, length: 3) {
        return date(year: words[3], month: words[2], day: words[1], time: words[4], yearLength: 4)
      }
      guard words.count == 4, words[3] == "GMT", isWeekday(weekday) else { return nil }
      let day = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard day.count == 3 else { return nil }
      return date(year: day[2], month: day[1], day: day[0], time: words[2], yearLength: 2)
    }
    guard words.count == 5, isWeekday(words[0], length: 3) else { return nil }
    return date(year: words[4], month: words[1], day: words[2], time: words[3], yearLength: 4, dayLength: 1...2)
  }

  /// - Parameter length: The number of letters of the name, or `nil` for all.
  private static func isWeekday(_ name: String, length: Int? = nil) -> Bool {
    weekdays.contains { $0.prefix(length ?? $0.count) == name }
  }

  private static func date(
    year: String, month: String, day: String, time: String, yearLength: Int, dayLength: ClosedRange<Int> = 2...2
  ) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), 2...2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      let month = months.firstIndex(of: month), let day = number(day, dayLength),
      let year = number(year, yearLength...yearLength)
    else { return nil }
    // The second 60 is a leap second.
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var parts = DateComponents(
      calendar: calendar, timeZone: .gmt, year: yearLength == 2 ? fullYear(year) : year, month: month + 1, day: day,
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

  private static func number(_ digits: String, _ length: ClosedRange<Int>) -> Int? {
    guard length.contains(digits.utf8.count), digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return Int(digits)
  }
}
