import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("The pieces of a recorded body", .inTurn)
struct RecordedPiecesTests {
  @Test("are those of an event stream, with their times, for a delegate, a completion handler and an async call")
  func pieces() async throws {
    for way in 0..<3 {
      // The second event waits until the first has been heard.
      let isHeard = DispatchSemaphore(value: 0)
      let server = try LoopbackServer { _, _, send in
        send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n".utf8))
        isHeard.wait()
        send(Data("data: 22\n\n".utf8))
      }
      defer { server.stop() }
      let recorder = TellingRecorder { isHeard.signal() }
      try await withStubs {
        StubRegistry.current.tap = recorder
        StubRegistry.current.unmatched = .passThrough
        let (session, address) = (URLSession(configuration: .patient), server.url("/events"))
        switch way {
        case 0:
          let events = DelegateEvents()
          URLSession(configuration: .patient, delegate: events, delegateQueue: nil).dataTask(with: address).resume()
          #expect(try await events.untilCompletion().filter { $0.hasPrefix("data") }.count == 2)
        case 1:
          let text = try await untilResumed { (end: Resumption<Data?>) in
            session.dataTask(with: address) { data, _, _ in end.resume(returning: data) }.resume()
          }
          #expect(text == Data("data: 1\n\ndata: 22\n\n".utf8))
        default:
          let text = try await session.fetch("\(address)").text
          #expect(text == "data: 1\n\ndata: 22\n\n")
        }
      }
      let entry = try #require(recorder.recorder.contents.entries.first)
      #expect(entry.text == "200 data: 1\n\ndata: 22\n\n" && entry.pieces.map(\.end) == [9, 19], "\(way)")
      let times = [try #require(entry.timeToResponse)] + entry.pieces.map(\.time) + [entry.duration]
      #expect(times == times.sorted() && entry.pieces[0].time < entry.pieces[1].time, "\(way)")
    }
  }

  @Test("are none of another body that a client receives as a whole")
  func noPieces() async throws {
    for length in [9, 600_000] {
      let server = try LoopbackServer { _, _, send in send(reply("200 OK", LargeFile.bytes(length: length))) }
      defer { server.stop() }
      let (entries, _) = try await recording {
        let events = DelegateEvents()
        let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
        _ = try await session.data(from: server.url("/data"))
        let (file, _) = try await session.download(from: server.url("/file"))
        try FileManager.default.removeItem(at: file)
        session.dataTask(with: server.url("/delegate")).resume()
        _ = try await events.untilCompletion()
      }
      #expect(entries.compactMap(\.response?.content.count) == [length, length, length])
      #expect(entries.map(\.pieces.isEmpty) == [true, true, false])
    }
  }
}

/// A recorder that tells of each piece whose time it records.
private final class TellingRecorder: NetworkTap {
  let recorder = ArchiveRecorder()
  private let heard: @Sendable () -> Void

  init(_ heard: @escaping @Sendable () -> Void) { self.heard = heard }

  func begin(_ request: URLRequest) -> any NetworkRecorder { Telling(recorder.begin(request), heard) }

  private final class Telling: NetworkRecorder {
    let recording: any NetworkRecorder
    let heard: @Sendable () -> Void

    init(_ recording: any NetworkRecorder, _ heard: @escaping @Sendable () -> Void) {
      (self.recording, self.heard) = (recording, heard)
    }

    func setRequestBody(_ body: Data) { recording.setRequestBody(body) }
    func head(_ response: HTTPURLResponse) { recording.head(response) }
    func receive(_ piece: Data, asPiece: Bool) {
      recording.receive(piece, asPiece: asPiece)
      heard()
    }
    func leads(to target: URL) { recording.leads(to: target) }
    func end(error: (any Error)?) { recording.end(error: error) }
    func cancel() { recording.cancel() }
  }
}
