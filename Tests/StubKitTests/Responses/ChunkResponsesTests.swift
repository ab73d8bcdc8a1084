import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response in given pieces", .inTurn)
struct ChunkResponsesTests {
  @Test("reaches everyone else whole, with a length unless it is sent in chunks of no known number")
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

  private static let pieces = [Data("a".utf8), Data("bc".utf8), Data("def".utf8)]

  @Test(
    "says so in its description",
    arguments: [
      (.chunks(pieces), "200, 6 bytes in 3 pieces"), (.chunks([Data([1])]), "200, 1 byte in 1 piece"),
      (
        .chunks(pieces, every: .seconds(1), first: .seconds(2)),
        "200, 6 bytes in 3 pieces, every 1.0 seconds, the first after 2.0 seconds"
      ), (.chunks(pieces, first: .seconds(2)), "200, 6 bytes in 3 pieces, the first after 2.0 seconds"),
    ] as [(StubResponse, String)])
  func description(response: StubResponse, expected: String) {
    #expect(response.description == expected)
  }
}
