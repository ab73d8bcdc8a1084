import Foundation
import TestSupport

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

extension Cell {
  /// Runs the cell against what was recorded of it, written to an archive and read again. Nobody else answers.
  func runReplaying(_ recorded: RecordedRun, deadline: Double = Conversation.longestTime) async throws -> Transcript {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("cell.har")
    try HTTPArchive(entries: recorded.entries).write(to: file)
    let archive = try HTTPArchive(contentsOf: file)
    return try await withStubs {
      // A stub reads a body only if it looks at it, a server always does. A stream that nobody has read is not
      // recorded.
      let isRead = (kind == .uploadOfFile || kind == .streamedUpload) && !exchange.isRefused
      let matching: ReplayMatching = isRead ? [.method, .url, .body] : .default
      replay(archive, matching: matching, afterLast: .stopMatching)
      let conversation = Conversation(
        cell: self, url: exchange.url(port: recorded.port), configuration: .ephemeral, arrival: Latch(),
        release: Latch(), deadline: deadline)
      return try await conversation.run()
    }
  }

  /// Whether a recording of the cell has all that the client heard, and the client disturbs no wait, which a replay
  /// does not have.
  var canBeReplayed: Bool {
    switch disturbance {
    case .none, .cancelAfterEnd, .suspendBeforeResume: true
    case .cancelBeforeResume, .cancelDuringWait, .cancelDuringBody, .suspendDuringWait, .resumeTwice: false
    }
  }
}
