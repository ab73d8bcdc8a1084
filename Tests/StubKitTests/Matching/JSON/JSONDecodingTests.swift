import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A JSON value from JSONDecoder", .inTurn)
struct JSONDecodingTests {
  static func decoded(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test("has the number that the parser reads")
  func numbers() throws {
    for text in [
      "-104846474737019556.16", "104846474737019556.16", "9007199254740993", "9007199254740993.0", "9007199254740992.5",
      "9007199254740993.5", "18446744073709551615", "18446744073709551615.0", "18446744073709551615.5",
      "18446744073709551616", "-9223372036854775808", "-9223372036854775808.0", "-9223372036854775808.5",
      "-9223372036854775809", "9223372036854775807.9", "1e18", "1.5e18", "123456789012345678e1",
      "12345678901234567.8e1",
      "1234567890123456789e-1", "0.1", "1e300", "-0.0", "4503599627370497.5",
    ] {
      #expect(try Self.decoded(text) == JSONValue(parsing: text), "\(text)")
    }
  }
}
