import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that is sent in part", .inTurn)
struct SelectedResponsesTests {
  private static let address = url("http://a.example/film")
  private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  /// Runs the body with a stub that accepts ranges of a file, which is removed afterwards. DifferentialTests compare the selection
  /// from memory, and what is not sent at all, with a server's.
  private func withFilm(_ body: () async throws -> Void) async throws {
    let file = try TestFile(Self.bytes)
    try await withStubs { () async throws in
      stub(
        condition: .anything,
        response: .file(file.url).header("Content-Type", "video/mp4").validated(etag: "v1").acceptingRanges())
      try await body()
    }
  }

  private func request(_ fields: [String: String]) -> URLRequest {
    var request = URLRequest(url: Self.address)
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// Foundation spells some names in its own way, which is not the same everywhere.
  private func headers(of head: HTTPURLResponse) -> [String: String] {
    Dictionary(uniqueKeysWithValues: head.allHeaderFields.map { ("\($0)".capitalized, "\($1)") })
  }

  private func get(_ fields: [String: String]) async throws -> (head: HTTPURLResponse, body: Data) {
    let (body, response) = try await URLSession.shared.data(for: request(fields))
    return (try #require(response as? HTTPURLResponse), body)
  }

  @Test("has the part of a file that is asked for")
  func part() async throws {
    for range in [0..<1, 100..<150_100, 131_072..<131_073, 199_990..<200_000, 0..<200_000] {
      try await withFilm {
        let fields = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        let (head, body) = try await get(fields)
        #expect(head.statusCode == 206 && body == Self.bytes.subdata(in: range), "\(range)")
        #expect(
          headers(of: head) == [
            "Accept-Ranges": "bytes", "Content-Length": "\(range.count)", "Content-Type": "video/mp4",
            "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000", "Etag": "\"v1\"",
          ], "\(range)")
        let (file, _) = try await URLSession.shared.download(for: request(fields))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Self.bytes.subdata(in: range), "\(range)")
      }
    }
  }

  @Test("reads no more of a file than it sends")
  func hugeFile() async throws {
    let file = try TestFile(Data())
    let handle = try FileHandle(forWritingTo: file.url)
    let length: UInt64 = 1 << 36
    try handle.truncate(atOffset: length)
    try handle.seek(toOffset: length - 5)
    try handle.write(contentsOf: Data("the end".utf8.prefix(5)))
    try handle.close()
    try await withStubs { () async throws in
      stub(condition: .anything, response: .file(file.url).acceptingRanges())
      let end = try await get(["Range": "bytes=-5"])
      #expect(end.head.statusCode == 206 && end.body == Data("the e".utf8))
      let none = try await get(["Range": "bytes=\(length)-"])
      #expect(none.head.value(forHTTPHeaderField: "Content-Range") == "bytes */\(length)")
    }
  }

  @Test("is cut where the part is, not the whole")
  func pieces() async throws {
    try await withStubs { () async throws in
      let pieces = ["ab", "cd", "ef", "gh"].map { Data($0.utf8) }
      stub(condition: isPath("/film"), response: .chunks(pieces).acceptingRanges())
      func told(_ field: String) async throws -> [String] {
        let events = DelegateEvents()
        let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
        session.dataTask(with: request(["Range": field])).resume()
        defer { session.finishTasksAndInvalidate() }
        return try await events.untilCompletion()
      }
      #expect(try await told("bytes=1-4") == ["head 206", "data b", "data cd", "data e", "complete"])
      #expect(try await told("bytes=2-3") == ["head 206", "data cd", "complete"])
      #expect(try await told("bytes=4-") == ["head 206", "data ef", "data gh", "complete"])

      stub(condition: isPath("/film"), response: .text("0123456789").acceptingRanges().failing(afterBytes: 3))
      let broken = try await told("bytes=5-9")
      #expect(broken.prefix(2) == ["head 206", "data 567"] && broken.last?.hasPrefix("error") == true)
    }
  }
}
