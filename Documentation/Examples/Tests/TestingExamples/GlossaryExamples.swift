import Foundation
import StubKitTesting
import Testing

// The glossary's example, as the page shows it.

@Test(.stubbed(clock: .immediate)) func loadsUsers() async throws {
  stub(
    condition: isHost("api.example.com") && isPath("/users"),
    response: .json([]).delay(.seconds(2)))
  _ = try await client.users()
  try verify(isPath("/users"), called: .once)
}

private let client = Client()

private struct Client {
  func users() async throws -> Data {
    try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!).0
  }
}
