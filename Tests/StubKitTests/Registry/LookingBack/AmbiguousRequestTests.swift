import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A request that can be of several tests", .inOwnProcess, .serialized)
struct AmbiguousRequestTests {
  /// What a test has of its own, and whether a request to other.example, which it may have made, can be its.
  struct Row: Sendable, CustomTestStringConvertible {
    let condition: RequestMatcher
    let stub: RequestMatcher
    let host: String
    let isAmbiguous: Bool

    init(_ condition: RequestMatcher, stub: RequestMatcher, request host: String = "a.example", _ isAmbiguous: Bool) {
      (self.condition, self.stub, self.host, self.isAmbiguous) = (condition, stub, host, isAmbiguous)
    }

    var testDescription: String { "\(condition), stub \(stub), request to \(host)" }
  }

  static let rows = [
    Row(.anything, stub: isHost("a.example"), false), Row(.anything, stub: isPath("/foo"), false),
    Row(.anything, stub: .anything, false), Row(.anything, stub: !isHost("other.example"), false),
    Row(RequestMatcher("a closure") { _ in true }, stub: isHost("a.example"), false),
    Row(isPath("/foo"), stub: isURL("https://a.example/foo"), false),
    Row(.anything, stub: isHost("other.example"), true), Row(.anything, stub: hostEndsWith(".example"), true),
    Row(.anything, stub: isMethod(.get) && isURL("https://other.example/bar"), true),
    Row(.anything, stub: isHost("a.example") || hasBaseURL("https://other.example"), true),
    Row(.anything, stub: urlMatches("^https://other"), true),
    Row(isHost("other.example"), stub: isHost("a.example"), true),
    Row(isMethod(.post) && isURL("https://other.example/foo"), stub: isHost("a.example"), true),
    Row(.anything, stub: .anything, request: "other.example", true),
  ]

  @Test("counts only for those that name its host: with a stub, a request, or the condition", arguments: rows.indices)
  func hosts(number: Int) async throws {
    let row = Self.rows[number]
    // A line is told once.
    let address = "https://other.example/foo?n=\(number)"
    let (test, other) = (StubRegistry(), StubRegistry())
    for registry in [test, other] { OpenScopes.shared.open(registry) }
    defer { for registry in [test, other] { OpenScopes.shared.close(registry) } }
    let warnings = receivedWarnings()
    stub(condition: row.stub, response: .ok, in: test)
    try await untilResumed { done in
      DispatchQueue(label: "of the client").async {
        let event = request(address, method: "POST")
        URLSession(configuration: .ephemeral).dataTask(with: event) { _, _, _ in done.resume() }.resume()
      }
    }
    _ = try? await test.makeSession().fetch("https://\(row.host)/own")
    let own = test.journal.requests(matching: row.condition).count
    let report = report { try verify(row.condition, called: .exactly(own), in: test) }
    #expect(report.contains("It is unknown whose request this is") == row.isAmbiguous, "\(report)")
    #expect((report == "holds") == !row.isAmbiguous, "\(report)")
    // Wherever it went, a line says so.
    #expect(
      warnings.withLock(\.self).contains {
        $0.contains("It is unclear whose request this is: POST \(address)")
      })
  }

  @Test("gives a wait for its stub one cause and one cure")
  func wait() async throws {
    let (test, other) = (StubRegistry(), StubRegistry())
    for registry in [test, other] { OpenScopes.shared.open(registry) }
    defer { for registry in [test, other] { OpenScopes.shared.close(registry) } }
    _ = receivedWarnings()
    let events = stub(condition: isHost("events.example"), response: .ok, in: test)
    try await untilResumed { done in
      DispatchQueue(label: "of the client").async {
        let event = request("https://events.example/1", method: "POST")
        URLSession(configuration: .ephemeral).dataTask(with: event) { _, _, _ in done.resume() }.resume()
      }
    }
    let error = await #expect(throws: StubWaitError.self) { try await events.waitForCalls(timeout: .zero) }
    #expect(
      error?.description.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        It is unknown whose request this is, made on a plain queue or in a detached task beside several open scopes:
          POST https://events.example/1
        Give the client a session that the test creates, such as HTTPStubs.makeSession(). A client that creates its own session outside of the test, as a static singleton does, needs tests that run one at a time: .serialized.
        """)
  }
}
