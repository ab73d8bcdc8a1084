import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("The facts of a request", .inTurn)
struct RequestFactsTests {
  static let schemes = ["http:", "https:", "HTTP:", "foo:", "a+b.c-1:", "", "", "mailto:"]
  static let userInfo = ["", "", "", "u@", "u:p@", ":p@", "@", "U%41:p%40@", "A:B:C@"]
  static let hosts = [
    "a.com", "A.Com", "localhost", "[::1]", "[FE80::1]", "[fe80::1%25en0]", "127.0.0.1", "", "münchen.de",
    "xn--mnchen-3ya.de", "a_b", "日本.jp",
    "a%41.com", "a.com.", "é.com", "a%2Eb", "%C3%A9.com",
  ]
  static let ports = ["", "", "", ":", ":80", ":8080", ":0", ":080", ":99999", ":99999999999999999999"]
  static let segments = [
    "", "a", "b", "a b", "A", "é", "e\u{301}", "%C3%A9", "%2F", "%2f", "%FF", "%", "%zz", "%25", ";p", "a;p=1", "a:b",
    ".", "..", "a.txt", ".txt", "a.",
    "a..b", "..a", "..a.b", "a.b c", "[x]", "~", "日本", "%00", "a&b", "a=b", "+", "@", "\u{212A}", "%E2%84%AA", "a.é",
    "a.%62",
  ]
  static let queries = [
    "", "a", "a=", "a=1", "=1", "&&", "a=1&&b", "a=b=c", "+", "a=+", "a=%2B", "a=%20", "a=é", "a=%C3%A9", "a=%zz",
    "a=1&a=2", "?", "/", "[x]=1", ";", "%61=1",
    "a=\u{212A}", "a;b=1",
  ]
  static let fragments = ["", "", "f", "f?q", "/p", "é"]

  static func url(_ random: inout SplitMix64) -> String {
    var url = schemes.randomElement(using: &random)!
    if Int.random(in: 0..<4, using: &random) > 0 {
      url +=
        "//" + userInfo.randomElement(using: &random)! + hosts.randomElement(using: &random)! + ports.randomElement(
          using: &random)!
    } else if Bool.random(using: &random) {
      url += segments.randomElement(using: &random)!
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) { url += "/" + segments.randomElement(using: &random)! }
    if Bool.random(using: &random) {
      url += "?" + queries.randomElement(using: &random)!
      if Bool.random(using: &random) { url += "&" + queries.randomElement(using: &random)! }
    }
    if Int.random(in: 0..<3, using: &random) == 0 { url += "#" + fragments.randomElement(using: &random)! }
    return url
  }

  @Test("are those that Foundation's URL and URLComponents find")
  func agreeWithFoundation() async throws {
    for seed in [UInt64(1), 20_260, 77_777] {
      // A long loop leaves the thread to other tests.
      await Task.yield()
      var random = SplitMix64(seed: seed)
      var seen = 0
      let count = TestSize.of(4_000, inPart: 800)
      for _ in 0..<count {
        let text = Self.url(&random)
        guard let url = URL(string: text) else { continue }
        seen += 1
        var facts = RequestFacts(URLRequest(url: url))
        let comment: Comment = "seed \(seed), \(text) as \(url.absoluteString)"
        #expect(facts.scheme == url.scheme?.lowercased(), comment)
        let host = url.host.flatMap { $0.isEmpty ? nil : HostName.canonical($0) }
        #expect(facts.host == host, comment)
        // URL calls a path that is no UTF-8 empty.
        let path = HTTPPath.canonical(url.path.isEmpty ? url.path(percentEncoded: true) : url.path)
        let standard = ["http": 80, "https": 443][url.scheme?.lowercased() ?? ""]
        #expect(facts.port == url.port ?? standard, comment)
        #expect(facts.path == path, comment)
        #expect(facts.encodedPath == url.path(percentEncoded: true), comment)
        #expect(url.path.isEmpty || facts.pathExtension == url.pathExtension, comment)
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let wanted = items.filter { !($0.name.isEmpty && $0.value == nil) }.map {
          NamedValue(name: $0.name, value: $0.value)
        }
        #expect(Array(facts.queryItems) == wanted, comment)
        #expect(isAbsoluteURLString(text).matches(URLRequest(url: url)) || url.scheme == nil, comment)
      }
      #expect(seen > count / 2, "\(seed)")
    }
  }

  @Test("of a URL relative to a base are those of the whole")
  func relative() throws {
    let url = try #require(URL(string: "rel/x.txt?y=1", relativeTo: URL(string: "http://A.com:81/base/z")))
    var facts = RequestFacts(URLRequest(url: url))
    #expect(facts.scheme == "http" && facts.host == "a.com" && facts.port == 81 && facts.path == "/base/rel/x.txt")
    #expect(Array(facts.queryItems) == [NamedValue(name: "y", value: "1")] && facts.pathExtension == "txt")
  }

  @Test("have no scheme where the text before the first colon is none")
  func colon() {
    for text in ["a@b:80/c", "a@b:c"] {
      let facts = RequestFacts(request(text))
      #expect(facts.scheme == nil && facts.path == text, "\(text)")
    }
  }

  @Test("of a method that is not set say GET")
  func method() {
    var request = URLRequest(url: URL(string: "http://a")!)
    request.httpMethod = nil
    let facts = RequestFacts(request)
    #expect(facts.method == "GET")
  }

  @Test("keep the text of what is percent-encoded but not UTF-8")
  func notUTF8() {
    var facts = RequestFacts(request("http://a/?%FF=%FE"))
    #expect(Array(facts.queryItems) == [NamedValue(name: "%FF", value: "%FE")])
  }
}
