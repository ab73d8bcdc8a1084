import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to how it works", .inTurn)
struct HowItWorksExamples {
  @Test("shows conditions that are found, and one that is looked at")
  func index() async throws {
    try await withStubs {
      // Found by its method and path.
      stub(condition: isMethodGET() && isPath("/users"), response: .json([]))
      // Found by its path.
      stub(condition: isPath("/login") && { $0.timeoutInterval < 5 }, response: .empty())
      // Checked for every request.
      stub(condition: !isHost("api.example.com"), response: .status(502))

      let users = try await status("/users")
      #expect(users == 200)
      var login = URLRequest(url: address("/login"))
      login.timeoutInterval = 4
      let quick = try await URLSession.shared.data(for: login).1 as? HTTPURLResponse
      #expect(quick?.statusCode == 204)
      let other = try await URLSession.shared.data(from: URL(string: "https://example.org/users")!).1
      #expect((other as? HTTPURLResponse)?.statusCode == 502)
      await #expect(throws: UnmatchedRequestError.self) { try await status("/login") }
    }
  }
}
