import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The guide to recording and replaying", .inTurn)
struct RecordingAndReplayingExamples {
  private let client = UserClient()

  private struct UserClient {
    func users() async throws -> [String] {
      try JSONDecoder().decode([String].self, from: Data(try await text("/users").utf8))
    }
  }

  @Test("shows a recording around any code")
  func anyCode() async throws {
    let users = try await withRecording(Recording("users")) {
      try await client.users()
    }
    #expect(users == ["Ann", "Bob"])
  }

  @Test("shows a recording that names the parts it compares")
  func matching() async throws {
    let recording = Recording(
      "users", matching: [.method, .path, .query, .differingBodies])
    let users = try await withRecording(recording) { try await client.users() }
    #expect(users == ["Ann", "Bob"])
  }

  @Test("shows a recording with more rules of redaction than the standard ones")
  func redacting() async throws {
    let recording = Recording(
      "users",
      redacting: .standard + [.secret("X-Tenant"), .keep("t")])
    let users = try await withRecording(recording) { try await client.users() }
    #expect(users.count == 2)
  }

  @Test("shows the replay of an archive that another tool has exported")
  func foreign() async throws {
    let exported = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Recordings/users.har")
    try await withStubs {
      let archive = try HTTPArchive(contentsOf: exported)
      try replay(archive.redacted(.standard))
      #expect(try await client.users() == ["Ann", "Bob"])
    }
  }

  @Test("leaves out entries by their responses")
  func byResponses() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let entries = [200, 304].map { status in
      HTTPArchive.Entry(request: request("/users"), response: .init(status: status))
    }
    try HTTPArchive(entries: entries).write(to: file)

    var archive = try HTTPArchive(contentsOf: file)
    archive.entries.removeAll { $0.response?.status == 304 }
    try archive.write(to: file)

    #expect(try HTTPArchive(contentsOf: file).entries.map(\.response?.status) == [200])
  }

  @Test("shows a part of a recording")
  func somePart() async throws {
    let recording = Recording("users", where: !isPath("/health"))
    let users = try await withRecording(recording, where: isHost("api.example.com")) { try await client.users() }
    #expect(users == ["Ann", "Bob"])
  }

  @Test("keeps the entries of one host, without secrets, as the page of StubKitArchive does")
  func oneHost() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
    defer { try? FileManager.default.removeItem(at: url) }
    let other = URLRequest(url: URL(string: "https://cdn.example.com/logo.png")!)
    let users = request("/users", "GET", ["Authorization": "Bearer secret"])
    try HTTPArchive(entries: [.init(request: users), .init(request: other)]).write(to: url)

    var archive = try HTTPArchive(contentsOf: url)
    archive.entries.removeAll { $0.request.url?.host != "api.example.com" }
    try archive.redacted(.standard).write(to: url)

    let left = try HTTPArchive(contentsOf: url).entries
    #expect(left.map(\.request.url) == [users.url])
    #expect(left[0].request.value(forHTTPHeaderField: "Authorization") == "Bearer \(Redaction.mark)")
  }
}
