import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A date of HTTP's header fields", .inTurn)
struct HTTPDateTests {
  private static let date = Date(timeIntervalSince1970: 784_111_777)

  /// As RFC 9110 has them.
  @Test(
    "is read in the three forms that RFC 9110 knows, with a leap second as the next one",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Sat, 30 Jun 2012 23:59:60 GMT", 1_341_100_800),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      // Without leading zeros, and RFC 850's form with a whole year.
      ("Sun, 6-Nov-1994 8:49:37 GMT", 784_111_777),
    ] as [(String, TimeInterval)])
  func forms(text: String, secondsSince1970: TimeInterval) {
    #expect(Date(httpDate: text) == Date(timeIntervalSince1970: secondsSince1970))
  }

  @Test(
    "is nothing of another form, in another time zone, or of a day or time that doesn't exist",
    arguments: [
      "", "Sun,", "120", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
      "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
    ])
  func others(text: String) { #expect(Date(httpDate: text) == nil) }

  @Test(
    "with two digits for its year is at most fifty years ahead, and at most forty-nine ago", arguments: [-49, 0, 50])
  func twoDigits(yearsAhead: Int) throws {
    let calendar = Calendar(identifier: .gregorian)
    let year = calendar.component(.year, from: Date()) + yearsAhead
    let digits = String(format: "%02d", year % 100)
    let date = try #require(Date(httpDate: "Monday, 02-Jul-\(digits) 12:00:00 GMT"))
    #expect(calendar.component(.year, from: date) == year)
  }

  /// In whole seconds, cut off. A date out of the range of four digits, or of the calendar, is the nearest one in it.
  @Test("is written as IMF-fixdate")
  func writing() {
    #expect(Self.date.httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Self.date.addingTimeInterval(0.999).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Date(timeIntervalSince1970: -0.5).httpDate == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(Date(timeIntervalSince1970: 1e300).httpDate == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(Date.distantPast.httpDate == "Sat, 01 Jan 1583 00:00:00 GMT")
  }
}
