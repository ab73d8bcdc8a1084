import Foundation
import StubKitRecorder
import TestSupport
import Testing

/// A client of a service for news.
private struct NewsClient: Sendable {
  let base: URL
  let token: String

  struct Answer: Equatable {
    let status: Int
    let headers: [String: String]
    let body: Data
  }

  func get(_ path: String) async throws -> Answer {
    var request = URLRequest(url: URL(string: "\(path)?access_token=\(token)", relativeTo: base)!.absoluteURL)
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    let head = response as! HTTPURLResponse
    let headers = head.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
    return Answer(status: head.statusCode, headers: Dictionary(headers) { $1 }, body: data)
  }

  /// All that a morning's reading takes.
  func readAll() async throws -> [Answer] {
    var answers: [Answer] = []
    for path in ["/latest", "/missing", "/count", "/count", "/latest"] { answers.append(try await get(path)) }
    return answers
  }
}

@Suite("The story of a recording", .inTurn)
struct RecordedNewsTests {
  @Test("is made from a server, and then the server is not needed any more, nor the secret")
  func story() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await NewsServer()

    let live = try await withRecording(Recording("morning", in: folder, mode: .once)) {
      try await NewsClient(base: server.url, token: "s3cret").readAll()
    }
    #expect(live.map(\.status) == [200, 404, 200, 200, 200])
    #expect(String(decoding: live[3].body, as: UTF8.self) == "read 2 times")
    let count = server.requestCount
    #expect(count >= 5)

    let file = folder.appendingPathComponent("morning.har")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains("s3cret") && text.contains("REDACTED"))
    await server.stop()

    // Another secret, as on another machine.
    let again = try await withRecording(Recording("morning", in: folder)) {
      try await NewsClient(base: server.url, token: "another").readAll()
    }
    #expect(again == live)
    #expect(server.requestCount == count)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}
