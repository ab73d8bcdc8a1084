import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A report of a request", .inTurn)
struct ReportRedactionTests {
  private static let secret = "s3cr" + "et-9Zk2Rw7Q"
  private static let rows: [(RequestMatcher, URLRequest)] = [
    (hasHeader("X-Api-Key", "a"), request("http://a.com/", headers: ["X-Api-Key": secret])),
    (
      hasHeader("Authorization", "a"),
      request("http://a.com/", headers: ["Authorization": "Bearer \(secret)"])
    ),
    (hasBearerToken("a"), request("http://a.com/", headers: ["Authorization": "Bearer \(secret)"])),
    (
      hasBasicAuth(user: "a", password: "b"),
      request("http://a.com/", headers: ["Authorization": "Basic \(Data("a:\(secret)".utf8).base64EncodedString())"])
    ),
    (hasCookie("id", "a"), request("http://a.com/", headers: ["Cookie": "id=\(secret)"])),
    (containsQuery("token", "a"), request("http://a.com/?token=\(secret)")),
    (hasExactQuery(["token": "a"]), request("http://a.com/?token=\(secret)")),
    (isURL("http://a.com/b"), request("http://ann:\(secret)@a.com/?access_token=\(secret)")),
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
      request("http://a.com/", method: "POST", body: #"{"user": {"pin": "\#(secret)"}}"#)
    ),
    (hasBody(Data("a".utf8)), request("http://a.com/", method: "POST", body: #"{"password": "\#(secret)"}"#)),
  ]

  @Test("shows every value in a plain test, and no secret while a recorder is in use", arguments: rows)
  func secrets(condition: RequestMatcher, request: URLRequest) async {
    #expect(await report(of: condition, request, nil).contains(Self.secret))
    let report = await report(of: condition, request, ArchiveRecorder())
    #expect(!report.contains("ecret-9Zk2") && report.contains("REDACTED"), "\(report)")
  }

  @Test(
    "lacks what the recording's own rules replace, and only that",
    arguments: [
      ([], "Bearer abcdefgh1", "token: expected \"x\", got \"abcdefgh1\""),
      (.standard, "Bearer abcdefgh1", "token: expected \"x\", got \"REDACTED\""),
      ([.text(matching: "c.e")], "Bearer abcdefgh1", "token: expected \"x\", got \"abREDACTEDfgh1\""),
    ] as [([Redaction], String, String)])
  func rules(redactions: [Redaction], authorization: String, line: String) async {
    let request = request("http://a.com/", headers: ["Authorization": authorization])
    #expect(await report(of: hasBearerToken("x"), request, ArchiveRecorder(redactions)).contains(line))
  }

  @Test("lacks the value at the path of a rule")
  func path() async {
    let request = request("http://a.com/", method: "POST", body: #"{"user": {"city": "Here"}}"#)
    let recorder = ArchiveRecorder([.json(at: "user.city")])
    let report = await report(of: hasJSONBody(["user": ["city": "There"]]), request, recorder)
    #expect(report.contains(#"body at user.city: expected "There", got "REDACTED""#), "\(report)")
  }

  @Test("shows what is no secret while a recorder is in use")
  func shows() async {
    let report = await report(
      of: containsQuery("pageToken", "a") && hasHeader("Accept", "b"),
      request("http://a.com/?pageToken=c", headers: ["Accept": "d"]), ArchiveRecorder())
    #expect(
      report.contains("GET http://a.com/?pageToken=c") && report.contains(#"got "c""#) && report.contains(#"got "d""#))
  }

  /// Returns the explanation and the error of a request that a stub's condition doesn't match.
  private func report(
    of condition: RequestMatcher, _ request: URLRequest, _ recorder: ArchiveRecorder?
  ) async -> String {
    await withStubs {
      StubRegistry.current.tap = recorder
      StubRegistry.current.unmatched = .fail
      stub(condition: condition && isMethod("NEVER"), response: .empty())
      let explanation = StubRegistry.current.explain(request).description
      let error = await #expect(throws: (any Error).self) { try await URLSession.shared.data(for: request) }
      return "\(explanation)\n\(error.map { "\(($0 as NSError).userInfo) \($0)" } ?? "")"
    }
  }
}
