#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  import StubKit

  @Suite("The file of an upload", .inTurn)
  struct UploadedFileTests {
    @Test("is read before a manual clock moves, so that advancing by the answer's delay is enough")
    func manualClock() async throws {
      // So long that reading it takes real time.
      let file = try TestFile(LargeFile.bytes(length: 3_000_000))
      try await withStubs { () async throws in
        let clock = ManualClock.patient
        StubRegistry.current.clock = clock
        stub(condition: .anything, response: .text("answer").delay(.seconds(1)))
        // The second upload begins at 1 second on the clock.
        for _ in 0..<2 {
          let answer = Locked("")
          let request = request("http://a.example/", method: "POST")
          URLSession.shared.uploadTask(with: request, fromFile: file.url) { data, _, error in
            answer.withLock { $0 = error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self) }
          }.resume()
          // At once. If the clock didn't wait for the file, the delay would begin after this, and never pass.
          await clock.advance(by: .seconds(1))
          try await until("the upload is complete") { answer.withLock(\.self) == "answer" }
        }
      }
    }

    @Test("is not read if it is a pipe, at which StubKit would wait")
    func fifo() async throws {
      let folder = try TestFolder()
      let fifo = folder.url.appendingPathComponent("fifo")
      mkfifo(fifo.path, 0o600)
      try await withStubs {
        stub(condition: .anything, response: .text("answer"))
        let request = request("http://a.example/x", method: "POST")
        let (answer, _) = try await URLSession.shared.upload(for: request, fromFile: fifo)
        #expect(answer == Data("answer".utf8))
        #expect(StubRegistry.current.journal.entries.map(\.body) == [nil])
      }
    }
  }
#endif
