import Foundation
import StubKitFormats

/// The dates of an HTTP Archive: ISO 8601 with the time of day, such as `2026-03-01T12:30:00.123+01:00`.
/// The seconds can be missing.
enum HARDate {
  /// Returns the text of a date in UTC, with milliseconds.
  static func text(_ date: Date) -> String {
    // Foundation's formatters leave ISO 8601's range of years, and truncate instead of rounding.
    let seconds = date.timeIntervalSince1970
    let milliseconds = seconds.isFinite ? Int64(max(earliest, min(latest, (seconds * 1_000).rounded()))) : 0
    let (days, time) = milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
    let (year, month, day) = civil(days)
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let clock = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60].map { padded($0, 2) }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock.joined(separator: ":"))"
      + ".\(padded(time % 1_000, 3))Z"
  }

  /// Returns the date of a text, with milliseconds, or `nil` if the text isn't a date. A date without a time zone is in
  /// UTC.
  static func date(_ text: String) -> Date? {
    var reader = DigitReader(rest: text.utf8[...])
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take(" "), let hour = reader.number(2), reader.take(":"),
      let minute = reader.number(2), let second = reader.take(":") ? reader.number(2) : 0,
      1...12 ~= month, 1...length(ofMonth: month, year) ~= day, hour < 25, minute < 60, second < 61
    else { return nil }
    let milliseconds = reader.take(".") || reader.take(",") ? reader.fraction() : 0
    guard let offset = reader.offset(), reader.rest.isEmpty else { return nil }
    let seconds = (days(year, month, day) * 24 + hour) * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds * 1_000 + milliseconds) / 1_000)
  }

  private struct DigitReader {
    var rest: Substring.UTF8View

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digit() -> Int64? {
      guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      rest.removeFirst()
      return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func number(_ digits: Int) -> Int64? {
      var number: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// Reads a fraction in milliseconds. Further digits are ignored.
    mutating func fraction() -> Int64 {
      var milliseconds: Int64 = 0
      var unit: Int64 = 100
      while let digit = digit() {
        milliseconds += digit * unit
        unit /= 10
      }
      return milliseconds
    }

    /// Reads the offset of the local time from UTC, in seconds.
    mutating func offset() -> Int64? {
      if rest.isEmpty || take("Z") { return 0 }
      let isBehind = take("-")
      guard isBehind || take("+"), let hours = number(2) else { return nil }
      _ = take(":")
      guard let minutes = rest.isEmpty ? 0 : number(2), hours < 24, minutes < 60 else { return nil }
      return (hours * 3_600 + minutes * 60) * (isBehind ? -1 : 1)
    }
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The years 0 to 9999, in milliseconds.
  private static let (earliest, latest) = (-62_167_219_200_000.0, 253_402_300_799_999.0)

  /// Returns the days from 1970 to a date of the Gregorian calendar. It counts in years that begin in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// The durations of an HTTP Archive: milliseconds, which StubKit writes with three decimal places.
extension Duration {
  /// The duration in milliseconds with microseconds, such as `12.5`. A negative duration becomes `0`.
  var harText: String {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000_000_000)).components
    let microseconds = seconds * 1_000_000 + (attoseconds + 500_000_000_000) / 1_000_000_000_000
    let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000)
    guard fraction > 0 else { return String(whole) }
    var digits = String(1_000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// Creates a duration, or returns `nil` for a number that isn't a valid duration.
  ///
  /// - Parameter milliseconds: Any number from a file. More than 31 years count as 31 years.
  init?(harMilliseconds milliseconds: Double?) {
    guard let milliseconds, milliseconds >= 0 else { return nil }
    self = .microseconds(Int64((min(milliseconds, 1e12) * 1_000).rounded()))
  }
}

extension Int {
  /// The largest number that is read from a file: 4 TB. The sum of a million such numbers is far from overflow.
  private static let largestInFile = 1 << 42

  /// Creates an integer from any number of a file, or returns `nil` for one with a fraction. It is clamped.
  init?(harNumber number: Double?) {
    guard let number, number.rounded() == number else { return nil }
    let bound = Double(Self.largestInFile)
    self.init(exactly: Swift.min(Swift.max(number, -bound), bound))
  }
}
