import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The body of a response", .inTurn)
struct BodiesOutTests {
  @Test(
    "of a long file reaches a delegate, an async call and a download, up to its Content-Length",
    arguments: [false, true])
  func longFile(isCutOff: Bool) async throws {
    let file = try LargeFile.long()
    // The file has 67 MB. It is cut off by a shorter Content-Length, within a piece.
    let expected = isCutOff ? file.bytes.prefix(66_000_001) : file.bytes
    try await withStubs {
      stub(condition: .anything, response: .file(file.url).header("Content-Length", expected.count))
      let address = url("http://a.example/")
      let events = TransferEvents()
      let told = try await events.told { $0.dataTask(with: address) }
      // The head, pieces of 64 KB, and the end.
      #expect(told.count == (expected.count + 65_535) / 65_536 + 2)
      #expect(events.bytes == expected)
      let (data, _) = try await URLSession.patient.data(from: address)
      #expect(data == expected)
      let (location, _) = try await URLSession.patient.download(from: address)
      #expect(try Data(contentsOf: location) == expected)
      let type = try FileManager.default.attributesOfItem(atPath: location.path)[.type] as? FileAttributeType
      #expect(type == .typeRegular)
      try FileManager.default.removeItem(at: location)
    }
  }

  /// Runs a test while a delegate is busy. A stub sends it 200,001 bytes in pieces of a thousand, the last one not
  /// full. Three calls wait for the delegate then: the head, the first piece, and the question where it is.
  private func withBusyDelegate(
    isFile: Bool,
    _ test: (_ task: URLSessionDataTask, _ queue: OperationQueue, _ file: LargeFile, _ events: TransferEvents)
      async throws -> Void
  ) async throws {
    let file = try LargeFile(length: 200_001)
    let response: StubResponse = isFile ? .file(file.url) : .data(file.bytes)
    try await withStubs {
      stub(condition: .anything, response: response.chunked(by: 1_000))
      let (queue, events) = (OperationQueue.suspended, TransferEvents())
      let task = events.session(.ephemeral, on: queue).dataTask(with: url("http://a.example/"))
      task.resume()
      try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
      try await test(task, queue, file, events)
    }
  }

  @Test("waits for a busy delegate, also if its task is suspended and resumed meanwhile", arguments: [false, true])
  func busyDelegate(isFile: Bool) async throws {
    try await withBusyDelegate(isFile: isFile) { task, queue, file, events in
      task.suspend()
      task.resume()
      let isMore = try await holds(within: .milliseconds(20)) { queue.operationCount != 3 }
      #expect(!isMore)
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      // The head, 201 pieces, and the end.
      #expect(told.count == 1 + 201 + 1)
      #expect(events.bytes == file.bytes)
    }
  }

  @Test("ends after the first piece if the task is cancelled while its delegate is busy", arguments: [false, true])
  func cancelledWhileBusy(isFile: Bool) async throws {
    try await withBusyDelegate(isFile: isFile) { (task, queue, _, events) async throws in
      task.cancel()
      queue.isSuspended = false
      #expect(try await events.untilCompletion() == ["head 200", "data 1000", "error \(NSURLErrorCancelled)"])
    }
  }

  @Test("waits for a busy delegate for longer than the request's timeout")
  func busyForLong() async throws {
    let body = LargeFile.bytes(length: 3_000)
    try await withStubs {
      // From memory, so that the first piece is told before any time has passed.
      stub(condition: isPath("/body"), response: .data(body).chunked(by: 1_000))
      stub(condition: isPath("/never"), response: .status(204).delay(.seconds(600)))
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
      #expect(told.last == "complete")
      #expect(events.bytes == body)
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

  private func request(_ range: String) -> URLRequest {
    TestSupport.request("http://a.example/film", headers: ["Range": range])
  }

  private func get(_ range: String) async throws -> (head: HTTPURLResponse, body: Data) {
    let (body, response) = try await URLSession.shared.data(for: request(range))
    return (try #require(response as? HTTPURLResponse), body)
  }

  /// DifferentialTests compare the selection from memory, and what is not sent at all, with a server's.
  @Test(
    "has the part of a file that is asked for",
    arguments: [0..<1, 100..<150_100, 131_072..<131_073, 199_990..<200_000, 0..<200_000])
  func part(range: Range<Int>) async throws {
    let file = try LargeFile(length: 200_000)
    try await withStubs {
      stub(condition: .anything, response: .file(file.url).acceptingRanges())
      let places = "\(range.lowerBound)-\(range.upperBound - 1)"
      let (head, body) = try await get("bytes=\(places)")
      #expect(head.statusCode == 206)
      #expect(head.value(forHTTPHeaderField: "Content-Range") == "bytes \(places)/200000")
      #expect(body == file.bytes.subdata(in: range))
      let (download, _) = try await URLSession.shared.download(for: request("bytes=\(places)"))
      defer { try? FileManager.default.removeItem(at: download) }
      #expect(try Data(contentsOf: download) == body)
    }
  }

  @Test("of a file that is larger than memory is read only where a Range field asks for it")
  func hugeFile() async throws {
    let file = try TestFile(Data())
    let handle = try FileHandle(forWritingTo: file.url)
    // More than fits into memory. What isn't written takes no place on the disk.
    let length: UInt64 = 1 << 36
    try handle.truncate(atOffset: length)
    try handle.seek(toOffset: length - 5)
    try handle.write(contentsOf: Data("the e".utf8))
    try handle.close()
    try await withStubs { () async throws in
      stub(condition: .anything, response: .file(file.url).acceptingRanges())
      let end = try await get("bytes=-5")
      #expect(end.body == Data("the e".utf8))
      let none = try await get("bytes=\(length)-")
      #expect(none.head.value(forHTTPHeaderField: "Content-Range") == "bytes */\(length)")
    }
  }

  @Test("in pieces keeps their borders within a range, and breaks off at a byte of that range")
  func pieces() async throws {
    try await withStubs { () async throws in
      let pieces = ["ab", "cd", "ef", "gh"].map { Data($0.utf8) }
      stub(condition: isPath("/film"), response: .pieces(pieces).acceptingRanges())
      func told(_ field: String) async throws -> [String] {
        try await DelegateEvents().told { $0.dataTask(with: request(field)) }
      }
      #expect(try await told("bytes=1-4") == ["head 206", "data b", "data cd", "data e", "complete"])
      #expect(try await told("bytes=2-3") == ["head 206", "data cd", "complete"])
      #expect(try await told("bytes=4-") == ["head 206", "data ef", "data gh", "complete"])

      stub(condition: isPath("/film"), response: .text("0123456789").acceptingRanges().failing(afterBytes: 3))
      let broken = try await told("bytes=5-9")
      #expect(broken.prefix(2) == ["head 206", "data 567"])
      #expect(broken.last?.hasPrefix("error") == true)
    }
  }
}
