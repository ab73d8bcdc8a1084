import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A host name", .inTurn)
struct HostNameTests {
  static let names = [
    ("münchen.de", "xn--mnchen-3ya.de"), ("BÜCHER.de", "xn--bcher-kva.de"), ("bu\u{308}cher.de", "xn--bcher-kva.de"),
    ("日本語.jp", "xn--wgv71a119e.jp"), ("faß.de", "xn--fa-hia.de"), ("ÉX.com", "xn--x-9fa.com"), ("a。com", "a.com"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("한국.kr", "xn--3e0b707e.kr"), ("ü-a.de", "xn---a-wka.de"),
    // RFC 3492, section 7.1.
    ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
  ]

  @Test("is compared in Punycode, which StubKit leaves as it is")
  func punycode() throws {
    for (name, host) in Self.names {
      #expect(HostName.canonical(name) == host, "\(name)")
      #expect(HostName.canonical(host.uppercased()) == host, "\(name)")
      #expect(
        RequestFacts(URLRequest(url: try #require(URL(string: "http://\(name)/"), "\(name)"))).host == host, "\(name)")
    }
  }

  @Test("is left as it is where it is none, or no Punycode")
  func invalid() {
    for name in ["xn--\u{7F}", "xn--99999999999999", "xn--a-_", "ü b", "\u{1004F}\u{304}.com"] {
      #expect(HostName.canonical(name) == name, "\(name)")
    }
  }
}
