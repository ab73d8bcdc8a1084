#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The file of a download", .inTurn)
  struct AbandonedDownloadTests {
    @Test("is gone when its handler has returned", arguments: [false, true])
    func handled(isMoved: Bool) async throws {
      let folder = try TestFolder()
      try await withStubs {
        stub(condition: .anything, response: .text("file"))
        let moved = folder.url.appendingPathComponent("moved")
        let (file, data): (URL, Data) = try await untilResumed { continuation in
          URLSession.shared.downloadTask(with: url("http://a.example/")) { file, _, error in
            continuation.resume(
              with: Result {
                guard let file else { throw error! }
                let data = try Data(contentsOf: file)
                if isMoved { try FileManager.default.moveItem(at: file, to: moved) }
                return (file, data)
              })
          }.resume()
        }
        #expect(data == Data("file".utf8))
        try await until("the file is gone") { !FileManager.default.fileExists(atPath: file.path) }
        #expect(folder.names == (isMoved ? ["moved"] : []))
      }
    }

    @Test("is gone when its delegate has returned")
    func delegated() async throws {
      try await withStubs {
        stub(condition: .anything, response: .text("file"))
        let delegate = KeepingDelegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        session.downloadTask(with: url("http://a.example/")).resume()
        try await until("the file has been there, and is gone") {
          delegate.file.withLock { $0.map { !FileManager.default.fileExists(atPath: $0.path) } ?? false }
        }
        session.invalidateAndCancel()
        // The file of an async call stays, and is its caller's.
        let (kept, _) = try await URLSession.shared.download(from: url("http://a.example/"))
        #expect(try Data(contentsOf: kept) == Data("file".utf8))
        try FileManager.default.removeItem(at: kept)
      }
    }

    @Test("is gone when the download or its scope ends", .startsProcess)
    func cancelled() async {
      // In a process of its own, whose temporary directory has nothing else in it.
      await #expect(processExitsWith: .success) {
        let folder = try TestFolder()
        setenv("TMPDIR", folder.url.path, 1)
        for isCancelled in [true, false] {
          try await withStubs {
            stub(condition: .anything, response: .text("abc").chunked(by: 1, every: .seconds(600)))
            let task = URLSession.shared.downloadTask(with: url("http://a.example/")) { _, _, _ in }
            task.resume()
            try await until("the file of the download is there, cancelled: \(isCancelled)") { !folder.names.isEmpty }
            guard isCancelled else { return }
            task.cancel()
            try await until("the file of the cancelled download is gone") { folder.names.isEmpty }
          }
          try await until("the file is gone at the end, cancelled: \(isCancelled)") { folder.names.isEmpty }
        }
      }
    }

    @Test("that can't be made says where, and what to do")
    func unwritable() throws {
      let error = #expect(throws: URLError.self) { try TemporaryFile(in: URL(fileURLWithPath: "/no/such/place")) }
      #expect(error?.code == .cannotCreateFile)
      let text = try #require(error).localizedDescription
      #expect(text.contains("/no/such/place/StubKit-") && text.contains("No such file or directory"), "\(text)")
      #expect(text.contains("set TMPDIR"), "\(text)")
    }
  }

  private final class KeepingDelegate: NSObject, URLSessionDownloadDelegate {
    let file = Locked<URL?>(nil)

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
      self.file.withLock { $0 = file }
    }
  }
#endif
