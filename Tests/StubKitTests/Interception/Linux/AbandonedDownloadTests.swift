#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The file of a download that nobody waits for", .inTurn)
  struct AbandonedDownloadTests {
    @Test(
      "is gone when its download is cancelled, or its scope ends, and is not written to its end",
      arguments: [true, false])
    func ended(isCancelled: Bool) async throws {
      let folder = try TestFolder()
      // In a process of its own, whose temporary directory nobody else uses.
      await #expect(processExitsWith: .success) { [path = folder.url.path as String, isCancelled] in
        let download = try LongDownload(in: path)
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
        let length = try written.seekToEnd()
        precondition(length < LongDownload.length)
      }
      #expect(folder.names == ["fixture"])
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

    init(in path: String) throws {
      setenv("TMPDIR", path, 1)
      folder = URL(fileURLWithPath: path)
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
