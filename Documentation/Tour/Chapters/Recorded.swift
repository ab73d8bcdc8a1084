import Foundation
import StubKitRecorder
import StubKitServer

extension Chapter {
  static let recorded = Chapter(
    "Recorded once, replayed from a file",
    code: #"""
      try await withRecording(Recording("launch", in: folder, mode: .once)) {
        try await launch(server.url)  // the real network, this time
      }
      await server.stop()
      try await withRecording(Recording("launch", in: folder, mode: .once,
                                        timing: .recorded)) {
        try await launch(server.url)  // the file
      }
      """#,
    picture: TerminalPicture(
      name: "waterfall", command: "swift package stubkit inspect launch.har",
      description: "The entries of a recording as a table, with a waterfall of their times."
    ) { lines in
      guard let start = lines.firstIndex(where: { $0.contains("#  method") }) else { return [] }
      return Array(lines[start...])
    }
  ) { page in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTour-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = StubRegistry()
    addAnswers(to: service)
    let server = try await StubServer(registry: service)
    try await withRecording(Recording("launch", in: folder, mode: .once)) {
      try await launch(server.url)  // the real network, this time
    }
    await server.stop()
    try await withRecording(
      Recording(
        "launch", in: folder, mode: .once,
        timing: .recorded)
    ) {
      try await launch(server.url)  // the file
    }

    let archive = try HTTPArchive(contentsOf: folder.appendingPathComponent("launch.har"))
    page.show("\nThe server is gone, and the app has launched again. swift package stubkit inspect launch.har:\n")
    for line in ArchiveTable(archive, width: Terminal.width - 3).lines { page.show(line) }
    page.expect(archive.entries.map { $0.response?.status } == [200, 200, 200, 200], "four responses in the file")
    page.expect(service.journal.entries.count == 4, "only four requests on the network")
  }

  /// Adds what the server answers, each time after a while.
  private static func addAnswers(to service: StubRegistry) {
    let photo = "\"\(String(repeating: "photo ", count: 7_000))\""
    let answers = [
      ("/config", 20, #"{"version": 2}"#), ("/me", 30, #"{"name": "Ann"}"#), ("/news", 60, #"{"news": 3}"#),
      ("/photo", 100, photo),
    ]
    for (path, milliseconds, body) in answers {
      stub(
        condition: isPath(path),
        response: .text(body).header("Content-Type", "application/json").delay(.milliseconds(milliseconds)), in: service
      )
    }
  }

  private static func launch(_ server: URL) async throws {
    _ = try await Reply.get("\(server)/config")
    async let me = Reply.get("\(server)/me")
    async let news = Reply.get("\(server)/news")
    async let photo = Reply.get("\(server)/photo")
    _ = try await (me, news, photo)
  }
}
