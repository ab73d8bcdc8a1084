import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A delivery's body", .inTurn)
struct DeliveryBodyTests {
  private func open(_ response: StubResponse) throws -> DeliveryBody { try .open(response.body, of: nil) }

  @Test(
    "is in memory unless it is a file longer than a piece", arguments: [(0, false), (65_536, false), (65_537, true)])
  func openFiles(length: Int, isFile: Bool) throws {
    let file = try LargeFile(length: length)
    let body = try open(.file(file.url))
    #expect((body.longestPiece == 65_536) == isFile)
    #expect(body.count == length)
    #expect(try body.whole(unless: CancellationFlag()) == file.bytes)
    #expect(try open(.data(file.bytes)).longestPiece == nil)
  }

  @Test("gives any part of itself, with indices from zero", arguments: [0..<1, 65_530..<65_550, 199_999..<200_001])
  func pieces(range: Range<Int>) throws {
    let file = try LargeFile(length: 200_001)
    // Of data whose own indices do not begin at zero, too.
    let slice = (Data([1, 2, 3]) + file.bytes).dropFirst(3)
    for body in [try open(.file(file.url)), .memory(file.bytes), .memory(slice)] {
      let piece = try body.piece(range)
      #expect(piece == file.bytes.subdata(in: range))
      #expect(piece.startIndex == 0)
    }
  }

  @Test("becomes a new file that can be written to, also of a link or a file that can't")
  func copies() throws {
    let manager = FileManager.default
    let file = try LargeFile(length: 200_001)
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.url.path)
    let link = file.url.appendingPathExtension("link")
    try manager.createSymbolicLink(at: link, withDestinationURL: file.url)
    let copy = try open(.file(link)).file(unless: CancellationFlag()).handOver()
    defer { for made in [link, copy] { try? manager.removeItem(at: made) } }
    #expect(try Data(contentsOf: copy) == file.bytes)
    #expect(try manager.attributesOfItem(atPath: copy.path)[.type] as? FileAttributeType == .typeRegular)
    try Data("x".utf8).write(to: copy, options: [])
    #expect(try Data(contentsOf: file.url) == file.bytes)
  }

  @Test("stays what it was when it was opened, though the file is replaced or removed")
  func replacedFile() throws {
    let file = try LargeFile(length: 100_000)
    let body = try open(.file(file.url))
    try FileManager.default.removeItem(at: file.url)
    #expect(try body.piece(0..<10) == file.bytes.prefix(10))
    #expect(try body.whole(unless: CancellationFlag()) == file.bytes)
    let copy = try body.file(unless: CancellationFlag()).handOver()
    defer { try? FileManager.default.removeItem(at: copy) }
    #expect(try Data(contentsOf: copy) == file.bytes)
  }

  @Test("stays what it was when it was received, though the file is written anew", arguments: [60_000, 200_001])
  func rewrittenFile(length: Int) async {
    // In a process of its own, which is killed where the bytes are mapped.
    await #expect(processExitsWith: .success) { [length] in
      let file = try LargeFile(length: length)
      try await withStubs {
        stub(condition: .anything, response: .file(file.url))
        let (data, _) = try await URLSession.shared.data(from: url("http://a.example/"))
        try Data("new".utf8).write(to: file.url, options: [])
        precondition(data == file.bytes)
      }
    }
  }

  @Test("that became shorter is an error that says so")
  func truncated() throws {
    let file = try LargeFile(length: 100_000)
    let body = try open(.file(file.url))
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.truncate(atOffset: 10)
    try handle.close()
    let errors = [
      #expect(throws: StubResponseError.self) { try body.piece(0..<11) },
      #expect(throws: StubResponseError.self) { try body.whole(unless: CancellationFlag()) },
      #expect(throws: StubResponseError.self) { try body.file(unless: CancellationFlag()) },
    ]
    for error in errors {
      #expect(error?.reason == .fixtureBecameShorter(file.url.path))
    }
  }

  @Test("of a fixture that is not there, or is a directory, is the fixture's own error")
  func missing() {
    #expect(throws: StubResponseError.self) { try open(.file("/no/such/file")) }
    let directory = FileManager.default.temporaryDirectory
    let error = #expect(throws: StubResponseError.self) { try open(.file(directory)) }
    #expect(error?.reason == .fixtureIsDirectory(directory.path))
  }
}
