#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The file of a download that nobody waits for", .inTurn)
  struct AbandonedDownloadTests {
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
