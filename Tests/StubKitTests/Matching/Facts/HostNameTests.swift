import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A host name", .inTurn)
struct HostNameTests {
  static let names = [
    "münchen.de", "BÜCHER.de", "日本語.jp", "faß.de", "ÉX.com", "a。com", "παράδειγμα.δοκιμή", "пример.рф", "한국.kr",
    "ü-a.de", "ａ.com",
  ]

  @Test("has the punycode that Foundation gives it", arguments: names)
  func punycode(name: String) throws {
    let host = try #require(URL(string: "http://\(name)/")?.host)
    #expect(HostName.canonical(name) == host)
    #expect(HostName.canonical(HostName.unicode(host)) == host)
  }

  // RFC 3492, section 7.1.
  @Test(
    "is encoded and decoded as RFC 3492 says",
    arguments: [
      ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
      ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
      ("ü", "tda"), ("bücher", "bcher-kva"),
    ])
  func vectors(text: String, encoded: String) {
    #expect(Punycode.encode(text) == encoded)
    #expect(Punycode.decode(encoded) == text)
  }

  @Test("is left as it is where it is no punycode", arguments: ["xn--\u{7F}", "xn--99999999999999", "xn--a-_"])
  func invalid(name: String) {
    #expect(HostName.unicode(name) == name)
  }
}
