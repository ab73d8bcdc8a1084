import Foundation
import TestSupport
import Testing

private let folder = ProcessInfo.processInfo.environment["STUBKIT_NATIVE_TRANSCRIPTS"]

/// For people: with `STUBKIT_NATIVE_TRANSCRIPTS=/some/folder` in the environment, what the native loader does in every
/// cell is written to a file for each group. It is the specification that stubs are held to.
@Suite("Native transcripts", .inTurn, .enabled(if: folder != nil))
struct NativeTranscripts {
  @Test("are written", arguments: Matrix.groups)
  func write(group: CellGroup) async throws {
    let directory = URL(fileURLWithPath: try #require(folder), isDirectory: true)
    let transcripts = await group.forEachCell { cell in
      guard let server = try? ScriptedServer(cell.exchange.routes, isRefusing: cell.exchange.isRefused) else {
        return "== \(cell)\nno server\n\n"
      }
      guard let transcript = try? await cell.runNatively(against: server) else { return "== \(cell)\nnot settled\n\n" }
      return "== \(cell)\n\(transcript.lines.joined(separator: "\n"))\n\n"
    }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(transcripts.joined().utf8).write(to: directory.appendingPathComponent("\(group.name).txt"))
  }
}
