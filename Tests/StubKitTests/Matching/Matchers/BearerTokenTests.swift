import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("hasBearerToken", .inTurn)
struct BearerTokenTests {
  @Test(
    "compares the scheme without case and the token with",
    arguments: [
      ("Bearer abc", true, true), ("bearer  abc ", true, true), ("BEARER abc", true, true), ("Bearer ABC", true, false),
      ("Bearer abc.def", true, false), ("Bearer", false, false), ("Bearer ", false, false), ("Basic abc", false, false),
      ("abc", false, false),
    ])
  func tokens(header: String, isThere: Bool, isEqual: Bool) {
    let request = request("http://a.com/", headers: ["Authorization": header])
    #expect(hasBearerToken().matches(request) == isThere)
    #expect(hasBearerToken("abc").matches(request) == isEqual)
    #expect(!hasBearerToken().matches(TestSupport.request("http://a.com/")))
  }

  @Test("prints as it was written, and says what came instead")
  func report() {
    #expect("\(hasBearerToken())" == "hasBearerToken()")
    #expect("\(hasBearerToken("abc"))" == #"hasBearerToken("abc")"#)
    #expect(
      mismatches(of: hasBearerToken("abc"), ["Authorization": "Bearer abd"]) == [
        #"bearer token: expected "abc", got "REDACTED""#
      ])
    #expect(mismatches(of: hasBearerToken(), [:]) == ["bearer token: expected any value, got none"])
    #expect(
      mismatches(of: !hasBearerToken(), ["Authorization": "Bearer abc"]) == [
        #"bearer token: expected none, got "REDACTED""#
      ])
  }

  private func mismatches(of condition: RequestMatcher, _ headers: [String: String]) -> [String] {
    var facts = RequestFacts(request("http://a.com/", headers: headers))
    return condition.node.mismatches(&facts).map(\.description)
  }

  @Test("is found among other stubs")
  func index() async throws {
    try await withStubs { () async throws in
      for number in 0..<50 {
        stub(condition: hasBearerToken("token \(number)"), response: .text("\(number)"))
      }
      let text = try await URLSession.shared.fetch(
        request("http://a.example/", headers: ["Authorization": "Bearer token 7"])
      ).text
      #expect(text == "7")
    }
  }
}
