import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Header matchers", .inTurn)
struct HeaderMatchersTests {
  @Test("headerMatches searches the value and captures named groups")
  func pattern() {
    let matcher = headerMatches("authorization", "^bearer (?<token>.+)", options: .caseInsensitive)
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Bearer abc"])) == ["token": "abc"])
    #expect(matcher.captures(request("http://a.com", headers: ["Authorization": "Basic abc"])) == nil)
    #expect(matcher.captures(request("http://a.com")) == nil)
  }
}

@Suite("hasBearerToken", .inTurn)
struct BearerTokenTests {
  @Test("prints as it was written, and says what came instead")
  func report() {
    #expect("\(hasBearerToken())" == "hasBearerToken()")
    #expect("\(hasBearerToken("abc"))" == #"hasBearerToken("abc")"#)
    #expect(
      mismatches(of: hasBearerToken("abc"), ["Authorization": "Bearer abd"]) == [
        #"bearer token: expected "abc", got "abd""#
      ])
    #expect(mismatches(of: hasBearerToken(), [:]) == ["bearer token: expected any value, got none"])
    #expect(
      mismatches(of: !hasBearerToken(), ["Authorization": "Bearer abc"]) == [
        #"bearer token: expected none, got "abc""#
      ])
  }

  private func mismatches(of condition: RequestMatcher, _ headers: [String: String]) -> [String] {
    condition.mismatches(request("http://a.com/", headers: headers)).map(\.description)
  }
}
