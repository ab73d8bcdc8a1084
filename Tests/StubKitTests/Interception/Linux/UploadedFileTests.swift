#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  import StubKit

  @Suite("The file of an upload", .inTurn)
  struct UploadedFileTests {
    private func upload(_ file: URL) async throws -> String {
      let request = request("http://a.example/x", method: "POST")
      return String(decoding: try await URLSession.shared.upload(for: request, fromFile: file).0, as: UTF8.self)
    }

    @Test("is in the journal, and by its length if it is long")
    func longFiles() async throws {
      for isKept in [true, false] {
        try await withStubs {
          StubRegistry.current.journal.keepsLargeBodies = isKept
          stub(condition: .anything, response: .text("answer"))
          for length in [0, 1_000_000, 1_000_001, 3_000_017] {
            StubRegistry.current.journal.clear()
            let bytes = LargeFile.bytes(length: length)
            let file = try TestFile(bytes)
            _ = try await upload(file.url)
            _ = try await URLSession.shared.upload(for: request("http://a.example/", method: "POST"), from: bytes)
            let entries = StubRegistry.current.journal.entries
            let isWhole = isKept || length <= 1_000_000
            #expect(entries.map(\.body) == (isWhole ? [bytes, bytes] : [nil, nil]), "\(isKept)")
            #expect(entries.map(\.largeBodyLength) == (isWhole ? [nil, nil] : [length, length]), "\(isKept)")
          }
        }
      }
    }

    @Test("is read without a manual clock's time")
    func manualClock() async throws {
      let file = try TestFile(LargeFile.bytes(length: 3_000_000))
      try await withStubs { () async throws in
        let clock = ManualClock.patient
        StubRegistry.current.clock = clock
        stub(condition: .anything, response: .text("answer").delay(.seconds(1)))
        for _ in 0..<2 {
          let (answers, answer) = AsyncStream.makeStream(of: String.self)
          let request = request("http://a.example/", method: "POST")
          URLSession.shared.uploadTask(with: request, fromFile: file.url) { data, _, error in
            answer.yield(error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self))
          }.resume()
          // Without waiting for it: the request was made.
          await clock.advance(by: .seconds(1))
          #expect(try await next(of: answers, when: "the upload is complete") == "answer")
        }
      }
    }

    @Test("is not opened where it is none")
    func fifo() async throws {
      let folder = try TestFolder()
      let fifo = folder.url.appendingPathComponent("fifo")
      mkfifo(fifo.path, 0o600)
      try await withStubs {
        stub(condition: .anything, response: .text("answer"))
        let text = try await upload(fifo)
        #expect(text == "answer")
        #expect(StubRegistry.current.journal.entries.map(\.body) == [nil])
      }
    }
  }
#endif
