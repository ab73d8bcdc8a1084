import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to how it works", .inTurn)
struct HowItWorksExamples {
  @Test("shows conditions that are found, and one that is looked at")
  func index() async throws {
    try await withStubs { () async throws in
      // Found by its method and path.
      stub(condition: isMethodGET() && isPath("/users"), response: .json([]))
      // Found by its path. The closure runs only for requests to it.
      stub(condition: isPath("/login") && { $0.timeoutInterval < 5 }, response: .empty())
      // Checked for every request.
      stub(condition: !isHost("api.example.com"), response: .status(502))

      #expect(try await status("/users") == 200)
      #expect(try await status(URLRequest(url: URL(string: "https://example.org/users")!)) == 502)
    }
  }
}
