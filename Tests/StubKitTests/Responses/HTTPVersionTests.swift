import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response in HTTP/2", .inTurn, .enabled(if: !PlainMode.isOn))
struct HTTPVersionTests {
  static let busy = StubResponse.json(["a": 1], status: 503).headers([
    "Retry-After": "1", "X-Limit": "2", "Connection": "close", "Keep-Alive": "timeout=5",
  ])

  private static let names = ["content-length", "content-type", "retry-after", "x-limit"]

  /// How a task is made, and the fields of the head that it gets.
  enum TaskKind: CaseIterable { case data, delegate, upload, download, async }

  private func head(by kind: TaskKind, _ url: URL = url("http://a.example/")) async throws -> HTTPURLResponse {
    let session = URLSession.patient
    var request = request(url, method: "POST")
    var response: URLResponse?
    switch kind {
    case .data:
      response = try await untilResumed { (end: Resumption<URLResponse?>) in
        session.dataTask(with: request) { _, response, _ in end.resume(returning: response) }.resume()
      }
    case .delegate:
      let events = DelegateEvents()
      let task = events.session(.patient).dataTask(with: request)
      task.resume()
      _ = try await events.untilCompletion()
      response = task.response
    case .upload: response = try await session.upload(for: request, from: Data("a".utf8)).1
    case .download:
      let (file, head) = try await session.download(for: request)
      try FileManager.default.removeItem(at: file)
      response = head
    case .async:
      request.httpMethod = "GET"
      response = try await session.data(for: request).1
    }
    return try #require(response as? HTTPURLResponse)
  }

  private func names(_ head: HTTPURLResponse) -> [String] { head.allHeaderFields.keys.map { "\($0)" }.sorted() }

  @Test("has names in lower case, and none of the fields of a connection", arguments: TaskKind.allCases)
  func ofOneResponse(kind: TaskKind) async throws {
    try await withStubs {
      stub(condition: .anything, response: Self.busy.httpVersion(.http2))
      let head = try await head(by: kind)
      #expect(names(head) == Self.names)
      #expect(head.statusCode == 503)
      #expect(head.allHeaderFields["Retry-After"] == nil)
      #expect(head.value(forHTTPHeaderField: "Retry-After") == "1")
      #expect(HTTPStubs.requests.last?.response?.headerFields.map(\.name).sorted() == Self.names)
    }
  }

  @Test("is that of the test, or of the response, which comes first")
  func precedence() async throws {
    try await withStubs {
      let written = ["Connection", "Content-Length", "Content-Type", "Keep-Alive", "Retry-After", "X-Limit"]
      stub(condition: isPath("/own"), response: Self.busy.httpVersion(.http1))
      stub(condition: isPath("/usual"), response: Self.busy)
      stub(condition: isPath("/closure")) { _ in Self.busy }
      HTTPStubs.unmatched = .respond { _ in Self.busy }
      var seen: [String: [String]] = [:]
      for version in [StubResponse.HTTPVersion.http1, .http2] {
        HTTPStubs.httpVersion = version
        for path in ["own", "usual", "closure", "policy"] {
          seen["\(path) \(version)"] = names(try await head(by: .data, url("http://a.example/\(path)")))
        }
      }
      let lower = Self.names
      #expect(
        seen == [
          "own HTTP/1.1": written, "usual HTTP/1.1": written, "closure HTTP/1.1": written, "policy HTTP/1.1": written,
          "own HTTP/2": written, "usual HTTP/2": lower, "closure HTTP/2": lower, "policy HTTP/2": lower,
        ])
    }
    #expect(StubRegistry().httpVersion == .http1)
  }

  @Test("has no length if its chunks say that nobody knows it")
  func chunked() async throws {
    try await withStubs {
      let response = StubResponse.text("abc").headers(["Transfer-Encoding": "chunked", "Content-Length": "3"])
      stub(condition: .anything, response: response.httpVersion(.http2))
      let head = try await head(by: .data)
      #expect(names(head) == ["content-type"])
      #expect(head.expectedContentLength == -1)
      let text = try await URLSession.patient.fetch("http://a.example/").text
      #expect(text == "abc")
    }
  }

  @Test("joins fields whose names differ in case, and keeps those of one name", arguments: [false, true])
  func repeated(isHTTP2: Bool) async throws {
    try await withStubs {
      let response = StubResponse.ok.addingHeader("X-A", "1").addingHeader("x-a", "2")
      stub(condition: .anything, response: isHTTP2 ? response.httpVersion(.http2) : response)
      let head = try await head(by: .data)
      #expect(head.allHeaderFields[isHTTP2 ? "x-a" : "X-A"] as? String == "1, 2")
    }
  }

  @Test("leads on by its location, is asked for a password, and sets cookies, as ever")
  func followed() async throws {
    try await withStubs {
      HTTPStubs.httpVersion = .http2
      stub(condition: isPath("/old"), response: .redirect(to: "/new").header("Set-Cookie", "a=1"))
      stub(condition: isPath("/new") && hasCookie("a", "1"), response: .text("here"))
      let text = try await URLSession(configuration: .ephemeral).fetch("http://a.example/old").text
      #expect(text == "here")
      stub(condition: isPath("/login"), response: .basicChallenge(realm: "Films"))
      stub(condition: isPath("/login") && hasBasicAuth(user: "u", password: "p"), response: .text("welcome"))
      let events = DelegateEvents(credential: URLCredential(user: "u", password: "p", persistence: .none))
      let session = events.session(.ephemeral)
      session.dataTask(with: url("http://a.example/login")).resume()
      _ = try await events.untilCompletion()
      #expect(HTTPStubs.requests.suffix(2).map(\.outcome.status) == [401, 200])
    }
  }

  @Test("has the body of a range, of a fault and of HEAD, as ever", arguments: ["Range", "fault", "HEAD"])
  func other(kind: String) async throws {
    try await withStubs {
      HTTPStubs.httpVersion = .http2
      let film = StubResponse.data(Data("0123456789".utf8))
      stub(
        condition: .anything,
        response: kind == "fault" ? film.suffering(.named("a length that is too short")) : film.acceptingRanges())
      var request = request("http://a.example/", method: kind == "HEAD" ? "HEAD" : "GET")
      if kind == "Range" { request.setValue("bytes=2-4", forHTTPHeaderField: "Range") }
      let (data, response) = try await URLSession.patient.data(for: request)
      #expect(data.text == ["Range": "234", "fault": "01234", "HEAD": ""][kind])
      let fields = try #require(response as? HTTPURLResponse).allHeaderFields
      #expect(fields["content-length"] as? String == ["Range": "3", "fault": "5", "HEAD": "10"][kind])
    }
  }

  @Test("changes no request that passes through, and can't be asked of one")
  func passThrough() async throws {
    let server = try LoopbackServer()
    try await withStubs {
      HTTPStubs.httpVersion = .http2
      stub(condition: isPath("/real"), response: .passThrough)
      stub(condition: isPath("/wrong"), response: .passThrough.httpVersion(.http2))
      let real = names(try await head(by: .data, server.url("/real")))
      #expect(real.contains("Content-Length"))
      #expect(await URLSession.patient.failure(of: "\(server.url("/wrong"))") is StubResponseError)
    }
  }
}
