import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A body that is read", .inTurn)
struct BodyReaderTests {
  private let request = URLRequest(url: URL(string: "http://a.example/")!)

  @Test("is what is left of a stream that was opened before")
  func openStream() async throws {
    let stream = InputStream(data: Data("abc".utf8))
    stream.open()
    var first: UInt8 = 0
    #expect(stream.read(&first, maxLength: 1) == 1)
    // Handed over: not used here any more.
    nonisolated(unsafe) let handedOver = stream
    #expect(try await BodyReader.read(handedOver) == Data("bc".utf8))
  }

  #if compiler(>=6.2)
    @Test("stays what it was, though the file is written anew")
    func rewrittenFile() async {
      // In a process of its own, which is killed where the bytes are mapped.
      await #expect(processExitsWith: .success) {
        let file = try TestFile(Data(repeating: 7, count: 3_000_000))
        let body = try await BodyReader.read(file.url, for: URLRequest(url: url("http://a.example/")))
        try Data("new".utf8).write(to: file.url, options: [])
        precondition(body == Data(repeating: 7, count: 3_000_000))
      }
    }
  #endif
}
