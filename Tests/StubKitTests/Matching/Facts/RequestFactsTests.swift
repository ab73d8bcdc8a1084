import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("The facts of a request", .inTurn)
struct RequestFactsTests {
  @Test("are those that Foundation finds")
  func agreeWithFoundation() {
    let schemes = ["http:", "https:", "HTTP:", "foo:", ""]
    let authorities = [
      "//a.com", "//A.Com:80", "//a.com:8080", "//[::1]:0", "//u:p@a.com", "//U%41@a_b:", "//münchen.de", "//a%41.com.",
      "//127.0.0.1:99999", "//", "//:80", "",
    ]
    let segments = [
      "/", "/a", "/a b", "/é", "/e\u{301}", "/%C3%A9", "/%2F", "/%FF", "/%zz", "/;p=1", "/a:b", "/..", "/a.txt",
      "/\u{212A}",
    ]
    let rests = ["", "?", "?a=1&&b", "?a=b=c&a=+", "?a=%2B#f", "?=1", "?a=%zz", "?a=é#?q", "#f?q", "?%61=\u{212A}"]
    var random = SplitMix64(seed: 20_260)
    for _ in 0..<TestSize.of(8_000, inPart: 1_500) {
      let path = (0..<random.below(4)).map { _ in random.pick(segments) }.joined()
      let text = random.pick(schemes) + random.pick(authorities) + path + random.pick(rests)
      guard let url = URL(string: text) else { continue }
      var facts = RequestFacts(URLRequest(url: url))
      let standard = ["http": 80, "https": 443][url.scheme?.lowercased() ?? ""]
      #expect(facts.scheme == url.scheme?.lowercased() && facts.port == url.port ?? standard, "\(text)")
      #expect(facts.host == url.host.flatMap { $0.isEmpty ? nil : HostName.canonical($0) }, "\(text)")
      // URL calls a path that is no UTF-8 empty.
      let decoded = HTTPPath.canonical(url.path.isEmpty ? url.path(percentEncoded: true) : url.path)
      #expect(facts.path == decoded && facts.encodedPath == url.path(percentEncoded: true), "\(text)")
      let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let wanted = items.filter { !($0.name.isEmpty && $0.value == nil) }.map {
        NamedValue(name: $0.name, value: $0.value)
      }
      #expect(Array(facts.queryItems) == wanted, "\(text)")
    }
  }

  @Test("of a relative URL are those of the whole")
  func relative() throws {
    var request = URLRequest(
      url: try #require(URL(string: "x.txt?y=1", relativeTo: URL(string: "http://A.com:81/b/z"))))
    request.httpMethod = nil
    let condition = isScheme("http") && isHost("a.com") && isPort(81) && isPath("/b/x.txt") && isExtension("txt")
    #expect((condition && hasExactQuery(["y": "1"]) && isMethodGET()).matches(request))
  }

  @Test("have no scheme where the text before the first colon is none")
  func colon() {
    for text in ["a@b:80/c", "a@b:c"] {
      let facts = RequestFacts(request(text))
      #expect(facts.scheme == nil && facts.path == text, "\(text)")
    }
  }
}
