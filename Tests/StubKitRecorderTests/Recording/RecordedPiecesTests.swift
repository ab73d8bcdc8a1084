import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("The pieces of a recorded body", .inTurn)
struct RecordedPiecesTests {
  @Test("are those that a delegate receives, with their times")
  func times() async throws {
    // The second event waits until the first has been heard.
    let isHeard = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, _, send in
      send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n".utf8))
      isHeard.wait()
      send(Data("data: 22\n\n".utf8))
    }
    defer {
      isHeard.signal()
      server.stop()
    }
    let (entries, _) = try await recording {
      let events = DelegateEvents()
      let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
      session.dataTask(with: server.url("/events")).resume()
      try await until("the first event is heard") { events.told.contains("data data: 1\n\n") }
      isHeard.signal()
      #expect(try await events.untilCompletion() == ["head 200", "data data: 1\n\n", "data data: 22\n\n", "complete"])
    }
    let entry = try #require(entries.first)
    #expect(entry.text == "200 data: 1\n\ndata: 22\n\n" && entry.pieces.map(\.end) == [9, 19])
    let times = [try #require(entry.timeToResponse)] + entry.pieces.map(\.time) + [entry.duration]
    #expect(times == times.sorted() && entry.pieces[0].time < entry.pieces[1].time)
  }

  @Test("are those of an event stream for every client, and none of another body that a client receives as a whole")
  func kinds() throws {
    for (type, asPiece, ends) in [
      ("text/event-stream", true, [4, 9]), ("Text/Event-Stream; charset=utf-8", false, [4, 9]),
      ("text/plain", true, [4, 9]), ("text/plain", false, []),
    ] {
      let recorder = ArchiveRecorder()
      let recording = ArchiveRecording(recorder, request("http://a.com/"))
      recording.head(
        try #require(
          HTTPURLResponse(
            url: url("http://a.com/"), statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": type])))
      for piece in ["data", ": 1\n\n"] { recording.receive(Data(piece.utf8), asPiece: asPiece) }
      recording.end(error: nil)
      #expect(recorder.contents.entries.map { $0.pieces.map(\.end) } == [ends], "\(type)")
    }
  }

  @Test("are none of a body of a completion handler or a download")
  func noPieces() async throws {
    let server = try LoopbackServer { _, _, send in send(reply("200 OK", LargeFile.bytes(length: 600_000))) }
    defer { server.stop() }
    let (entries, _) = try await recording {
      _ = try await URLSession.patient.data(from: server.url("/data"))
      let (file, _) = try await URLSession.patient.download(from: server.url("/file"))
      try FileManager.default.removeItem(at: file)
    }
    #expect(entries.map { $0.response?.content.count } == [600_000, 600_000])
    #expect(entries.allSatisfy { $0.pieces.isEmpty })
  }
}
