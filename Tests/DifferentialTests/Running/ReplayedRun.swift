import Foundation
import StubKitRecorder
import TestSupport

extension Cell {
  /// Runs the cell against what was recorded of it, written to an archive and read again. Nobody else answers.
  func runReplaying(_ recorded: RecordedRun) async throws -> Transcript {
    let folder = try TestFolder()
    let file = folder.file("cell.har")
    try HTTPArchive(entries: recorded.entries).write(to: file)
    let archive = try HTTPArchive(contentsOf: file)
    return try await withStubs {
      replay(archive, afterLast: .stopMatching)
      return try await Conversation(cell: self, port: recorded.port).run()
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
