import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The page of StubKitArchive", .inTurn)
struct StubKitArchiveExamples {
  @Test("keeps the entries of one host, without secrets")
  func oneHost() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString).har")
    defer { try? FileManager.default.removeItem(at: url) }
    var request = URLRequest(url: URL(string: "https://api.example.com/users")!)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let other = URLRequest(url: URL(string: "https://cdn.example.com/logo.png")!)
    try HTTPArchive(entries: [.init(request: request), .init(request: other)]).write(to: url)

    var archive = try HTTPArchive(contentsOf: url)
    archive.entries.removeAll { $0.request.url?.host != "api.example.com" }
    try archive.redacted(.standard).write(to: url)

    let left = try HTTPArchive(contentsOf: url).entries
    #expect(left.map(\.request.url) == [request.url])
    #expect(left[0].request.value(forHTTPHeaderField: "Authorization") == "Bearer \(Redaction.mark)")
  }
}
