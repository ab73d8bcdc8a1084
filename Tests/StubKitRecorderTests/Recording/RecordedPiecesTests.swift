import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("The pieces of a recorded body", .inTurn)
struct RecordedPiecesTests {
  /// A server whose second event waits until the first has been heard.
  private static func server(_ isHeard: DispatchSemaphore) throws -> LoopbackServer {
    try LoopbackServer { _, _, send in
      send(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n".utf8))
      isHeard.wait()
      send(Data("data: 22\n\n".utf8))
    }
  }

  @Test("has the pieces of an event stream, with the times at which they came")
  func pieces() async throws {
    let isHeard = DispatchSemaphore(value: 0)
    let server = try Self.server(isHeard)
    defer { server.stop() }
    let (entries, _) = try await recording {
      let hearing = PieceHearing { isHeard.signal() }
      let session = URLSession(configuration: .patient, delegate: hearing, delegateQueue: nil)
      session.dataTask(with: server.url("/events")).resume()
      try await hearing.end()
    }
    let entry = try #require(entries.first)
    #expect(entries.count == 1 && entry.text == "200 data: 1\n\ndata: 22\n\n")
    #expect(entry.pieces.map(\.end) == [9, 19])
    let times = [try #require(entry.timeToResponse)] + entry.pieces.map(\.time) + [entry.duration]
    #expect(times == times.sorted() && entry.pieces[0].time < entry.pieces[1].time)
  }

  @Test("has them for a completion handler and an async call too", arguments: [false, true])
  func piecesOfWholeBodies(isAsync: Bool) async throws {
    let isHeard = DispatchSemaphore(value: 0)
    let server = try Self.server(isHeard)
    defer { server.stop() }
    let recorder = TellingRecorder { isHeard.signal() }
    try await withStubs {
      StubRegistry.current.tap = recorder
      StubRegistry.current.unmatched = .passThrough
      let session = URLSession(configuration: .patient)
      if isAsync {
        let text = try await session.fetch("\(server.url("/events"))").text
        #expect(text == "data: 1\n\ndata: 22\n\n")
      } else {
        let text = try await untilResumed { (end: Resumption<Data?>) in
          session.dataTask(with: server.url("/events")) { data, _, _ in end.resume(returning: data) }.resume()
        }
        #expect(text == Data("data: 1\n\ndata: 22\n\n".utf8))
      }
    }
    let entry = try #require(recorder.recorder.contents.entries.first)
    #expect(entry.text == "200 data: 1\n\ndata: 22\n\n" && entry.pieces.map(\.end) == [9, 19])
    #expect(entry.pieces[0].time < entry.pieces[1].time && entry.pieces[1].time <= entry.duration)
  }

  @Test("has no pieces of another body that a client receives as a whole", arguments: [9, 600_000])
  func noPieces(length: Int) async throws {
    let server = try LoopbackServer { _, _, send in send(reply("200 OK", LargeFile.bytes(length: length))) }
    defer { server.stop() }
    let (entries, _) = try await recording {
      let hearing = PieceHearing {}
      let session = URLSession(configuration: .patient, delegate: hearing, delegateQueue: nil)
      _ = try await session.data(from: server.url("/data"))
      let (file, _) = try await session.download(from: server.url("/file"))
      try FileManager.default.removeItem(at: file)
      session.dataTask(with: server.url("/delegate")).resume()
      try await hearing.end()
    }
    #expect(entries.compactMap(\.response?.content.count) == [length, length, length])
    #expect(entries.map(\.pieces.isEmpty) == [true, true, false])
  }
}

/// A delegate that says when it hears of a piece, and of the end.
private final class PieceHearing: NSObject, URLSessionDataDelegate {
  private let heard: @Sendable () -> Void
  private let (ends, ending) = AsyncStream.makeStream(of: Void.self)

  init(_ heard: @escaping @Sendable () -> Void) { self.heard = heard }

  func end() async throws { try await next(of: ends, when: "the task is complete") }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { heard() }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ending.yield()
  }
}

/// A recorder that tells of each piece whose time it records.
private final class TellingRecorder: NetworkTap {
  let recorder = ArchiveRecorder()
  private let heard: @Sendable () -> Void

  init(_ heard: @escaping @Sendable () -> Void) { self.heard = heard }

  func begin(_ request: URLRequest) -> any NetworkListener { Recording(recorder.begin(request), heard) }

  private final class Recording: NetworkListener {
    private let recording: any NetworkListener
    private let heard: @Sendable () -> Void

    init(_ recording: any NetworkListener, _ heard: @escaping @Sendable () -> Void) {
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
