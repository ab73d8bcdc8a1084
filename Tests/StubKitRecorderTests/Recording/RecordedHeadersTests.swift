import Foundation
import StubKitFormats
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("The header fields of a recorded response", .inTurn)
struct RecordedHeadersTests {
  @Test(
    "have each cookie in a field of its own",
    arguments: [
      ("a=1", ["a=1"]),
      ("a=1,b=2", ["a=1", "b=2"]),
      ("a=1; Path=/, b=2; HttpOnly", ["a=1; Path=/", "b=2; HttpOnly"]),
      ("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"]),
      (
        "a=1; Expires=Wed, 21-Oct-2026 07:28:00 GMT; Path=/,b=; Max-Age=0",
        ["a=1; Expires=Wed, 21-Oct-2026 07:28:00 GMT; Path=/", "b=; Max-Age=0"]
      ),
      ("a=1, 2, 3", ["a=1, 2, 3"]),
      ("a=1,", ["a=1,"]),
      ("", [""]),
    ])
  func cookies(value: String, expected: [String]) throws {
    let response = try #require(
      HTTPURLResponse(
        url: url("http://a.example/"), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Set-Cookie": value]))
    let headers = HTTPArchive.Headers(of: response, to: request("http://a.example/"), bodyLength: 0)
    #expect(headers.values(of: "Set-Cookie") == expected)
  }

  private static let encoded = ["Content-Length": "7", "content-encoding": "gzip", "X-B": "2", "X-A": "1"]
  private static let plain = ["Content-Length": "7", "X-A": "1"]

  @Test("are true for a body without its content coding, and in the order of their names")
  func lengths() throws {
    func headers(_ fields: [String: String], _ bodyLength: Int?, _ method: String = "GET") throws -> [String] {
      let address = url("http://a.example/")
      let response = try #require(
        HTTPURLResponse(url: address, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
      return HTTPArchive.Headers(
        of: response, to: request("http://a.example/", method: method), bodyLength: bodyLength
      ).map { "\($0.name.lowercased()): \($0.value)" }
    }
    #expect(try headers(Self.encoded, 120) == ["content-length: 120", "x-a: 1", "x-b: 2"])
    #expect(try headers(Self.encoded, nil) == ["x-a: 1", "x-b: 2"])
    #expect(
      try headers(Self.encoded, 0, "HEAD") == ["content-encoding: gzip", "content-length: 7", "x-a: 1", "x-b: 2"])
    #expect(try headers(Self.plain, 7) == ["content-length: 7", "x-a: 1"])
    #expect(try headers(Self.plain, nil) == ["content-length: 7", "x-a: 1"])
    #expect(try headers(["X-A": "1"], 7) == ["x-a: 1"])
  }
}
