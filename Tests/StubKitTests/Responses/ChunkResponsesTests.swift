import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response in given pieces", .inTurn)
struct ChunkResponsesTests {
  @Test("reaches everyone else whole")
  func whole() async throws {
    try await withStubs { () async throws in
      let pieces = [Data("one ".utf8), Data("two".utf8)]
      stub(condition: isPath("/known"), response: .chunks(pieces, status: 201, headers: ["X-A": "b"]))
      stub(condition: isPath("/unknown"), response: .chunks(pieces, headers: ["Transfer-Encoding": "chunked"]))
      let (data, response) = try await URLSession.shared.data(from: url("http://a.example/known"))
      let head = response as? HTTPURLResponse
      #expect(data == Data("one two".utf8) && head?.statusCode == 201)
      #expect(head?.allHeaderFields as? [String: String] == ["Content-Length": "7", "X-A": "b"])
      let other = try await URLSession.shared.data(from: url("http://a.example/unknown"))
      #expect(other.0 == data && other.1.expectedContentLength == -1)
    }
  }
}
