import Foundation
import StubKit
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The landing page")
struct StubKitExamples {
  @Test("shows a line that answers a request")
  func plain() async throws {
    try await withStubs {
      stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .json(["id": 42]))

      let answer = try await text("/users/42")
      #expect(answer == #"{"id":42}"#)
    }
  }

  @Test("shows a redirect that leads to a film")
  func redirect() async throws {
    try await withStubs {
      stub(condition: isPath("/old"), response: .redirect(to: "/new", status: 301))
      stub(condition: isPath("/new"), response: .data(film).chunked(by: 64_000))

      let (data, response) = try await URLSession.shared.data(from: address("/old"))
      #expect(data == film && response.url?.path == "/new")
    }
  }
}
