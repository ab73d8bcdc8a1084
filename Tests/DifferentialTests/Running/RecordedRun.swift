import Foundation

@testable import StubKit
@testable import StubKitArchive
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
  func runRecording(deadline: Double = Conversation.longestTime) async throws -> RecordedRun {
    let server = try ScriptedServer(exchange.routes, isRefusing: exchange.isRefused)
    defer {
      server.release.open()
      server.stop()
    }
    return try await withStubs {
      let recorder = ArchiveRecorder()
      _ = StubRegistry.current.begin(RecordingFrame(recorder, isOfTest: true))
      StubRegistry.current.unmatched = .passThrough
      let conversation = Conversation(
        cell: self, url: exchange.url(port: server.port), configuration: .ephemeral, arrival: server.arrival,
        release: server.release, deadline: deadline)
      let client = try await conversation.run()
      var transcript = client
      transcript.add("received", received(server.received))
      transcript.add("headers", receivedHeaders(server.received))
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
    case .cancelBeforeResume, .cancelDuringWait, .cancelDuringBody: 0...0
    // The native loader mostly, but not always, asks again.
    case .suspendDuringWait: 1...1
    case .none, .cancelAfterEnd, .suspendBeforeResume, .resumeTwice:
      // What never leaves the client is an error, which is recorded.
      max(1, requestCount)...max(1, requestCount)
    }
  }
}
