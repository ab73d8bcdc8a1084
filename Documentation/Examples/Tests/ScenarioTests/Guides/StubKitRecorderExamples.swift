import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The page of StubKitRecorder", .inTurn)
struct StubKitRecorderExamples {
  private let client = Client()

  private struct Client {
    func users() async throws -> [String] {
      let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!)
      return try JSONDecoder().decode([String].self, from: data)
    }
  }

  @Test("plays a recording for any code")
  func anyCode() async throws {
    let users = try await withRecording(Recording("users")) {
      try await client.users()
    }
    #expect(users == ["Ann", "Bob"])
  }
}
