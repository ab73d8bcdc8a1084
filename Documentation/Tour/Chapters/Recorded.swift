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
      """#
  ) { page in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTour-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = StubRegistry()
    addAnswers(to: service)
    let server = try await StubServer(in: service)
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
    page.show("\nThe server is gone, and the app has launched again. swift run stubkit-har inspect launch.har:\n")
    for line in ArchiveTable(archive, width: Terminal.width - 3).lines { page.show(line) }
    page.draw("waterfall", WaterfallPicture(archive).svg)
    page.expect(archive.entries.map { $0.response?.status } == [200, 200, 200, 200], "four responses in the file")
    page.expect(service.journal.entries.count == 4, "only four requests on the network")
  }

  /// Adds what the server answers, each time after a while. The photo also takes a while to arrive.
  private static func addAnswers(to service: StubRegistry) {
    let photo = "\"\(String(repeating: "photo ", count: 7_000))\""
    let answers = [
      ("/config", 20, 0, #"{"version": 2}"#), ("/me", 30, 0, #"{"name": "Ann"}"#), ("/news", 60, 0, #"{"news": 3}"#),
      ("/photo", 50, 50, photo),
    ]
    for (path, delay, duration, body) in answers {
      stub(
        condition: isPath(path),
        response: .text(body).header("Content-Type", "application/json").delay(.milliseconds(delay))
          .bodyDuration(.milliseconds(duration)), in: service)
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
