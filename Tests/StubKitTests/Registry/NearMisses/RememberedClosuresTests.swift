import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A report's closures", .inTurn)
struct RememberedClosuresTests {
  @Test("were run once, by the search, and their answers are remembered")
  func once() async throws {
    try await withStubs {
      let calls = Protected<[String]>([])
      func says(_ name: String, _ answer: Bool) -> RequestMatcher {
        RequestMatcher(name) { _ in
          calls.withLock { $0.append(name) }
          return answer
        }
      }
      stub(condition: isHost("closures.example") && says("no", false), response: .empty())
      stub(condition: isPath("/other") && says("never asked", true), response: .empty())
      stub(condition: isPath("/users") && !says("yes", true), response: .empty())
      let error = try #require(
        await URLSession.shared.failure(of: "http://closures.example/users") as? UnmatchedRequestError)
      #expect(calls.withLock(\.self) == ["yes", "no"])
      #expect(
        error.nearest.map { $0.mismatches.map(\.description) } == [
          [#"closure "yes": expected false, got true"#], [#"closure "no": expected true, got false"#],
          ["path: expected /other, got /users", #"closure "never asked": not asked"#],
        ])
    }
  }

  @Test("are remembered across the reading of a body")
  func bodies() async throws {
    await withStubs {
      let calls = Protected(0)
      stub(condition: hasJSONBody(["a": 1]) && RequestMatcher("never") { _ in true }, response: .empty())
      stub(
        condition: RequestMatcher("no") { _ in
          calls.withLock { $0 += 1 }
          return false
        }, response: .empty())
      let request = request("http://closures.example/", method: "POST", streamed: #"{"a": 2}"#)
      let error = await #expect(throws: UnmatchedRequestError.self) { try await URLSession.shared.fetch(request) }
      #expect(calls.withLock(\.self) == 1)
      #expect(
        error?.nearest.map { $0.mismatches.map(\.description) } == [
          [#"closure "no": expected true, got false"#],
          ["body at a: expected 1, got 2", #"closure "never": not asked"#],
        ])
    }
  }
}
