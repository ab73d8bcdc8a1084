import Foundation
import StubKit
import TestSupport
import Testing

/// Each fault is made by a server and by a stub, and what URLSession shows of the two is compared: to an async call,
/// and to a delegate, which is told of a part of a body, too.
@Suite("What a client is shown of a fault", .inTurn, .enabled(if: !PlainMode.isOn))
struct FaultTests {
  @Test("is the same from a server and from a stub", arguments: NetworkFault.all)
  func comparison(fault: NetworkFault) async throws {
    guard let cause = FaultyServer.causes["\(fault)"] else {
      #expect(Self.ofTheMachine.contains("\(fault)"), "Add what a server does for it.")
      return
    }
    let server = try FaultyServer(cause)
    let native = try await shown(.unstubbed, of: server)
    #expect(server.isAsked == !cause.isRefused)
    let stubbed = try await withStubs(in: StubRegistry(clock: .immediate)) {
      stub(condition: isHost("127.0.0.1"), response: FaultyServer.response.suffering(fault))
      return try await shown(.ephemeral, of: server)
    }
    #expect(native.map { Self.linux["\(fault)"]?($0) ?? $0 } == stubbed)
  }

  /// No server can make what happens on the client's machine.
  private static let ofTheMachine = ["no network", "host not found", "cancelled by the system"]

  /// What the native loader on Linux calls an unknown error, and Apple's by its name.
  private static let linux: [String: @Sendable (String) -> String] = [
    "TLS refused": { $0.replacing(/-1$/, with: "-1200") },
    "a length that is too long": { $0.replacing(/-1$/, with: "-1005") },
    // Foundation on Linux capitalizes the names that a server sends in lower case, and Apple's doesn't.
    "header names in lower case": {
      $0.replacing("Content-Type", with: "content-type").replacing("Content-Length", with: "content-length")
    },
  ]

  private func shown(_ configuration: URLSessionConfiguration, of server: FaultyServer) async throws -> [String] {
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 3_600
    let events = DelegateEvents { event in
      switch event {
      case .head(let response): "head \(response.shown)"
      case .data(let data): "data \(data.shown)"
      case .redirect(let response, let request): "redirect \(response.statusCode) \(request.httpMethod ?? "")"
      case .end(let error): error.map(\.shown) ?? "end"
      case .challenge, .sent, .wrote, .file: nil
      }
    }
    let session = events.session(configuration)
    var told = try await events.told { _ in session.dataTask(with: server.request) }.joiningPieces
    do {
      let (data, response) = try await session.data(for: server.request)
      told.append("returns \(response.shown), \(data.shown)")
    } catch { told.append("throws \(error.shown)") }
    session.invalidateAndCancel()
    return told
  }
}

extension [String] {
  /// The lines with one for the whole body: a busy machine can join two pieces on their way from a server.
  fileprivate var joiningPieces: [String] {
    reduce(into: []) { lines, line in
      if line.hasPrefix("data "), let last = lines.last, last.hasPrefix("data ") {
        lines[lines.count - 1] = last + line.dropFirst(4)
      } else {
        lines.append(line)
      }
    }
  }
}

extension URLResponse {
  /// The status, and the header fields that don't belong to the transport.
  fileprivate var shown: String {
    let head = self as! HTTPURLResponse
    let fields = head.allHeaderFields.map { name, value in
      let isDate = Date(httpDate: "\(value)") != nil
      return "\(name): \(isDate ? "a date" : "\(value)")"
    }
    let kept = fields.filter { !$0.lowercased().hasPrefix("connection") }.sorted()
    return "\(head.statusCode) [\(kept.joined(separator: "; "))] expects \(expectedContentLength)"
  }
}

extension Data {
  fileprivate var shown: String { map { String($0, radix: 16) }.joined(separator: " ") }
}

extension Error {
  fileprivate var shown: String { "\((self as NSError).domain) \((self as NSError).code)" }
}

/// A server on 127.0.0.1 that makes one fault, byte by byte.
private final class FaultyServer: Sendable {
  static let body = #"{"id":7,"name":"Zoë"}"#
  static let response = StubResponse.json(text: body)

  /// What it does.
  struct Cause: Sendable {
    var status = 200
    var headers = ["Content-Type": "application/json"]
    var body = Data(FaultyServer.body.utf8)
    /// What the head says of the body's length, if that isn't so.
    var length: Int?
    var end = End.complete
    /// Seconds before the head.
    var pause = 0.0
    /// Seconds between two bytes of the body, or nil for all at once.
    var interval: Double?
    /// Seconds that the client waits.
    var timeout = 3_600.0
    var isRefused = false
    var isTLS = false
    var lowersNames = false
    /// Whether each request is redirected: to another host, or to itself.
    var redirects: Redirects?

    enum End { case complete, closed, reset(after: Int), silent(after: Int), resetBeforeHead, silentFromStart }
    enum Redirects { case elsewhere, toItself }

    func with(_ change: (inout Cause) -> Void) -> Cause {
      var copy = self
      change(&copy)
      return copy
    }
  }

  static let page = "<!DOCTYPE html>\n<html><head><title>TITLE</title></head><body><h1>TITLE</h1></body></html>\n"

  static let causes: [String: Cause] = {
    let whole = Cause()
    let half = Data(body.utf8).count / 2
    func problem(_ status: Int, _ title: String, retry: String? = nil) -> Cause {
      whole.with {
        $0.status = status
        $0.headers = ["Content-Type": "application/problem+json"]
        $0.headers["Retry-After"] = retry
        $0.body = Data(#"{"status":\#(status),"title":"\#(title)"}"#.utf8)
      }
    }
    func page(_ status: Int = 200, _ title: String = "Sign in", type: String? = "text/html; charset=utf-8") -> Cause {
      whole.with {
        $0.status = status
        $0.headers["Content-Type"] = type
        $0.body = Data(FaultyServer.page.replacing("TITLE", with: title).utf8)
      }
    }
    func bytes(_ bytes: Data) -> Cause { whole.with { $0.body = bytes } }
    func text(_ text: String) -> Cause { bytes(Data(text.utf8)) }
    let name = Data(#"{"id":7,"name":"Zo"#.utf8)
    return [
      "connection refused": whole.with { $0.isRefused = true },
      "timed out before the head": whole.with { ($0.end, $0.timeout) = (.silentFromStart, 1) },
      "TLS refused": whole.with { $0.isTLS = true },
      "lost before the head": whole.with { $0.end = .resetBeforeHead },
      // It is a GET, so there is nothing to upload.
      "lost in mid-upload": whole.with { $0.end = .resetBeforeHead },
      "lost in mid-body": whole.with { $0.end = .reset(after: half) },
      "stalls in mid-body": whole.with { ($0.end, $0.timeout) = (.silent(after: half), 1) },
      "400 Bad Request": problem(400, "Bad Request"), "401 without a challenge": problem(401, "Unauthorized"),
      "403 Forbidden": problem(403, "Forbidden"), "404 Not Found": problem(404, "Not Found"),
      "409 Conflict": problem(409, "Conflict"), "412 Precondition Failed": problem(412, "Precondition Failed"),
      "429 with Retry-After in seconds": problem(429, "Too Many Requests", retry: "1"),
      "429 with Retry-After as a date": problem(429, "Too Many Requests", retry: "Fri, 31 Dec 2100 23:59:59 GMT"),
      "500 Internal Server Error": problem(500, "Internal Server Error"), "502 with HTML": page(502, "Bad Gateway"),
      "503 with Retry-After": problem(503, "Service Unavailable", retry: "1"),
      "504 Gateway Timeout": problem(504, "Gateway Timeout"),
      "a redirect that loops": whole.with { $0.redirects = .toItself },
      "a redirect to another host": page().with { $0.redirects = .elsewhere },
      "header names in lower case": whole.with { $0.lowersNames = true },
      "an empty body": bytes(Data()), "cut off within a character": bytes(name + [0xC3]),
      "cut off within a JSON text": text(#"{"id":7,"na"#), "HTML in place of the body": page(),
      "HTML with the body's content type": page(type: "application/json"),
      "HTML without a content type": page(type: nil), "null": text("null"),
      "an array for an object": text(#"[{"id":7,"name":"Zoë"}]"#), "a number for a text": text(#"{"id":7,"name":42}"#),
      "a member missing": text(#"{"name":"Zoë"}"#),
      "an unknown member": text(#"{"id":7,"name":"Zoë","unknown":"member"}"#),
      "a number too large": text(#"{"id":1e400,"name":"Zoë"}"#),
      "invalid UTF-8": bytes(name + Data("ë".utf8) + [0xFF] + Data("\"}".utf8)),
      "a byte order mark": bytes([0xEF, 0xBB, 0xBF] + Data(body.utf8)),
      "a length that is too long": whole.with { ($0.length, $0.end) = ($0.body.count + 1, .closed) },
      "a length that is too short": whole.with { ($0.length, $0.end) = (half, .closed) },
      "a slow head": whole.with { $0.pause = 0.3 },
      "a slow body in small pieces": whole.with { $0.interval = 0.02 },
      "just below the request's timeout": whole.with { ($0.pause, $0.timeout) = (1, 3) },
      "just above the request's timeout": whole.with { ($0.pause, $0.timeout) = (3, 1) },
    ]
  }()

  private let cause: Cause
  private let server: LoopbackServer

  /// A TLS alert that the handshake fails (RFC 8446, section 6).
  private static let alert = Data([21, 3, 3, 0, 2, 2, 40])

  var isAsked: Bool { server.connectionCount > 0 }

  var request: URLRequest {
    let scheme = cause.isTLS ? "https" : "http"
    return TestSupport.request("\(scheme)://127.0.0.1:\(server.port)/users", timeout: cause.timeout)
  }

  init(_ cause: Cause) throws {
    self.cause = cause
    let stopping = Latch()
    server = try LoopbackServer(
      isRefusing: cause.isRefused, greeting: cause.isTLS ? Self.alert : nil, stopping: stopping
    ) { request, connection in
      cause.answer(request, &connection, stopping)
      return false
    }
  }
}

extension FaultyServer.Cause {
  fileprivate func answer(_ request: LoopbackRequest, _ connection: inout LoopbackConnection, _ stopping: Latch) {
    if pause > 0, stopping.blockUntilOpened(within: pause) { return }
    if let redirects, request.line == "GET /users" {
      let location =
        switch redirects {
        case .toItself: "/users"
        case .elsewhere: "http://localhost:\(request["Host"]?.split(separator: ":").last ?? "")/elsewhere"
        }
      _ = connection.write(head(status: 302, ["Location": location], length: 0))
      return
    }
    switch end {
    case .silentFromStart: return connection.waitForEnd()
    case .resetBeforeHead: return connection.resetAtEnd()
    case .complete, .closed, .reset, .silent: break
    }
    guard connection.write(head(status: status, headers, length: length ?? body.count)) else { return }
    switch end {
    case .complete, .closed, .resetBeforeHead, .silentFromStart:
      guard let interval else { return _ = connection.write(body) }
      for byte in body {
        guard !stopping.blockUntilOpened(within: interval), connection.write(Data([byte])) else { return }
      }
    case .reset(let count):
      _ = connection.write(body.prefix(count))
      // The client is to have read what was sent before the reset throws it away.
      _ = stopping.blockUntilOpened(within: 0.1)
      connection.resetAtEnd()
    case .silent(let count):
      _ = connection.write(body.prefix(count))
      connection.waitForEnd()
    }
  }

  private func head(status: Int, _ headers: [String: String], length: Int) -> Data {
    let fields = (headers.map { "\($0): \($1)" } + ["Content-Length: \(length)", "Connection: close"]).map { field in
      let name = field.prefix { $0 != ":" }
      return "\(lowersNames ? name.lowercased() : String(name))\(field.dropFirst(name.count))\r\n"
    }
    return Data("HTTP/1.1 \(status) Status\r\n\(fields.joined())\r\n".utf8)
  }
}
