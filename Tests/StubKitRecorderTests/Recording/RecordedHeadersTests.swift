import Foundation
import StubKitFormats
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The header fields of a recorded response", .inTurn)
struct RecordedHeadersTests {
  private static func headers(
    _ fields: [String: String], _ bodyLength: Int?, _ method: String = "GET"
  ) throws -> HTTPArchive.Headers {
    let response = try #require(
      HTTPURLResponse(url: url("http://a.example/"), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
    return HTTPArchive.Headers(of: response, to: request("http://a.example/", method: method), bodyLength: bodyLength)
  }

  @Test("have each cookie in a field of its own")
  func cookies() throws {
    for cookies in [
      ["a=1"], ["a=1", "b=2"], ["a=1; Path=/", "b=2; HttpOnly"], ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"],
      ["a=1; Expires=Wed, 21-Oct-2026 07:28:00 GMT; Path=/", "b=; Max-Age=0"], ["a=1, 2, 3"], ["a=1,"], [""],
    ] {
      for separator in [",", ", "] {
        let headers = try Self.headers(["Set-Cookie": cookies.joined(separator: separator)], 0)
        #expect(headers.values(of: "Set-Cookie") == cookies)
      }
    }
  }

  @Test("are true for a body without its content coding, and in the order of their names")
  func lengths() throws {
    let encoded = ["Content-Length": "7", "content-encoding": "gzip", "X-B": "2", "X-A": "1"]
    let plain = ["Content-Length": "7", "X-A": "1"]
    for (fields, length, method, expected) in [
      (encoded, 120, "GET", ["content-length: 120", "x-a: 1", "x-b: 2"]), (encoded, nil, "GET", ["x-a: 1", "x-b: 2"]),
      (encoded, 0, "HEAD", ["content-encoding: gzip", "content-length: 7", "x-a: 1", "x-b: 2"]),
      (plain, 7, "GET", ["content-length: 7", "x-a: 1"]), (plain, nil, "GET", ["content-length: 7", "x-a: 1"]),
      (["X-A": "1"], 7, "GET", ["x-a: 1"]),
    ] as [([String: String], Int?, String, [String])] {
      let headers = try Self.headers(fields, length, method).map { "\($0.name.lowercased()): \($0.value)" }
      #expect(headers == expected)
    }
  }
}
