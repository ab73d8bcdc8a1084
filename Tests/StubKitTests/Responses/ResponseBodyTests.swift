import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The body of a response", .inTurn)
struct ResponseBodyTests {
  private func open(_ response: StubResponse) throws -> ResponseBody { try response.body.opened(by: nil).get() }

  @Test(
    "is in memory unless it is a file longer than a piece", arguments: [(0, false), (65_536, false), (65_537, true)])
  func openFiles(length: Int, isFile: Bool) throws {
    let file = try LargeFile(length: length)
    let body = try open(.file(file.url))
    #expect(body.isOpen == isFile)
    #expect(body.count == length)
    #expect(try body.piece(0..<body.count) == file.bytes)
  }

  @Test("gives any part of itself, with indices from zero", arguments: [0..<1, 65_530..<65_550, 199_999..<200_001])
  func pieces(range: Range<Int>) throws {
    let file = try LargeFile(length: 200_001)
    // Of data whose own indices do not begin at zero, too.
    let slice = (Data([1, 2, 3]) + file.bytes).dropFirst(3)
    for body in [try open(.file(file.url)), .data(file.bytes), .data(slice)] {
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
    let copy = try open(.file(link)).temporaryFile(unless: CancellationFlag()).handOver(isKept: true)
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
    #expect(try body.piece(0..<body.count) == file.bytes)
    let copy = try body.temporaryFile(unless: CancellationFlag()).handOver(isKept: true)
    defer { try? FileManager.default.removeItem(at: copy) }
    #expect(try Data(contentsOf: copy) == file.bytes)
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

  @Test("that became shorter is an error that says so")
  func truncated() throws {
    let file = try LargeFile(length: 100_000)
    let body = try open(.file(file.url))
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.truncate(atOffset: 10)
    try handle.close()
    let errors = [
      #expect(throws: StubResponseError.self) { try body.piece(0..<11) },
      #expect(throws: StubResponseError.self) { try body.piece(0..<body.count) },
      #expect(throws: StubResponseError.self) { try body.temporaryFile(unless: CancellationFlag()) },
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

@Suite("What is kept of a stream", .inTurn)
struct BodyCollectionTests {
  @Test("is nothing where a delegate gets the chunks, but how many bytes they had")
  func nothing() throws {
    let collection = BodyCollection(.nothing)
    for _ in 1...3 { try collection.append(Data("abc".utf8)) }
    #expect(collection.byteCount == 9 && collection.data.isEmpty)
  }

  @Test("is all of it otherwise, in memory or in a file")
  func all() throws {
    for kind in [BodyCollection.Kind.memory, .file] {
      let collection = BodyCollection(kind)
      for text in ["abc", "", "de"] { try collection.append(Data(text.utf8)) }
      #expect(collection.byteCount == 5)
      #expect(collection.data == Data((kind == .memory ? "abcde" : "").utf8))
      let url = try ResponseBody.collected(collection).temporaryFile(unless: CancellationFlag()).handOver(isKept: true)
      #expect(try Data(contentsOf: url) == Data("abcde".utf8))
      try FileManager.default.removeItem(at: url)
    }
  }

  @Test("as a file is gone with the request, unless it was given away")
  func removal() throws {
    func parts() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path).filter {
          $0.hasSuffix(".unfinished")
        })
    }
    var collection: BodyCollection? = BodyCollection(.file)
    let before = try parts()
    try collection?.append(Data("abc".utf8))
    let made = try parts().subtracting(before)
    #expect(!made.isEmpty)
    collection = nil
    #expect(try !made.isSubset(of: parts()))
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
