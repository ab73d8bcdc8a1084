import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("An archive of another tool", .inTurn)
struct ForeignArchiveTests {
  /// What an entry is to be read as. What is `nil` is not looked at.
  struct Expected: Sendable {
    let file: String
    let entry: Int
    var method = "GET"
    let url: String
    var status: Int? = 200
    var headers: [String]?
    var body: [UInt8]?
    var requestHeaders: [String: String]?
    var requestBody: String?
    /// A part of the obstacle.
    var obstacle: String?
    var timeToResponse: Duration?
    var duration: Duration?
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 255, 254, 128]
  private static let api = "https://api.example.com"

  static let chrome: [Expected] = [
    Expected(
      file: "chrome", entry: 1, url: "\(api)/users",
      headers: [
        "content-type: application/json", "content-length: 17", "set-cookie: a=1; Path=/", "set-cookie: b=2; Secure",
      ],
      body: Array(#"[{"name":"Zoë"}]"#.utf8), requestHeaders: ["accept": "application/json", "cookie": "a=1; b=2"],
      timeToResponse: .milliseconds(22), duration: .milliseconds(24)),
    Expected(file: "chrome", entry: 2, url: "\(api)/logo.png", body: png),
    Expected(file: "chrome", entry: 3, url: "\(api)/evicted", obstacle: "has a body of 5120 bytes that was not saved"),
    Expected(
      file: "chrome", entry: 4, url: "\(api)/blocked", status: nil,
      obstacle: "has no response: net::ERR_BLOCKED_BY_CLIENT"),
    Expected(file: "chrome", entry: 5, url: "wss://api.example.com/live", status: 101, obstacle: "is a WebSocket"),
    Expected(
      file: "chrome", entry: 6, url: "data:image/gif;base64,R0lGODlhAQABAAAAACw=", obstacle: "begins with \"data:\""),
    Expected(file: "chrome", entry: 7, url: "blob:https://app.example/5f0d", obstacle: "begins with \"blob:\""),
    Expected(
      file: "chrome", entry: 8, method: "OPTIONS", url: "\(api)/users", status: 204, obstacle: "is a CORS preflight"),
    Expected(
      file: "chrome", entry: 9, method: "POST", url: "\(api)/users?filter=%7Ba%7Cb%7D", status: 201, body: [],
      requestBody: "------b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n------b--\r\n"),
    Expected(
      file: "chrome", entry: 10, url: "\(api)/half", body: Array("abc".utf8),
      obstacle: "net::ERR_CONTENT_LENGTH_MISMATCH"),
    Expected(file: "chrome", entry: 11, url: "\(api)/old", status: 301, headers: ["location: /users"], body: []),
    Expected(
      file: "chrome", entry: 12, method: "HEAD", url: "\(api)/users", headers: ["content-length: 4096"], body: []),
  ]

  static let firefox: [Expected] = [
    Expected(
      file: "firefox", entry: 1, url: "\(api)/latin",
      headers: ["Content-Type: text/plain; charset=ISO-8859-1", "Content-Length: 3"], body: [0x5A, 0x6F, 0xEB],
      timeToResponse: .milliseconds(120)),
    Expected(
      file: "firefox", entry: 2, url: "\(api)/large", headers: ["Content-Type: video/mp4"],
      obstacle: "has a body of 2097152 bytes that was not saved"),
    Expected(file: "firefox", entry: 3, url: "\(api)/unknown", obstacle: "has a body that was not saved"),
    Expected(
      file: "firefox", entry: 4, method: "POST", url: "\(api)/login", status: 204, body: [], requestBody: "user=ann"),
    Expected(
      file: "firefox", entry: 5, url: "\(api)/aborted", status: nil, obstacle: "its status is 0", duration: .zero),
    Expected(file: "firefox", entry: 6, url: "\(api)/font.woff2", obstacle: "6 bytes that was saved as text"),
  ]

  static let safari: [Expected] = [
    Expected(
      file: "safari", entry: 1, url: "\(api)/users", headers: ["Content-Type: application/json", "Content-Length: 16"],
      body: Array(#"[{"name":"Ann"}]"#.utf8), timeToResponse: .microseconds(30_875), duration: .milliseconds(32)),
    Expected(file: "safari", entry: 2, url: "\(api)/photo.jpg", body: [0xFF, 0xD8, 0xFF, 0xE0]),
    Expected(file: "safari", entry: 3, url: "\(api)/gone", obstacle: "has a body of 812 bytes that was not saved"),
    Expected(file: "safari", entry: 4, url: "\(api)/offline", status: nil, obstacle: "appears to be offline"),
    Expected(
      file: "safari", entry: 5, url: "\(api)/nothing", headers: ["Content-Type: text/plain", "Content-Length: 0"],
      body: []),
  ]

  static let charles: [Expected] = [
    Expected(
      file: "charles", entry: 1, method: "POST", url: "\(api)/form",
      headers: ["content-type: application/json; charset=utf-8", "content-length: 11"],
      body: Array(#"{"ok":true}"#.utf8),
      requestHeaders: ["content-type": "application/x-www-form-urlencoded"], requestBody: "a=1+%26+2&%C3%B6="),
    Expected(
      file: "charles", entry: 2, url: "http://api.example.com/cut", obstacle: "its status in Charles is EXCEPTION"),
    Expected(
      file: "charles", entry: 3, method: "POST", url: "\(api)/upload", headers: ["Content-Type: image/gif"],
      body: Array("GIF".utf8),
      requestBody:
        "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhi\r\n--b\r\nContent-Disposition: form-data; "
        + "name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\ndata\r\n--b--\r\n"),
  ]

  private static let local = "http://127.0.0.1:18923"

  static let mitmproxy: [Expected] = [
    Expected(
      file: "mitmproxy", entry: 2, url: "\(local)/users.json",
      headers: ["Content-Type: application/json", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2", "Content-Length: 17"],
      body: Array(#"[{"name":"Zoë"}]"#.utf8)),
    Expected(file: "mitmproxy", entry: 3, url: "\(local)/image.png", body: png),
    Expected(file: "mitmproxy", entry: 4, url: "\(local)/old", status: 302, body: []),
    Expected(file: "mitmproxy", entry: 5, url: "\(local)/empty", body: []),
    Expected(file: "mitmproxy", entry: 6, url: "\(local)/latin", body: [0x5A, 0x6F, 0xEB]),
    Expected(file: "mitmproxy", entry: 8, method: "POST", url: "\(local)/form", requestBody: "a=1+2&b=%26"),
    Expected(file: "mitmproxy", entry: 9, url: "http://127.0.0.1:9/dead", status: nil, obstacle: "Connect call failed"),
  ]

  static let playwright: [Expected] = [
    Expected(
      file: "playwright/playwright", entry: 2, method: "POST", url: "\(local)/users.json",
      body: Array(#"[{"name":"Zoë"}]"#.utf8), requestBody: #"{"q":1}"#),
    Expected(file: "playwright/playwright", entry: 3, url: "\(local)/image.png", body: png),
    Expected(file: "playwright/playwright", entry: 4, url: "\(local)/old", status: 302, body: []),
    Expected(file: "playwright/playwright", entry: 5, method: "POST", url: "\(local)/form", requestBody: "a=1+2&b=%26"),
    Expected(file: "playwright/playwright", entry: 6, url: "\(local)/empty", obstacle: "net::ERR_ABORTED"),
    Expected(
      file: "playwright/playwright", entry: 8, url: "http://127.0.0.1:9/", status: nil, obstacle: "net::ERR_UNSAFE_PORT"
    ),
  ]

  private static func archive(_ name: String) throws -> HTTPArchive {
    let file = try #require(Bundle.module.url(forResource: "Fixtures/Archives/\(name)", withExtension: "har"))
    return try HTTPArchive(contentsOf: file)
  }

  @Test("is read as what went over the wire")
  func entries() throws {
    for expected in Self.chrome + Self.firefox + Self.safari + Self.charles + Self.mitmproxy + Self.playwright {
      let archive = try Self.archive(expected.file)
      let entry = try #require(archive.entries.dropFirst(expected.entry - 1).first, "\(expected)")
      #expect(
        entry.request.httpMethod == expected.method && entry.request.url?.absoluteString == expected.url, "\(expected)")
      #expect(entry.response?.status == expected.status, "\(expected)")
      if let headers = expected.headers {
        #expect(entry.response?.headers.map { "\($0.name): \($0.value)" } == headers, "\(expected)")
      }
      if let body = expected.body { #expect(entry.response.map { Array($0.body) } == body, "\(expected)") }
      if let headers = expected.requestHeaders {
        // Foundation on Linux capitalizes the names.
        let read = (entry.request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: read) == headers, "\(expected)")
      }
      if let body = expected.requestBody {
        #expect(entry.request.httpBody.map { String(decoding: $0, as: UTF8.self) } == body, "\(expected)")
      }
      if let obstacle = expected.obstacle {
        #expect(entry.obstacle?.contains(obstacle) == true, "\(entry.obstacle ?? "no obstacle")")
      } else {
        #expect(entry.obstacle == nil, "\(expected)")
      }
      if let time = expected.timeToResponse { #expect(entry.timeToResponse == time, "\(expected)") }
      if let duration = expected.duration { #expect(entry.duration == duration, "\(expected)") }
    }
  }

  @Test("stays what it is when StubKit writes it")
  func written() throws {
    for name in ["chrome", "firefox", "safari", "charles", "mitmproxy"] {
      let archive = try Self.archive(name)
      let read = try HTTPArchive(archive.data)
      #expect(read == archive, "\(name)")
      #expect(read.entries.map(\.obstacle) == archive.entries.map(\.obstacle), "\(name)")
    }
  }

  @Test("has dates of any time zone")
  func dates() throws {
    for (name, fraction) in [("chrome", 0.123), ("firefox", 0.456), ("safari", 0.789), ("charles", 0.001)] {
      let entry = try #require(try Self.archive(name).entries.first, "\(name)")
      #expect(abs(entry.startedAt.timeIntervalSince1970 - (1_732_094_100 + fraction)) < 1e-6, "\(name)")
    }
  }

  @Test("never has a silent empty body")
  func bodies() throws {
    for name in ["chrome", "firefox", "safari", "charles", "mitmproxy", "playwright/playwright"] {
      for entry in try Self.archive(name).entries where entry.obstacle == nil {
        let response = try #require(entry.response, "\(name)")
        #expect(!response.content.isMissing, "\(name)")
        #expect(
          !response.headers.contains { $0.name.lowercased() == "content-encoding" || $0.name.hasPrefix(":") }, "\(name)"
        )
        if entry.request.httpMethod != "HEAD", let length = response.headers["Content-Length"] {
          #expect(length == String(response.body.count), "\(name)")
        }
      }
    }
  }

  @Test("with text in a place of bytes says so only when the size shows it")
  func binaryText() throws {
    func entry(_ type: String, _ text: String, size: Int) throws -> HTTPArchive.Entry {
      let har = #"""
        {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{"request": {"method": "GET",
          "url": "http://a.example"}, "response": {"status": 200, "content": {"size": \#(size), "mimeType": "\#(type)", "text": "\#(text)"}}}]}}
        """#
      return try #require(try HTTPArchive(Data(har.utf8)).entries.first)
    }
    #expect(try entry("image/png", "\u{FFFD}PNG", size: 4).obstacle != nil)
    #expect(try entry("image/png", "ab", size: 3).obstacle != nil)
    #expect(try entry("text/plain", "a\u{FFFD}", size: 2).obstacle != nil)
    #expect(try entry("text/plain", "a\u{FFFD}", size: 4).obstacle == nil)
    #expect(try entry("text/plain", "abc", size: 99).obstacle == nil)
    #expect(try entry("image/svg+xml", "<svg/>", size: 3).obstacle == nil)
    #expect(try entry("image/png", "ab", size: -1).obstacle == nil)
  }
}
