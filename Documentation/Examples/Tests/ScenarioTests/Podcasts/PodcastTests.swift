import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A podcast's episode", .inTurn)
struct PodcastTests {
  private let episode = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
  private let address = URL(string: "https://cdn.example.com/episodes/7.mp3")!

  private func server(_ bytes: Data, etag: String) -> StubResponse {
    .data(bytes, headers: ["Content-Type": "audio/mpeg"]).validated(etag: etag).acceptingRanges()
  }

  /// The journal's requests: what they asked for, and what came of it.
  private var exchanges: [String] {
    StubRegistry.current.journal.entries.map { entry in
      let range = entry.request.value(forHTTPHeaderField: "Range") ?? "everything"
      let condition = entry.request.value(forHTTPHeaderField: "If-Range").map { " of \($0)" } ?? ""
      return "\(range)\(condition): \(entry.response?.status ?? 0), \(entry.response?.bodyLength ?? 0) bytes"
    }
  }

  /// Asks until everything is there, at most five times.
  ///
  /// - Returns: How often it failed.
  private func complete(_ download: inout EpisodeDownload) async throws -> Int {
    var failures = 0
    for _ in 1...5 where !download.isComplete {
      do { try await download.resume(address) } catch is URLError { failures += 1 }
    }
    return failures
  }

  @Test("goes on where the connection was lost, twice, and is whole")
  func resumed() async throws {
    try await withStubs { () async throws in
      let server = server(episode, etag: "v1")
      stub(
        condition: isPath("/episodes/7.mp3"),
        responses: [server.failing(afterBytes: 60_000), server.failing(afterBytes: 40_000), server])
      var download = EpisodeDownload()
      let failures = try await complete(&download)
      #expect(failures == 2 && download.isComplete && download.received == episode)
      #expect(
        exchanges == [
          "everything: 200, 60000 bytes", "bytes=60000- of \"v1\": 206, 40000 bytes",
          "bytes=100000- of \"v1\": 206, 50000 bytes",
        ])
    }
  }

  @Test("begins anew when there is another version meanwhile")
  func changed() async throws {
    let edited = Data(episode.reversed())
    try await withStubs { () async throws in
      stub(
        condition: isPath("/episodes/7.mp3"),
        responses: [server(episode, etag: "v1").failing(afterBytes: 60_000), server(edited, etag: "v2")])
      var download = EpisodeDownload()
      let failures = try await complete(&download)
      #expect(failures == 1 && download.received == edited)
      #expect(exchanges.last == "bytes=60000- of \"v1\": 200, 150000 bytes")
    }
  }

  @Test("is complete when nothing was missing but the end")
  func complete() async throws {
    try await withStubs { () async throws in
      let server = server(episode, etag: "v1")
      stub(condition: isPath("/episodes/7.mp3"), responses: [server.failing(afterBytes: episode.count), server])
      var download = EpisodeDownload()
      let failures = try await complete(&download)
      #expect(failures == 1 && download.isComplete && download.received == episode)
      #expect(exchanges.last == "bytes=150000- of \"v1\": 416, 0 bytes")
    }
  }

  @Test("is refused with the server's status")
  func refused() async {
    await withStubs {
      stub(condition: isPath("/episodes/7.mp3"), response: .status(410).acceptingRanges())
      var download = EpisodeDownload()
      do {
        try await download.resume(address)
        Issue.record("It was not refused.")
      } catch { #expect(error as? EpisodeDownload.Failure == .refused(status: 410)) }
    }
  }
}
