import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("An unauthorized response", .inTurn)
struct UnauthorizedResponseTests {
  @Test("is a 401 with any realm but a line break")
  func challenge() throws {
    for realm in ["Films", #"a "b" \c, d="e""#, "", "é"] {
      let response = StubResponse.unauthorized(realm: realm, headers: ["X-A": "b"])
      #expect(response.status == 401 && response.headers["X-A"] == "b" && response.problem == nil, "\(realm)")
      let fields = response.headContent(bodyLength: 0).fields
      let head = HTTPURLResponse(
        url: url("https://a.example/film"), statusCode: 401, httpVersion: nil, headerFields: fields)
      #expect(CredentialDemand(try #require(head))?.space.realm == realm)
    }
    #expect(StubResponse.unauthorized(realm: #"a "b" \"#).headers["WWW-Authenticate"] == #"Basic realm="a \"b\" \\""#)
    let reason = StubResponseError.Reason.invalidHeaderValue("Basic realm=\"a\nb\"", name: "WWW-Authenticate")
    #expect(StubResponse.unauthorized(realm: "a\nb").problem == reason)
  }
}
