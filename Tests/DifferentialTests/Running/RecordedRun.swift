import Foundation

@testable import StubKitRecorder

/// A run of a cell against a server, through StubKit, which records it.
struct RecordedRun: Sendable {
  let transcript: Transcript
  /// What the client alone can tell.
  let client: Transcript
  let entries: [HTTPArchive.Entry]
  let unfinishedCount: Int
  /// How many requests the server received.
  let requestCount: Int
  let port: UInt16
}

extension Cell {
  /// Runs the cell against a server of its own, and records it.
  func runRecording() async throws -> RecordedRun {
    let server = try ScriptedServer(exchange.routes, isRefusing: exchange.isRefused)
    return try await withStubs {
      let recorder = ArchiveRecorder()
      _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
      StubRegistry.current.unmatched = .passThrough
      let client = try await Conversation(
        cell: self, port: server.port, arrival: server.arrival, release: server.release
      ).run()
      var transcript = client
      add(server.received, to: &transcript)
      let contents = recorder.contents
      return RecordedRun(
        transcript: transcript, client: client, entries: contents.entries, unfinishedCount: contents.unfinishedCount,
        requestCount: server.received.count, port: server.port)
    }
  }

  /// How many entries a recording of the cell has.
  func entryCount(requestCount: Int) -> ClosedRange<Int> {
    // StubKit refuses it before anybody looks for an answer.
    if hasBodyOfGET { return 0...0 }
    return switch disturbance {
    case .cancelBeforeResume: 0...0
    // What the client cancels is recorded as cancelled. The native loader mostly, but not always, asks again after a
    // suspension.
    case .cancelDuringWait, .cancelDuringBody, .suspendDuringWait: 1...1
    case .none, .cancelAfterEnd, .suspendBeforeResume, .resumeTwice:
      // What never leaves the client is an error, which is recorded.
      max(1, requestCount)...max(1, requestCount)
    }
  }
}
