import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that demands a credential", .inTurn)
struct CredentialDemandTests {
  private func read(_ status: Int, _ headers: [String: String], from text: String = "https://a.example/b")
    -> CredentialDemand?
  {
    CredentialDemand(
      HTTPURLResponse(url: url(text), statusCode: status, httpVersion: nil, headerFields: headers)!)
  }

  @Test(
    "names its realm in the first challenge that is Basic",
    arguments: [
      ("Basic realm=\"a\"", "a"),
      ("basic REALM=\"a b\", charset=\"UTF-8\"", "a b"),
      ("Basic charset=\"UTF-8\", realm=\"a\"", "a"),
      ("Basic realm=plain", "plain"),
      ("Basic realm = \"spaced\"", "spaced"),
      ("Digest realm=\"d\", nonce=\"n, m\", Basic realm=\"b\"", "b"),
      ("Basic realm=\"a \\\"quoted\\\" one, with a comma\"", "a \"quoted\" one, with a comma"),
      ("Negotiate, Basic realm=\"a\"", "a"),
      ("Basic realm=\"\"", ""),
      ("Digest realm=\"d\", nonce=\"n\"", nil),
      ("Bearer realm=\"d\"", nil),
      ("Basic", nil),
      ("Basic charset=\"UTF-8\"", nil),
      ("", nil),
    ] as [(String, String?)])
  func realms(header: String, realm: String?) {
    #expect(CredentialDemand.realm(header) == realm)
  }

  @Test("is a 401 of a server, on the port of its scheme where it names none")
  func server() throws {
    let demand = try #require(read(401, ["WWW-Authenticate": "Basic realm=\"r\""]))
    #expect(demand.space.host == "a.example")
    #expect(demand.space.port == 443)
    #expect(demand.space.protocol == "https")
    #expect(demand.space.realm == "r")
    #expect(demand.space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
    let credential = URLCredential(user: "u", password: "p:1", persistence: .none)
    let request = demand.request(URLRequest(url: url("https://a.example/b")), with: credential)
    #expect(request.allHTTPHeaderFields == ["Authorization": "Basic dTpwOjE="])
  }

  @Test("is a 407 of a proxy")
  func proxy() throws {
    let demand = try #require(read(407, ["Proxy-Authenticate": "Basic realm=\"r\""], from: "http://a.example:8080/"))
    #expect(demand.space.port == 8080)
    #expect(demand.space.proxyType == "http")
    let credential = URLCredential(user: "u", password: "p", persistence: .none)
    let request = demand.request(URLRequest(url: url("http://a.example:8080/")), with: credential)
    #expect(request.allHTTPHeaderFields == ["Proxy-Authorization": "Basic dTpw"])
  }

  @Test(
    "is no other response",
    arguments: [
      (401, ["Proxy-Authenticate": "Basic realm=\"r\""]), (407, ["WWW-Authenticate": "Basic realm=\"r\""]),
      (403, ["WWW-Authenticate": "Basic realm=\"r\""]), (200, ["WWW-Authenticate": "Basic realm=\"r\""]), (401, [:]),
    ])
  func others(status: Int, headers: [String: String]) {
    #expect(read(status, headers) == nil)
  }
}
