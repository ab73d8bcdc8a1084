import TestSupport
import Testing

@testable import StubKit

@Suite("An excerpt", .inTurn)
struct ExcerptTests {
  @Test(
    "keeps beginning and end, on either side of an ellipsis",
    arguments: [
      ("abc", 5, "abc"), ("abcdefghij", 10, "abcdefghij"), ("abcdefghij", 7, "abcd…ij"), ("ééééééé", 7, "ééééééé"),
      ("", 5, ""),
    ])
  func middle(text: String, limit: Int, expected: String) { #expect(Excerpt.middle(text, limit) == expected) }

  @Test("of two texts that begin alike leaves the beginning out")
  func pair() {
    let (left, right) = Excerpt.pair("0123456789abcdefghij-left", "0123456789abcdefghij-right", 44)
    #expect((left, right) == ("…bcdefghij-left", "…bcdefghij-right"))
    #expect(Excerpt.pair("left", "right", 44) == ("left", "right"))
    let (short, long) = Excerpt.pair("x", String(repeating: "y", count: 100), 44)
    #expect(short == "x" && long.count == 43)
    // One that is the other's beginning.
    let (whole, part) = Excerpt.pair(String(repeating: "z", count: 60), String(repeating: "z", count: 61), 44)
    #expect(whole == "…zzzzzzzzzz" && part == "…zzzzzzzzzzz")
  }

  @Test(
    "is a literal where it would be unclear where it ends",
    arguments: [("/a", "/a"), ("", "\"\""), ("a b", "\"a b\""), ("é", "é"), ("a\"b", #""a\"b""#), ("a\tb", #""a\tb""#)])
  func plain(text: String, expected: String) { #expect(Excerpt.plain(text) == expected) }
}
