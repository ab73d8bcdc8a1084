import Foundation
import TestSupport
import Testing

@testable import StubKit

/// The expectations are what URLSession's own loader told of a server on 127.0.0.1 that answers the same.
@Suite("A transfer's events are those of the system's own loader", .inTurn)
struct TransferEventsTests {
  private func request(_ method: String, bodyLength: Int? = nil) -> URLRequest {
    var request = URLRequest(url: url("http://a.example/"))
    request.httpMethod = method
    request.httpBody = bodyLength.map { Data(count: $0) }
    return request
  }

  private func session(_ events: TransferEvents?) -> URLSession {
    URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
  }

  @Test(
    "for a download: what is written, of how much, and the file",
    arguments: [
      (.text("hello"), ["wrote 5 5 5: 5/5 0/0", "file 5: 5/5 0/0", "complete: 5/5 0/0"]),
      (.empty(status: 200), ["file 0: 0/-1 0/0", "complete: 0/-1 0/0"]),
      (.empty(), ["file 0: 0/-1 0/0", "complete: 0/-1 0/0"]),
      (
        .text("hello", headers: ["Transfer-Encoding": "chunked"]),
        ["wrote 5 5 -1: 5/-1 0/0", "file 5: 5/-1 0/0", "complete: 5/-1 0/0"]
      ),
      (
        .text("hello", headers: ["Content-Encoding": "br"]),
        ["wrote 5 5 -1: 5/-1 0/0", "file 5: 5/-1 0/0", "complete: 5/-1 0/0"]
      ),
      (.text("hello", status: 304), ["file 0: 0/-1 0/0", "complete: 0/-1 0/0"]),
      (.text("hello world").failing(afterBytes: 5), ["wrote 5 5 11: 5/11 0/0", "error -1005: 5/11 0/0"]),
    ] as [(StubResponse, [String])])
  func downloads(response: StubResponse, expected: [String]) async throws {
    try await withStubs {
      stub(condition: .anything, response: response)
      let events = TransferEvents()
      session(events).downloadTask(with: request("GET")).resume()
      _ = try await events.untilCompletion()
      #expect(events.counts == expected)
    }
  }

  @Test("for a download in pieces: the sum of what was written")
  func downloadInPieces() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .text("0123456789").chunked(by: 4))
      let events = TransferEvents()
      session(events).downloadTask(with: request("GET")).resume()
      #expect(
        try await events.untilCompletion() == ["wrote 4 4 10", "wrote 4 8 10", "wrote 2 10 10", "file 10", "complete"])
    }
  }

  @Test("for a request with a body: how much of it was sent, before the response")
  func sending() async throws {
    let expectations: [(Int, [String])] = [
      (0, []), (5, ["sent 5 5 5"]), (65_536, ["sent 65536 65536 65536"]),
      (100_000, ["sent 65536 65536 100000", "sent 34464 100000 100000"]),
    ]
    for (length, sent) in expectations {
      try await withStubs { () async throws in
        stub(condition: .anything, response: .text("hello"))
        let events = TransferEvents()
        session(events).dataTask(with: request("POST", bodyLength: length)).resume()
        #expect(try await events.untilCompletion() == sent + ["head 200", "data 5", "complete"])
        #expect(events.counts.last == "complete: 0/5 \(length)/\(length)")
        let downloads = TransferEvents()
        session(downloads).downloadTask(with: request("POST", bodyLength: length)).resume()
        #expect(try await downloads.untilCompletion() == sent + ["wrote 5 5 5", "file 5", "complete"])
      }
    }
  }

  @Test(
    "for a request that fails without a response: sent to a server that is there, and the task has the error",
    arguments: [(.cannotConnectToHost, false), (.networkConnectionLost, true), (.timedOut, true)]
      as [(URLError.Code, Bool)])
  func failing(code: URLError.Code, isSent: Bool) async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .failure(code))
      let events = TransferEvents()
      let task = session(events).dataTask(with: request("POST", bodyLength: 5))
      task.resume()
      #expect(try await events.untilCompletion() == (isSent ? ["sent 5 5 5"] : []) + ["error \(code.rawValue)"])
      #expect((task.error as? URLError)?.code == code)
      #expect(task.response == nil)
      #expect(task.byteCounts == "0/0 \(isSent ? 5 : 0)/5")
    }
  }

  @Test("for an upload, of data or of a file: how much of it was sent", arguments: [0, 5, 100_000])
  func uploads(length: Int) async throws {
    let file = try LargeFile(length: length)
    let sent =
      length > 65_536
      ? ["sent 65536 65536 \(length)", "sent \(length - 65_536) \(length) \(length)"]
      : length == 0 ? [] : ["sent \(length) \(length) \(length)"]
    try await withStubs { () async throws in
      stub(condition: .anything, response: .text("hello"))
      let events = TransferEvents()
      let session = session(events)
      session.uploadTask(with: request("POST"), from: file.bytes).resume()
      #expect(try await events.untilCompletion() == sent + ["head 200", "data 5", "complete"])
      session.uploadTask(with: request("POST"), fromFile: file.url).resume()
      #expect(try await events.untilCompletion().count == 2 * (sent.count + 3))
      #expect(events.counts.last == "complete: 0/5 \(length)/\(length)")
    }
  }

  @Test("after a redirect: the body is not sent again, and what is expected is the last response's")
  func redirected() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/"), response: .redirect(to: "/new", status: 307))
      stub(condition: isPath("/new"), response: .text("hello"))
      let events = TransferEvents()
      session(events).dataTask(with: request("POST", bodyLength: 5)).resume()
      #expect(try await events.untilCompletion() == ["sent 5 5 5", "head 200", "data 5", "complete"])
      #expect(events.counts.last == "complete: 0/5 5/5")
    }
  }

  @Test("with a completion handler: no delegate hears of them, and what is sent or received is not counted")
  func completionHandler() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("hello"))
      let events = TransferEvents()
      let session = session(events)
      let (handled, handle) = AsyncStream.makeStream(of: Void.self)
      let task = session.dataTask(with: request("POST", bodyLength: 5)) { _, _, _ in handle.finish() }
      task.resume()
      try await next(of: handled, when: "the handler is called")
      #expect(task.byteCounts == "0/5 0/5")
      let (downloaded, download) = AsyncStream.makeStream(of: Void.self)
      let downloadTask = session.downloadTask(with: request("GET")) { file, _, _ in
        if let file { try? FileManager.default.removeItem(at: file) }
        download.finish()
      }
      downloadTask.resume()
      try await next(of: downloaded, when: "the handler is called")
      #expect(downloadTask.byteCounts == "0/5 0/0")
      #expect(events.told == [])
    }
  }

  @Test("of an async call reach the delegate it brings, and not the session's", arguments: [false, true])
  func ownDelegate(inPieces: Bool) async throws {
    try await withStubs {
      stub(condition: .anything, response: inPieces ? .text("hello").chunked(by: 3) : .text("hello"))
      let data = inPieces ? ["data 3", "data 2"] : ["data 5"]
      for sessionEvents in [TransferEvents(), nil] {
        let session = session(sessionEvents)
        let own = TransferEvents()
        let (received, _) = try await session.data(for: request("GET"), delegate: own)
        #expect(received == Data("hello".utf8))
        #expect(own.told == ["head 200"] + data)

        let uploading = TransferEvents()
        let (answer, _) = try await session.upload(
          for: request("POST"), from: Data(count: 7), delegate: uploading)
        #expect(answer == Data("hello".utf8))
        #expect(uploading.told == ["sent 7 7 7", "head 200"] + data)

        let downloading = TransferEvents()
        let (file, _) = try await session.download(for: request("GET"), delegate: downloading)
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(downloading.told == (inPieces ? ["wrote 3 3 5", "wrote 2 5 5"] : ["wrote 5 5 5"]))
        #expect(sessionEvents?.told ?? [] == [])
      }
    }
  }

  @Test("reach the session's delegate although the task has one of its own")
  func taskDelegate() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .text("hello"))
      let events = TransferEvents()
      let own = TransferEvents()
      let task = session(events).dataTask(with: request("GET"))
      task.delegate = own
      task.resume()
      #expect(try await events.untilCompletion() == ["head 200", "data 5", "complete"])
      #expect(own.told == [])
    }
  }

  @Test("move the task's progress as the system does, once both directions are known")
  func progress() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("hello"))
      let events = TransferEvents()
      // A task that is complete before its progress is put together shows one that is complete.
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = true
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: queue)
      let task = session.downloadTask(with: request("POST", bodyLength: 5))
      task.countOfBytesClientExpectsToReceive = 5
      task.resume()
      try await until("the progress is complete") { task.progress.completedUnitCount >= 10 }
      #expect(task.progress.totalUnitCount == 10)
      queue.isSuspended = false
      _ = try await events.untilCompletion()
    }
  }
}
