import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

extension HTTPArchive.Entry {
  /// Moves the `Expires` of each cookie by the age of the recording, so that a cookie that lived when it was recorded lives
  /// when it is replayed. The age counts at each answer, because a server can replay for days.
  ///
  /// `nil` if the response sets no cookie.
  var renewingCookies: (@Sendable (StubResponse) -> StubResponse)? {
    guard let response, response.headers["Set-Cookie"] != nil else { return nil }
    return { [startedAt] response in
      response.modified { $0.headers = $0.headers.withExpirations(movedBy: Date().timeIntervalSince(startedAt)) }
    }
  }
}

extension ResponseHeaders {
  fileprivate func withExpirations(movedBy age: TimeInterval) -> ResponseHeaders {
    var moved = ResponseHeaders()
    for field in fields {
      moved.append(
        field.name, field.name.isHeaderName("Set-Cookie") ? field.value.withExpirations(movedBy: age) : field.value)
    }
    return moved
  }
}

extension String {
  /// A `Set-Cookie`, or several that a tool has joined with commas, with later dates in `Expires`. What is no date stays.
  fileprivate func withExpirations(movedBy age: TimeInterval) -> String {
    let parts = pieces(at: ";")
    let moved = parts.dropFirst().map { part -> String in
      guard let (name, value) = part.cut(at: "="), name.withoutOuterSpace.lowercased() == "expires" else {
        return String(part)
      }
      // Most dates have a comma after the weekday. What follows the next one is another cookie.
      let texts = value.pieces(at: ",")
      for count in 1...2 where count <= texts.count {
        guard let date = Date(cookieDate: texts.prefix(count).joined(separator: ",")) else { continue }
        let rest = [(date + age).httpDate] + texts.dropFirst(count).map(String.init)
        return "\(name)=\(rest.joined(separator: ","))"
      }
      return String(part)
    }
    return (parts.prefix(1).map(String.init) + moved).joined(separator: ";")
  }
}

extension Date {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Creates a date from any of the forms that browsers read (RFC 6265, section 5.1.1). Returns `nil` for other texts.
  init?(cookieDate text: String) {
    var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
    for word in text.utf8.split(whereSeparator: { !($0.isAlphanumeric || $0 == UInt8(ascii: ":") || $0 >= 0x80) }) {
      let word = Substring(word)
      let digits = word.utf8.prefix(while: \.isDigit).count
      let clock = word.pieces(at: ":").map { Int($0) ?? -1 }
      if time == nil, clock.count == 3, zip(clock, [23, 59, 59]).allSatisfy({ 0...$1 ~= $0 }) {
        time = clock
      } else if day == nil, 1...2 ~= digits {
        day = Int(word.prefix(digits))
      } else if month == nil, let number = Self.months.firstIndex(of: word.prefix(3).lowercased()) {
        month = number + 1
      } else if year == nil, 2...4 ~= digits, let number = Int(word.prefix(digits)) {
        year = number < 70 ? number + 2_000 : number < 100 ? number + 1_900 : number
      }
    }
    guard let time, let day, let month, let year, year > 1_600 else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(
      calendar: calendar, year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
    guard parts.isValidDate, let date = calendar.date(from: parts) else { return nil }
    self = date
  }
}
