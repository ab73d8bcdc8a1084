import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The body of a recording", .inTurn)
struct BodySpoolTests {
  @Test(
    "is in memory up to 256 KB and in a file beyond, with all of its bytes",
    arguments: [0, 1, BodySpool.limit, BodySpool.limit + 1, 3_000_000])
  func collected(length: Int) throws {
    let bytes = LargeFile.bytes(length: length)
    var spool = BodySpool()
    for piece in RegularFile.pieces(of: length) { spool.append(bytes.subdata(in: piece)) }
    for body in [try spool.body(), try BodySpool.body(of: bytes)] {
      #expect(body.count == length && body.data == bytes)
      #expect((body.file != nil) == (length > BodySpool.limit))
    }
  }

  @Test("begins again with nothing")
  func cleared() throws {
    var spool = BodySpool()
    spool.append(LargeFile.bytes(length: 300_000))
    spool.clear()
    spool.append(Data("abc".utf8))
    #expect(try spool.body().data == Data("abc".utf8))
  }

  @Test("is a copy of a file, which may change", arguments: [3, 400_000])
  func copied(length: Int) throws {
    let folder = try TestFolder()
    let source = folder.url.appendingPathComponent("file")
    let bytes = LargeFile.bytes(length: length)
    try bytes.write(to: source)
    let body = try BodySpool.body(ofFile: source)
    let handle = try FileHandle(forWritingTo: source)
    try handle.write(contentsOf: Data("changed".utf8))
    #expect(body.data == bytes && (body.file != nil) == (length > BodySpool.limit))
  }

  @Test("leaves no file behind when nobody holds it any more")
  func removed() throws {
    var body: ArchivedBody? = try BodySpool.body(of: LargeFile.bytes(length: 300_000))
    let path = try #require(body?.file?.url.path)
    #expect(FileManager.default.fileExists(atPath: path))
    body = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    do {
      var spool = BodySpool()
      spool.append(LargeFile.bytes(length: 300_000))
    }
  }
}
