import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that asks for a password", .inTurn)
struct UnauthorizedResponseTests {
  @Test(
    "is a 401 with a Basic challenge, whatever stands in its realm", arguments: ["Films", #"a "b" \c, d="e""#, "", "é"])
  func challenge(realm: String) throws {
    let response = StubResponse.unauthorized(realm: realm, headers: ["X-A": "b"])
    #expect(response.status == 401 && response.headers["X-A"] == "b" && response.problem == nil)
    let address = try #require(URL(string: "https://a.example/film"))
    let fields = response.headContent(bodyLength: 0).fields
    let head = try #require(HTTPURLResponse(url: address, statusCode: 401, httpVersion: nil, headerFields: fields))
    #expect(CredentialDemand(head)?.space.realm == realm)
  }

  @Test("writes a realm as a quoted string")
  func quoting() {
    #expect(StubResponse.unauthorized(realm: #"a "b" \"#).headers["WWW-Authenticate"] == #"Basic realm="a \"b\" \\""#)
  }

  @Test("with a line break in its realm can't be sent")
  func lineBreak() {
    let reason = StubResponseError.Reason.invalidHeaderValue("Basic realm=\"a\nb\"", name: "WWW-Authenticate")
    #expect(StubResponse.unauthorized(realm: "a\nb").problem == reason)
  }
}
