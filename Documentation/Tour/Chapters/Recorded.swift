import Foundation
import StubKitRecorder

extension Chapter {
  static let recorded = Chapter(
    "Recorded once, replayed from a file",
    code: #"""
      try await withRecording(Recording("launch", in: folder, mode: .once)) {
        try await launch(server.url)  // the real network, this time
      }
      server.stop()
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
    let server = try LoopbackServer()
    try await withRecording(Recording("launch", in: folder, mode: .once)) {
      try await launch(server.url)  // the real network, this time
    }
    server.stop()
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
    page.expect(server.requestCount == 4, "only four requests on the network")
  }

  private static func launch(_ server: String) async throws {
    _ = try await Reply.get("\(server)/config")
    async let me = Reply.get("\(server)/me")
    async let news = Reply.get("\(server)/news")
    async let photo = Reply.get("\(server)/photo")
    _ = try await (me, news, photo)
  }
}
