import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The body of a response", .inTurn)
struct ResponseBodyTests {
  private func open(_ response: StubResponse) throws -> ResponseBody { try response.body.opened(by: nil).get() }

  @Test("is in memory unless it is a file of more than 64 MB")
  func openFiles() throws {
    for file in [try LargeFile(length: 0), try LargeFile(length: 200_001), try LargeFile.long()] {
      let body = try open(.file(file.url))
      #expect(body.isOpen == (file.bytes.count > 64 << 20))
      #expect(body.count == file.bytes.count)
      #expect(try body.piece(0..<body.count) == file.bytes)
    }
  }

  @Test(
    "gives any part of itself, with indices from zero", arguments: [0..<1, 65_530..<65_550, 67_178_860..<67_178_864])
  func pieces(range: Range<Int>) throws {
    let file = try LargeFile.long()
    // Of data whose own indices do not begin at zero, too.
    let slice = (Data([1, 2, 3]) + file.bytes).dropFirst(3)
    let long = try open(.file(file.url))
    for body in [long, .data(file.bytes), .data(slice)] {
      let piece = try body.piece(range)
      #expect(piece == file.bytes.subdata(in: range))
      #expect(piece.startIndex == 0)
      let part = body.part(range.lowerBound..<body.count)
      #expect(try part.piece(0..<range.count) == piece && part.count == body.count - range.lowerBound)
    }
  }

  @Test("stays what it was when it was opened, though the file is replaced or removed")
  func replacedFile() throws {
    let file = try LargeFile.long()
    let body = try open(.file(file.url))
    try FileManager.default.removeItem(at: file.url)
    #expect(try body.piece(0..<10) == file.bytes.prefix(10))
    #expect(try body.piece(0..<body.count) == file.bytes)
  }

  #if compiler(>=6.2)
    @Test("stays what it was when it was received, though the file is written anew")
    func rewrittenFile() async {
      // In a process of its own, which is killed where the bytes are mapped.
      await #expect(processExitsWith: .success) {
        for length in [60_000, 200_001] {
          let file = try LargeFile(length: length)
          try await withStubs {
            stub(condition: .anything, response: .file(file.url))
            let (data, _) = try await URLSession.shared.data(from: url("http://a.example/"))
            try Data("new".utf8).write(to: file.url, options: [])
            precondition(data == file.bytes)
          }
        }
      }
    }
  #endif

  @Test("of a long file that became shorter is an error that says so")
  func truncated() throws {
    let file = try LargeFile.long()
    let body = try open(.file(file.url))
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.truncate(atOffset: 10)
    try handle.close()
    for range in [0..<11, 0..<body.count] {
      let error = #expect(throws: StubResponseError.self) { try body.piece(range) }
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

extension ResponseBody {
  /// Returns all bytes, as a request would receive them.
  func load() throws -> Data {
    do {
      let body = try opened(by: nil).get()
      return try body.piece(0..<body.count)
    } catch { throw error.reason }
  }
}
