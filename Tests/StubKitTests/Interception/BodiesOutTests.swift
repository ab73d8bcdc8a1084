import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A body on its way out", .inTurn)
struct BodiesOutTests {
  enum Source: CaseIterable { case memory, file }

  /// Large enough for several pieces, the last one not full.
  private static let length = 200_001

  private func response(_ source: Source, file: LargeFile) -> StubResponse {
    switch source {
    case .memory: .data(file.bytes)
    case .file: .file(file.url)
    }
  }

  @Test("of a long file reaches everybody, or is cut off")
  func longFile() async throws {
    for isCutOff in [false, true] {
      let file = try LargeFile.long()
      let expected = isCutOff ? file.bytes.prefix(66_000_001) : file.bytes
      try await withStubs {
        stub(condition: .anything, response: .file(file.url).header("Content-Length", expected.count))
        let address = url("http://a.example/")
        let events = TransferEvents()
        let told = try await events.told { $0.dataTask(with: address) }
        #expect(told.count == (expected.count + 65_535) / 65_536 + 2 && events.bytes == expected, "\(isCutOff)")
        let (data, _) = try await URLSession.patient.data(from: address)
        #expect(data == expected, "\(isCutOff)")
        let (location, _) = try await URLSession.patient.download(from: address)
        #expect(try Data(contentsOf: location) == expected, "\(isCutOff)")
        let type = try FileManager.default.attributesOfItem(atPath: location.path)[.type] as? FileAttributeType
        #expect(type == .typeRegular, "\(isCutOff)")
        try FileManager.default.removeItem(at: location)
      }
    }
  }

  @Test("waits for a busy delegate")
  func busyDelegate() async throws {
    for source in Source.allCases {
      let file = try LargeFile(length: Self.length)
      try await withStubs {
        stub(condition: .anything, response: response(source, file: file).chunked(by: 1_000))
        let queue = OperationQueue.suspended
        let events = TransferEvents()
        let session = events.session(.ephemeral, on: queue)
        let task = session.dataTask(with: url("http://a.example/"))
        task.resume()
        // Head, first piece, and the question where it is: nothing else heaps up.
        try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
        task.suspend()
        task.resume()
        let isMore = try await holds(within: .milliseconds(20)) { queue.operationCount != 3 }
        #expect(!isMore, "\(source)")
        queue.isSuspended = false
        let told = try await events.untilCompletion()
        #expect(told.count == 203 && events.bytes == file.bytes, "\(source)")

        queue.isSuspended = true
        let cancelled = session.dataTask(with: url("http://a.example/"))
        cancelled.resume()
        try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
        cancelled.cancel()
        queue.isSuspended = false
        let after = try await events.untilCompletion()
        #expect(after.suffix(3) == ["head 200", "data 1000", "error \(NSURLErrorCancelled)"], "\(source)")
      }
    }
  }

  @Test("waits longer than the request's timeout")
  func busyForLong() async throws {
    let body = LargeFile.bytes(length: 3_000)
    try await withStubs {
      // From memory, so that the first piece is told before any time has passed.
      stub(condition: isPath("/body"), response: .data(body).chunked(by: 1_000))
      stub(condition: isPath("/never"), response: .empty().delay(.seconds(600)))
      let queue = OperationQueue.suspended
      let events = TransferEvents()
      let configuration = URLSessionConfiguration.ephemeral { $0.timeoutIntervalForRequest = 0.05 }
      events.session(configuration, on: queue).dataTask(with: url("http://a.example/body")).resume()
      try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
      // When this one's time is over, the other's is too.
      let error = await URLSession(configuration: configuration).failure(of: "http://a.example/never")
      #expect((error as? URLError)?.code == .timedOut)
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      #expect(told.last == "complete" && events.bytes == body)
    }
  }

  @Test("of a file that became shorter fails the request")
  func truncatedFile() async throws {
    let file = try LargeFile.long()
    try await withStubs {
      let gate = ResponseGate()
      stub(condition: .anything, response: .file(file.url).held(by: gate), name: "film")
      let events = TransferEvents()
      let task = events.session().dataTask(with: url("http://a.example/"))
      task.resume()
      try await until("the file is open, and the response is held") { gate.waitingCount == 1 }
      let handle = try FileHandle(forWritingTo: file.url)
      try handle.truncate(atOffset: 100_000)
      try handle.close()
      gate.open()
      _ = try await events.untilCompletion()
      let failure = task.error as? StubResponseError
      #expect(failure?.stub?.name == "film")
      #expect(failure?.reason == .fixture(file.url.path, .becameShorter))
    }
  }

  private static let address = url("http://a.example/film")
  private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  /// Runs the body with a stub that accepts ranges of a file, which is removed afterwards. DifferentialTests compare
  /// the selection from memory, and what is not sent at all, with a server's.
  private func withFilm(_ body: () async throws -> Void) async throws {
    let file = try TestFile(Self.bytes)
    try await withStubs { () async throws in
      stub(
        condition: .anything,
        response: .file(file.url).header("Content-Type", "video/mp4").validated(etag: "v1").acceptingRanges())
      try await body()
    }
  }

  private func request(_ fields: [String: String]) -> URLRequest { TestSupport.request(Self.address, headers: fields) }

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

  @Test("is read no farther than it is sent")
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
      stub(condition: isPath("/film"), response: .pieces(pieces).acceptingRanges())
      func told(_ field: String) async throws -> [String] {
        try await DelegateEvents().told { $0.dataTask(with: request(["Range": field])) }
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
