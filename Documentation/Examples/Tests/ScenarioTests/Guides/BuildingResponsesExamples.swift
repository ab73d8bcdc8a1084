import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to responses", .inTurn)
struct BuildingResponsesExamples {
  private let page = Page.guide("BuildingResponses")
  private let photo = Data([0x89, 0x50, 0x4E, 0x47])

  private func field(_ name: String, of request: URLRequest, in session: URLSession = .shared) async throws -> String? {
    try await answer(request, in: session).head.value(forHTTPHeaderField: name)
  }

  @Test("shows a builder and its modifiers")
  func overview() async throws {
    try await withStubs { () async throws in
      stub(.get, "/hello", response: .text("Hello").header("ETag", "\"1\"").delay(.milliseconds(20)))

      #expect(try await field("ETag", of: request("/hello")) == "\"1\"")
    }
  }

  @Test("shows statuses and headers")
  func builders() async throws {
    try await withStubs { () async throws in
      stub(.get, "/photo", response: .data(photo, headers: ["Content-Type": "image/png"]))
      stub(.get, "/gone", response: .text("no longer here", status: 410))

      #expect(try await field("Content-Type", of: request("/photo")) == "image/png")
      #expect(try await status("/gone") == 410)
    }
  }

  private struct Visit: Codable {
    var userName: String
    var seenAt: Date
  }

  @Test("shows JSON as a literal, encoded, mixed, and by an encoder of the test's own")
  func json() async throws {
    let (name, ben, next) = ("Ann", User(id: 43, name: "Ben"), 2)
    let visits = [Visit(userName: "ann", seenAt: Date(timeIntervalSince1970: 0))]
    try await withStubs {
      stub(.get, "/users/42", response: .json(["id": 42, "tags": ["a", nil], "name": StubJSON(name)]))
      stub(.get, "/users/43", response: .json(ben))
      stub(.get, "/users", response: .json(["first": ben, "next": next]))

      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.keyEncodingStrategy = .convertToSnakeCase
      stub(.get, "/visits", response: .json(visits, encoder: encoder))

      let texts = try await texts("/users/42", "/users/43", "/users")
      #expect(
        texts == [
          #"{"id":42,"name":"Ann","tags":["a",null]}"#, #"{"id":43,"name":"Ben"}"#,
          #"{"first":{"id":43,"name":"Ben"},"next":2}"#,
        ])
      let visit = try await text("/visits")
      #expect(visit.contains(#""user_name":"ann""#) && visit.contains(#""seen_at":"1970-01-01T00:00:00Z""#))
    }
  }

  @Test("shows a shared response with other statuses and headers")
  func shared() async throws {
    try await withStubs {
      let error = StubResponse.json(["error": "no"])
      stub(.post, "/users", response: error.status(422))
      stub(
        .get, "/limited",
        response: error.status(429)
          .headers(["Retry-After": "60", "X-Limit": "100"]))

      let refused = try await answer(request("/users", "POST"))
      #expect(refused.head.statusCode == 422 && refused.text == #"{"error":"no"}"#)
      #expect(try await field("Retry-After", of: request("/limited")) == "60")
    }
  }

  @Test("shows a response in HTTP/2")
  func http2() async throws {
    try await withStubs {
      stub(
        .get, "/busy",
        response: .status(503).header("Retry-After", 1).httpVersion(.http2))

      let head = try await answer(request("/busy")).head
      #expect(head.allHeaderFields["Retry-After"] == nil && head.allHeaderFields["retry-after"] as? String == "1")
      #expect(head.value(forHTTPHeaderField: "Retry-After") == "1")
    }
  }

  @Test("shows a different response each time, and a stub that answers only twice")
  func sequences() async throws {
    try await withStubs { () async throws in
      stub(.get, "/job", responses: [.status(500), .failure(.timedOut), .json(["done": true])])

      #expect(await codes("/job", "/job", "/job", "/job") == [nil, .timedOut, nil, nil])

      stub(.get, "/users", response: .json([]))
      stub(.get, "/users", response: .status(503), times: 2)
      #expect(try await statuses("/users", "/users", "/users") == [503, 503, 200])
    }
  }

  private actor Answers {
    func next() -> StubResponse { .text("next") }
  }

  @Test("shows closures")
  func closures() async throws {
    let queue = Answers()
    try await withStubs { () async throws in
      stub(.post, "/echo") { request in
        .data(request.stubBody ?? Data())
      }
      stub(.get, "/retry") { _, match in
        match.callNumber < 3 ? .status(503) : .text("third")
      }
      stub(.get, "/next") { _ in await queue.next() }
      stub(.get, "/account") { request in
        guard request.value(forHTTPHeaderField: "Authorization") != nil else {
          throw URLError(.userAuthenticationRequired)
        }
        return .json(["balance": 12])
      }

      #expect(try await text(request("/echo", "POST", body: "photo")) == "photo")
      #expect(try await text("/next") == "next")
      #expect(try await statuses("/retry", "/retry", "/retry") == [503, 503, 200])
      #expect(await code("/account") == .userAuthenticationRequired)
    }
  }

  @Test("shows a challenge, with credentials and without")
  func challenges() async throws {
    try await withStubs {
      stub(.get, "/film", response: .basicChallenge(realm: "Films"))
      stub(.get, "/film", where: hasBasicAuth(user: "ann", password: "x"), response: .text("the film"))

      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = nil
      let session = URLSession(configuration: configuration, delegate: Ann(), delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      #expect(try await answer(request("/film"), in: session).text == "the film")
      let refused = try await answer(request("/film"), in: URLSession(configuration: configuration))
      #expect(refused.head.statusCode == 401)
    }
  }

  @Test("shows a response that the test sends")
  func controlled() async throws {
    try await withStubs {
      let films = stub(.get, "/films", response: .controlled)
      let download = Task { try await text("/films") }
      let call = try await films.nextCall()
      call.respond(headers: ["Content-Type": "text/plain"])
      call.send(Data("first ".utf8))
      call.send(Data("second".utf8))
      call.finish()
      #expect(try await download.value == "first second")
    }
  }

  @Test("shows a body that arrives in pieces")
  func chunks() async throws {
    try await withStubs { () async throws in
      HTTPStubs.clock = .immediate
      let cut = ["{\"id\":1}\n{\"i", "d\":2}\n"].map { Data($0.utf8) }
      stub(
        condition: isPath("/lines"),
        response: .pieces(
          cut, every: .milliseconds(10), first: .milliseconds(20)))

      #expect(try await text("/lines") == "{\"id\":1}\n{\"id\":2}\n")
    }
  }

  @Test("shows conditions on the version that a client has")
  func conditions() async throws {
    try await withStubs { () async throws in
      stub(.get, "/users", response: .json(["Ann", "Ben"]).conditional(etag: "v1"))
      stub(.put, "/users", response: .status(204).conditional(etag: "v1"))

      #expect(try await status(request("/users", "GET", ["If-None-Match": "\"v1\""])) == 304)
      #expect(try await status("/users") == 200)
      #expect(try await status(request("/users", "PUT", ["If-Match": "\"v0\""])) == 412)
    }
  }

  @Test("shows stubs that let their requests go to the network, where nobody listens in this test")
  func realNetwork() async {
    await withStubs {
      stub(.any, "/health", response: .passThrough)
      stub(.post, "/upload") { request in
        (request.stubBody?.count ?? 0) > 1_000
          ? .status(413) : .passThrough
      }

      // No server can have the port 0.
      for (path, length) in [("/health", 0), ("/upload", 2_000), ("/upload", 10)] {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:0\(path)")!)
        request.httpMethod = "POST"
        request.httpBody = Data(count: length)
        _ = try? await URLSession.shared.data(for: request)
      }
      #expect(
        HTTPStubs.requests.map(\.outcome) == [.passedThrough, .answered(status: 413), .passedThrough])
    }
  }

  @Test("shows the real response, changed")
  func real() async throws {
    let server = try LoopbackServer()
    let clock = ManualClock()
    try await withStubs {
      HTTPStubs.clock = clock
      stub(.get, "/films") { request in
        try await .real(request).header("X-Flag", "1").delay(.seconds(2))
      }

      let films = URLRequest(url: server.url("/films"))
      let shown = try await clock.run { try await answer(films) }
      #expect(shown.head.value(forHTTPHeaderField: "X-Flag") == "1" && shown.text == "real GET /films")
      #expect(clock.elapsed == .seconds(2))
    }
  }

  @Test("shows the error of a response that can't be sent")
  func unsendable() async throws {
    try await withStubs {
      stub(
        condition: .anything, response: .status(42), name: "users", fileID: "AppTests/UserTests.swift", line: 12)
      let error = try #require(await #expect(throws: StubResponseError.self) { try await status("/users") })
      #expect(error.description == page.printed.last)
    }
  }
}
