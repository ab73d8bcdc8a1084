import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The body of a response", .inTurn)
struct ResponseBodyTests {
  #if compiler(>=6.2)
    @Test("stays what it was when it was received")
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
