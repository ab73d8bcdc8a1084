#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The file of a download that nobody waits for", .inTurn)
  struct AbandonedDownloadTests {
    @Test("is gone when its handler has returned, but not what the handler has put in its place")
    func handled() async throws {
      for moves in 0...2 {
        let folder = try TestFolder()
        try await withStubs {
          stub(condition: .anything, response: .text("file"))
          let moved = folder.url.appendingPathComponent("moved")
          let file = try await untilResumed { continuation in
            URLSession.shared.downloadTask(with: url("http://a.example/")) { file, _, _ in
              guard let file, (try? Data(contentsOf: file)) == Data("file".utf8) else {
                return continuation.resume(returning: URL?.none)
              }
              if moves > 0 { try? FileManager.default.moveItem(at: file, to: moved) }
              if moves > 1 { try? Data().write(to: file) }
              continuation.resume(returning: file)
            }.resume()
          }
          let path = try #require(file, "\(moves)").path
          if moves < 2 { try await until("the file is gone") { !FileManager.default.fileExists(atPath: path) } }
          #expect(FileManager.default.fileExists(atPath: path) == (moves == 2), "\(moves)")
          #expect(folder.names == (moves > 0 ? ["moved"] : []), "\(moves)")
          unlink(path)
        }
      }
    }

    @Test("is gone when its delegate has returned, and stays with an async call")
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
        let (kept, _) = try await URLSession.shared.download(from: url("http://a.example/"))
        #expect(try Data(contentsOf: kept) == Data("file".utf8))
        try FileManager.default.removeItem(at: kept)
      }
    }

    #if compiler(>=6.2)
      @Test("is gone when its download is cancelled, and is not written to its end")
      func cancelled() async {
        // In a process of its own, whose temporary directory has nothing else in it.
        await #expect(processExitsWith: .success) { try await LongDownload.check(isCancelled: true) }
      }

      @Test("is gone when its scope ends, and is not written to its end")
      func endOfScope() async {
        await #expect(processExitsWith: .success) { try await LongDownload.check(isCancelled: false) }
      }
    #endif
  }

  private final class KeepingDelegate: NSObject, URLSessionDownloadDelegate {
    let file = Locked<URL?>(nil)

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
      self.file.withLock { $0 = file }
    }
  }

  /// The download of a fixture that takes seconds to copy, in a process whose temporary directory it is.
  private struct LongDownload {
    static let length: UInt64 = 5_000_000_000

    private let folder: URL
    private var fixture: URL { folder.appendingPathComponent("fixture") }
    private var part: URL? {
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))?
        .first { $0.lastPathComponent != "fixture" }
    }

    static func check(isCancelled: Bool) async throws {
      let folder = try TestFolder()
      let download = try LongDownload(in: folder.url)
      let written = try await withStubs {
        let task = download.start()
        let written = try await download.openFile()
        if isCancelled {
          task.cancel()
          try await download.untilGone()
        }
        return written
      }
      try await download.untilGone()
      let writtenLength = try written.seekToEnd()
      precondition(writtenLength < length)
      precondition(folder.names == ["fixture"])
    }

    init(in folder: URL) throws {
      setenv("TMPDIR", folder.path, 1)
      self.folder = folder
      try Data().write(to: fixture)
      let handle = try FileHandle(forWritingTo: fixture)
      // A hole, which takes no room on the disk.
      try handle.truncate(atOffset: Self.length)
      try handle.close()
    }

    func start() -> URLSessionTask {
      stub(condition: .anything, response: .file(fixture))
      let task = URLSession.shared.downloadTask(with: url("http://a.example/")) { _, _, _ in }
      task.resume()
      return task
    }

    /// The file that it is written to, as soon as it is there.
    func openFile() async throws -> FileHandle {
      var file: FileHandle?
      try await until("the file of the download is there") {
        file = part.flatMap { try? FileHandle(forReadingFrom: $0) }
        return file != nil
      }
      return try #require(file)
    }

    func untilGone() async throws { try await until("the file of the download is gone") { part == nil } }
  }
#endif
