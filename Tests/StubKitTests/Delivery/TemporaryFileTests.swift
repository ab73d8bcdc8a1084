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

  @Test("that its receiver does not keep is gone with the object, but not what has taken its place")
  func returned() throws {
    let folder = try TestFolder()
    let moved = folder.url.appendingPathComponent("moved")
    for isMoved in [false, true] {
      var file: TemporaryFile? = try TemporaryFile(in: folder.url)
      let location = try #require(file?.handOver(isKept: false))
      if isMoved {
        try FileManager.default.moveItem(at: location, to: moved)
        try Data("other".utf8).write(to: location)
      }
      file?.remove()
      file = nil
      #expect(folder.names == (isMoved ? [location.lastPathComponent, "moved"] : []))
    }
  }

  @Test("has all that was written, and stays with its receiver", arguments: [0, 3, 3_000_000])
  func handOver(length: Int) throws {
    let folder = try TestFolder()
    let bytes = LargeFile.bytes(length: length)
    var file: TemporaryFile? = try TemporaryFile(in: folder.url)
    for start in stride(from: 0, to: length, by: 1 << 20) { try file?.append(bytes.dropFirst(start).prefix(1 << 20)) }
    let location = try #require(file?.handOver(isKept: true))
    file = nil
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
}
