import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The facts of a request", .inTurn)
struct RequestFactsTests {
  @Test("of a URL relative to a base are those of the whole, and a method that is not set is GET")
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
