import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The temporary file of a download", .inTurn)
struct TemporaryFileTests {
  @Test("is gone when nobody holds it any more")
  func removal() throws {
    let folder = try TestFolder()
    var file: TemporaryFile? = try TemporaryFile(in: folder.url)
    try file?.append(Data("abc".utf8))
    #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".unfinished"))
    file = nil
    #expect(folder.names.isEmpty)
  }

  @Test("has all that was written, and stays with its receiver", arguments: [0, 3, 3_000_000])
  func handOver(length: Int) throws {
    let folder = try TestFolder()
    let bytes = LargeFile.bytes(length: length)
    var file: TemporaryFile? = try TemporaryFile(in: folder.url)
    for piece in RegularFile.pieces(of: length) { try file?.append(bytes.subdata(in: piece)) }
    let location = try #require(file?.handOver())
    file = nil
    TemporaryFile.removeLeftovers(in: folder.url)
    #expect(folder.names == [location.lastPathComponent] && location.pathExtension == "tmp")
    #expect(try Data(contentsOf: location) == bytes)
  }

  @Test("that can't be made says where, and what to do")
  func unwritable() throws {
    let error = #expect(throws: URLError.self) { try TemporaryFile(in: URL(fileURLWithPath: "/no/such/place")) }
    #expect(error?.code == .cannotCreateFile)
    let text = try #require(error).localizedDescription
    #expect(text.contains("/no/such/place/StubKit-") && text.contains("No such file or directory"))
    #expect(text.contains("set TMPDIR"))
  }

  @Test("is removed by another process if its own has ended, and nothing else is")
  func leftovers() throws {
    let folder = try TestFolder()
    let living = try TemporaryFile(in: folder.url)
    func name(_ ending: String) -> String { "StubKit-\(UUID().uuidString)\(ending)" }
    let dead = (0..<3).map { _ in name(".unfinished") }
    let others = [
      name(".tmp"), name(".unfinished.txt"), name(".part"), name(".bin"), "StubKit-notes.unfinished",
      "Other-\(UUID()).unfinished",
    ]
    for name in dead + others { try Data("x".utf8).write(to: folder.url.appendingPathComponent(name)) }
    let links = [name(".unfinished"), name(".unfinished")]
    let manager = FileManager.default
    try manager.createDirectory(at: folder.url.appendingPathComponent(links[0]), withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      at: folder.url.appendingPathComponent(links[1]), withDestinationURL: folder.url.appendingPathComponent(others[0]))
    let fifo = name(".unfinished")
    mkfifo(folder.url.appendingPathComponent(fifo).path, 0o600)
    let before = Set(folder.names)
    TemporaryFile.removeLeftovers(in: folder.url)
    #expect(Set(folder.names) == before.subtracting(dead))
    withExtendedLifetime(living) {}
  }

  // A lock belongs to the opened file: for it a thread that opens a file anew is another process.
  @Test("is not lost while many others clear the directory")
  func clearing() throws {
    let folder = try TestFolder()
    let lost = Locked<[String]>([])
    let working = Locked(4)
    let threads = DispatchGroup()
    func thread(_ body: @escaping @Sendable () -> Void) {
      threads.enter()
      Thread.detachNewThread {
        body()
        threads.leave()
      }
    }
    for _ in 0..<4 {
      thread {
        for _ in 0..<1_000 {
          let file = try? TemporaryFile(in: folder.url)
          try? file?.append(Data("abc".utf8))
          let location = file?.handOver()
          if location.flatMap({ try? Data(contentsOf: $0) }) != Data("abc".utf8) {
            lost.withLock { $0.append(location?.path ?? "a file that could not be made") }
          }
          if let location { unlink(location.path) }
        }
        working.withLock { $0 -= 1 }
      }
      thread { while working.withLock({ $0 }) > 0 { TemporaryFile.removeLeftovers(in: folder.url) } }
    }
    threads.wait()
    let names = lost.withLock { $0 }
    #expect(names == [])
    #expect(folder.names == [])
  }

  @Test("is not written to its end when nobody waits for it")
  func abandoned() throws {
    let file = try LargeFile(length: 3_000_000)
    let body = try DeliveryBody.open(StubResponse.file(file.url).body, of: nil)
    let flag = CancellationFlag()
    flag.cancel()
    #expect(throws: CancellationError.self) { try body.file(unless: flag) }
    #expect(throws: CancellationError.self) { try body.whole(unless: flag) }
  }
}
