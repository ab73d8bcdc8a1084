import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The guide to recording and replaying", .inTurn)
struct RecordingAndReplayingExamples {
  private let client = UserClient()

  private struct UserClient {
    func users() async throws -> [String] {
      let (data, _) = try await URLSession.shared.data(from: address("/users"))
      return try JSONDecoder().decode([String].self, from: data)
    }

    func deleteAll() async throws -> Int? {
      var request = URLRequest(url: address("/users"))
      request.httpMethod = "DELETE"
      return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
    }
  }

  @Test("plays a recording for any code")
  func anyCode() async throws {
    let users = try await withRecording(Recording("users")) {
      try await client.users()
    }
    #expect(users == ["Ann", "Bob"])
  }

  @Test("compares the parts that it names")
  func matching() async throws {
    let recording = Recording(
      "users", matching: [.method, .path, .query, .headers(["Accept"])])
    let users = try await withRecording(recording) { try await client.users() }
    #expect(users.count == 2)
  }

  @Test("redacts more than by default")
  func redacting() async throws {
    let recording = Recording(
      "users",
      redacting: .standard + [.header("X-Tenant"), .jsonField("ssn")])
    let users = try await withRecording(recording) { try await client.users() }
    #expect(users.count == 2)
  }

  @Test("lets stubs come before the recording")
  func together() async throws {
    try await withRecording(Recording("users")) {
      stub(
        condition: isMethodDELETE() && isPath("/users"),
        response: .status(503))
      let users = try await client.users()
      let status = try await client.deleteAll()
      #expect(users.count == 2 && status == 503)
    }
  }

  @Test("replays an archive of another tool")
  func foreign() async throws {
    let exported = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Recordings/users.har")
    try await withStubs {
      let archive = try HTTPArchive(contentsOf: exported)
      replay(archive.redacted(.standard))
      let users = try await client.users()
      #expect(users == ["Ann", "Bob"])
    }
  }
}
