import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A long body", .inTurn)
struct LongBodyTests {
  static func json(_ bytes: Int) -> URLRequest {
    post(#"{"id": 1, "text": "\#(String(repeating: "x", count: bytes))"}"#)
  }

  static let conditions = [
    hasJSON(at: "id", equals: 1), bodyContains("id"), hasJSONBody(containing: ["id": 1]) && isHost("a.com"),
    hasHeader("X") || hasJSON(at: "id", equals: 1),
  ]

  @Test("is not looked at on a queue that all sessions share", arguments: conditions)
  func elsewhere(condition: RequestMatcher) async throws {
    let registry = StubRegistry()
    stub(condition: condition, response: .text("found"), in: registry)
    let short = registry.answer(IncomingRequest(Self.json(1_000)))
    guard case .respond = short.kind else {
      Issue.record("A short body is looked at where it is.")
      return
    }
    #expect(short.call == 1)
    let long = registry.answer(IncomingRequest(Self.json(100_000)))
    guard case .undecided(let rest) = long.kind, long.listeners.isEmpty else {
      Issue.record("A long body was looked at.")
      return
    }
    #expect(await rest().call == 2)
  }

  @Test("holds nothing up where no condition asks for it")
  func unasked() {
    let registry = StubRegistry()
    stub(condition: isHost("a.com"), response: .empty(), in: registry)
    stub(condition: isPath("/other") && bodyContains("x"), response: .empty(), in: registry)
    let answer = registry.answer(IncomingRequest(Self.json(100_000)))
    guard case .respond = answer.kind else {
      Issue.record("The body was asked for.")
      return
    }
    #expect(answer.call == 1)
  }

  @Test("is answered by the stub that asks for it, or reported")
  func session() async throws {
    try await withStubs {
      let found = stub(condition: hasJSON(at: "id", equals: 1), response: .text("found"))
      let (data, _) = try await URLSession.shared.data(for: Self.json(1_000_000))
      #expect(data == Data("found".utf8) && found.callCount == 1)
      found.remove()
      stub(condition: hasJSON(at: "id", equals: 2), response: .text("found"))
      let error = await #expect(throws: UnmatchedRequestError.self) {
        _ = try await URLSession.shared.data(for: Self.json(1_000_000))
      }
      #expect(error?.description.contains("body at id: expected 2, got 1") == true)
    }
  }
}
