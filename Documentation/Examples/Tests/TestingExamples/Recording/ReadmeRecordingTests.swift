import Foundation
import StubKitRecording
import Testing

// What the README shows of recordings, as it shows it.

@Test(.stubbed, .recorded("users"))
func loadsRecordedUsers() async throws {
  let users = try await client.users()
  #expect(users == ["Ann", "Bob"])
}

private let client = Client()

private struct Client {
  func users() async throws -> [String] {
    let url = URL(string: "https://api.example.com/users")!
    return try JSONDecoder().decode([String].self, from: try await URLSession.shared.data(from: url).0)
  }
}
