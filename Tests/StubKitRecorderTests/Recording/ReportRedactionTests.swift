import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("A report of a request", .inTurn)
struct ReportRedactionTests {
  private static let secret = "s3cr" + "et-9Zk2Rw7Q"
  private static let basic = Data("a:\(secret)".utf8).base64EncodedString()
  private static let secrets: [(RequestMatcher, String)] = [
    (hasHeader("X-Api-Key", "a"), "@X-Api-Key=\(secret)"), (hasCookie("id", "a"), "@Cookie=id=\(secret)"),
    (hasBearerToken("a"), "@Authorization=Bearer+\(secret)"), (containsQuery("token", "a"), "/?token=\(secret)"),
    (hasBasicAuth(user: "a", password: "b"), "@Authorization=Basic+\(basic)"),
    (isURL("http://a.com/b"), "http://ann:\(secret)@a.com/?access_token=\(secret)"),
    (hasFormBody(["password": "a"]), "form < password=\(secret)"),
    (hasJSONBody(["user": ["password": "a"]]), #"< {"user": {"password": "\#(secret)"}}"#),
    (hasJSON(at: "user", equals: 1), #"< {"user": {"pin": "\#(secret)"}}"#),
    (hasBody(Data("a".utf8)), #"< {"password": "\#(secret)"}"#),
  ]

  private static let token = (hasBearerToken("x"), "@Authorization=Bearer+abcdefgh1")
  private static let city = (hasJSONBody(["city": "There"]), #"< {"city": "Here"}"#)
  private static let rules: [([Redaction], (RequestMatcher, String), String)] = [
    ([], token, #"token: expected "x", got "abcdefgh1""#),
    (.standard, token, #"token: expected "x", got "REDACTED""#),
    ([.text(matching: "c.e")], token, #"token: expected "x", got "abREDACTEDfgh1""#),
    ([.json(at: "city")], city, #"body at city: expected "There", got "REDACTED""#),
    // No secrets by the standard.
    (.standard, (containsQuery("pageToken", "a"), "/?pageToken=c"), #"got "c""#),
    (.standard, (hasHeader("Accept", "b"), "@Accept=d"), #"got "d""#),
  ]

  @Test("shows every value in a plain test")
  func plain() async {
    for (condition, text) in Self.secrets {
      #expect(await report(of: condition, text, nil).contains(Self.secret), "\(condition)")
    }
  }

  @Test("shows no value that the standard rules replace while a recording is in use, nor a part of one")
  func standard() async {
    for (condition, text) in Self.secrets {
      let report = await report(of: condition, text, .standard)
      #expect(!report.contains("ecret-9Zk2"), "\(condition): \(report)")
      #expect(report.contains("REDACTED"), "\(condition): \(report)")
    }
  }

  @Test("shows what rules of the recording's own leave of a value")
  func ownRules() async {
    for (redactions, (condition, text), line) in Self.rules {
      let report = await report(of: condition, text, redactions)
      #expect(report.contains(line), "\(line): \(report)")
    }
  }

  /// Returns the explanation and the error of a request that a stub's condition doesn't match.
  private func report(
    of condition: RequestMatcher, _ text: String, _ redactions: [Redaction]?
  ) async -> String {
    let request = asked(text)
    return await withStubs {
      _ = StubRegistry.current.begin(RecordingInUse(filter: redactions.map { RedactionRules($0) }, isOfTest: true))
      StubRegistry.current.unmatched = .fail
      stub(condition: condition && isMethod("NEVER"), response: .status(204))
      let explanation = StubRegistry.current.explain(request).description
      let error = await #expect(throws: (any Error).self) { try await URLSession.shared.data(for: request) }
      let mismatches = (error as? UnmatchedRequestError)?.nearest.map(\.mismatches) ?? []
      return "\(explanation)\n\(mismatches)\n\(error.map { "\(($0 as NSError).userInfo) \($0)" } ?? "")"
    }
  }
}
