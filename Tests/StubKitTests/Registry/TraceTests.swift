import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("STUBKIT_LOG=1", .inTurn)
struct TraceTests {
  #if compiler(>=6.2)
    @Test("prints one line for each decision")
    func lines() async throws {
      let result = try #require(
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          setenv("STUBKIT_LOG", "1", 1)
          try await withStubs {
            let server = try LoopbackServer()
            stub(condition: isPath("/users"), response: .text("x"), name: "users")
            _ = try await URLSession.shared.fetch("http://a.example/users")
            _ = await URLSession.shared.failure(of: "http://a.example/posts")
            HTTPStubs.unmatched = .passThrough
            _ = try await URLSession.shared.fetch(URLRequest(url: server.url("/out")))
          }
        })
      let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix("StubKit:") }.map { String($0.dropFirst(9)) }
      #expect(lines.count == 6)
      #expect(lines[0] == "taken GET http://a.example/users")
      #expect(lines[1].hasPrefix("matched GET http://a.example/users by \"users\" (StubKitTests/TraceTests.swift:"))
      #expect(lines[2...3] == ["taken GET http://a.example/posts", "unmatched GET http://a.example/posts"])
      #expect(lines[5].hasPrefix("passed through GET http://127.0.0.1:"))
    }
  #endif
}
