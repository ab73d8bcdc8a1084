import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A report of a request", .inTurn)
struct ReportRedactionTests {
  private static let secret = "s3cr" + "et-9Zk2Rw7Q"
  private static let basic = Data("a:\(secret)".utf8).base64EncodedString()
  private static let rows: [(RequestMatcher, String)] = [
    (hasHeader("X-Api-Key", "a"), "@X-Api-Key=\(secret)"),
    (hasHeader("Authorization", "a"), "@Authorization=Bearer+\(secret)"),
    (hasBearerToken("a"), "@Authorization=Bearer+\(secret)"),
    (hasBasicAuth(user: "a", password: "b"), "@Authorization=Basic+\(basic)"),
    (hasCookie("id", "a"), "@Cookie=id=\(secret)"), (containsQuery("token", "a"), "/?token=\(secret)"),
    (hasExactQuery(["token": "a"]), "/?token=\(secret)"),
    (isURL("http://a.com/b"), "http://ann:\(secret)@a.com/?access_token=\(secret)"),
    (hasFormBody(["password": "a"]), "form < password=\(secret)"),
    (hasJSONBody(["user": ["password": "a"]]), #"< {"user": {"password": "\#(secret)"}}"#),
    (hasJSON(at: "user", equals: 1), #"< {"user": {"pin": "\#(secret)"}}"#),
    (hasBody(Data("a".utf8)), #"< {"password": "\#(secret)"}"#),
  ]

  @Test("shows every value in a plain test, and no secret while a recorder is in use")
  func secrets() async {
    for (condition, text) in Self.rows {
      #expect(await report(of: condition, text, nil).contains(Self.secret), "\(condition)")
      let report = await report(of: condition, text, ArchiveRecorder())
      #expect(!report.contains("ecret-9Zk2") && report.contains("REDACTED"), "\(report)")
    }
  }

  @Test("lacks what the recording's own rules replace, and only that")
  func rules() async {
    let bearer = "@Authorization=Bearer+abcdefgh1"
    let city = hasJSONBody(["user": ["city": "There"]])
    for (redactions, condition, request, line) in [
      ([], hasBearerToken("x"), bearer, #"token: expected "x", got "abcdefgh1""#),
      (.standard, hasBearerToken("x"), bearer, #"token: expected "x", got "REDACTED""#),
      ([.text(matching: "c.e")], hasBearerToken("x"), bearer, #"token: expected "x", got "abREDACTEDfgh1""#),
      (
        [.json(at: "user.city")], city, #"< {"user": {"city": "Here"}}"#,
        #"body at user.city: expected "There", got "REDACTED""#
      ),
      (.standard, containsQuery("pageToken", "a"), "/?pageToken=c", #"got "c""#),
      (.standard, hasHeader("Accept", "b"), "@Accept=d", #"got "d""#),
    ] as [([Redaction], RequestMatcher, String, String)] {
      let report = await report(of: condition, request, ArchiveRecorder(redactions))
      #expect(report.contains(line), "\(report)")
    }
  }

  /// Returns the explanation and the error of a request that a stub's condition doesn't match.
  private func report(
    of condition: RequestMatcher, _ text: String, _ recorder: ArchiveRecorder?
  ) async -> String {
    let request = asked(text)
    return await withStubs {
      StubRegistry.current.tap = recorder
      StubRegistry.current.unmatched = .fail
      stub(condition: condition && isMethod("NEVER"), response: .empty())
      let explanation = StubRegistry.current.explain(request).description
      let error = await #expect(throws: (any Error).self) { try await URLSession.shared.data(for: request) }
      return "\(explanation)\n\(error.map { "\(($0 as NSError).userInfo) \($0)" } ?? "")"
    }
  }
}
