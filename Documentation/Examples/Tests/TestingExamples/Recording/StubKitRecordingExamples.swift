import Foundation
import StubKitRecording
import TestSupport
import Testing

private struct Client {
  func users() async throws -> [String] {
    let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!)
    return try JSONDecoder().decode([String].self, from: data)
  }
}

private let client = Client()

@Suite("The page of StubKitRecording", .inTurn)
struct StubKitRecordingExamples {
  @Test(.stubbed, .recorded("users"))
  func loadsUsers() async throws {
    let users = try await client.users()
    #expect(users == ["Ann", "Bob"])
  }
}
