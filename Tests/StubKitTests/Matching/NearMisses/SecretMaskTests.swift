import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A report of a live request", .inTurn)
struct SecretMaskTests {
  private static let secret = "s3cr" + "et-9Zk2Rw7Q"

  @Test(
    "shows no secret of it",
    arguments: [
      (hasHeaderNamed("X-Api-Key", value: "a"), request("http://a.com/", headers: ["X-Api-Key": secret])),
      (
        hasHeaderNamed("Authorization", value: "a"),
        request("http://a.com/", headers: ["Authorization": "Bearer \(secret)"])
      ),
      (hasBearerToken("a"), request("http://a.com/", headers: ["Authorization": "Bearer \(secret)"])),
      (
        hasBasicAuth(user: "a", password: "b"),
        request("http://a.com/", headers: ["Authorization": "Basic \(Data("a:\(secret)".utf8).base64EncodedString())"])
      ),
      (hasCookie("id", value: "a"), request("http://a.com/", headers: ["Cookie": "id=\(secret)"])),
      (containsQuery("token", "a"), request("http://a.com/?token=\(secret)")),
      (hasExactQuery(["token": "a"]), request("http://a.com/?token=\(secret)")),
      (isURL("http://a.com/b"), request("http://ann:\(secret)@a.com/?access_token=\(secret)")),
      (urlMatches("z"), request("http://a.com/?access_token=\(secret)")),
      (
        hasFormBody(["password": "a"]),
        request(
          "http://a.com/", method: "POST", headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: "password=\(secret)")
      ),
      (
        hasJSONBody(["user": ["password": "a"]]),
        request("http://a.com/", method: "POST", body: #"{"user": {"password": "\#(secret)"}}"#)
      ),
      (
        hasJSON(at: "user", equals: 1),
        request("http://a.com/", method: "POST", body: #"{"user": {"password": "\#(secret)"}}"#)
      ),
      (hasBody(Data("a".utf8)), request("http://a.com/", method: "POST", body: #"{"password": "\#(secret)"}"#)),
    ])
  func hides(condition: RequestMatcher, request: URLRequest) async throws {
    let registry = StubRegistry()
    stub(condition: condition && isMethod("NEVER"), response: .empty(), in: registry)
    #expect(!registry.explain(request).description.contains(Self.secret), "\(registry.explain(request))")
    do {
      _ = try await registry.makeSession().data(for: request)
      Issue.record("The request should have failed.")
    } catch {
      let text = "\((error as NSError).userInfo) \(error)"
      #expect(!text.contains("ecret-9Zk2"), "\(text)")
    }
    let report = registry.explain(request).description
    #expect(report.contains("REDACTED") || request.url?.query == nil, "\(report)")
  }

  @Test("shows what is no secret")
  func shows() {
    let registry = StubRegistry()
    stub(
      condition: containsQuery("pageToken", "a") && hasHeaderNamed("Accept", value: "b"), response: .empty(),
      in: registry)
    let report = registry.explain(request("http://a.com/?pageToken=c", headers: ["Accept": "d"])).description
    #expect(
      report.contains("GET http://a.com/?pageToken=c") && report.contains(#"got "c""#) && report.contains(#"got "d""#))
  }
}
