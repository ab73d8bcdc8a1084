import TestSupport
import Testing

@testable import StubKitServer

@Suite("The parser of requests", .inTurn)
struct RequestParserTests {
  private static func read(
    _ text: String, pieces: Int, _ limits: RequestParser.Limits = .init()
  ) -> SlowHTTP.Reading { HTTPFuzzing.read(Array(text.utf8), pieces: [pieces], limits) }

  /// RFC 9112, section 11.2, and what is known of programs that disagree about where a request ends. A row of
  /// Fixtures/requests.json has bytes, and the status of the refusal, if they are refused.
  @Test("refuses what is no request, and what two programs could read differently")
  func refused() throws {
    for row in try fixture("requests") as [RawRequest] {
      for count in [1, 2, 3, 7, row.text.utf8.count] {
        let reading = Self.read(row.text, pieces: count)
        #expect(reading.status == row.status, "\(row.text) in pieces of \(count)")
        #expect(reading.requests.isEmpty == (row.status != nil), "\(row.text) in pieces of \(count)")
      }
    }
  }

  @Test("keeps to its limits, to the byte")
  func limits() {
    let limits = RequestParser.Limits(target: 10, fields: 45, body: 5)
    let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
    func repeated(_ count: Int) -> String { String(repeating: "a", count: count) }
    // What is too long is refused before its end is there.
    for (text, status) in [
      ("GET /\(repeated(9)) HTTP/1.1\r\nHost: a\r\n\r\n", nil), ("GET /\(repeated(200))", 414),
      ("GET /\(repeated(10)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
      // "Host: a" takes 9 bytes, and the empty line takes 2.
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \(repeated(29))\r\n\r\n", nil),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \(repeated(30))\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \(repeated(60))", 431),
      ("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nabcde", nil),
      ("POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n", 413), (chunked + "2\r\nde\r\n0\r\n\r\n", nil),
      (chunked + "3\r\n", 413), (chunked + "fffffffffffffff\r\n", 413), (chunked + "1;\(repeated(5_000))", 400),
    ] as [(String, Int?)] {
      #expect(Self.read(text, pieces: 1, limits).status == status, "\(text)")
    }
  }

  @Test("waits for the rest of a body, even if that has the greatest length that there is", arguments: [1, 1_000])
  func longest(pieces: Int) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Int.max)\r\n\r\n"
    let reading = Self.read(head + "abc", pieces: pieces, .init(body: .max))
    #expect(reading.status == nil)
    #expect(reading.isInside)
  }
}
