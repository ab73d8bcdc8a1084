import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to responses", .inTurn)
struct BuildingResponsesExamples {
  private let page = Page.guide("BuildingResponses")
  private let photo = Data([0x89, 0x50, 0x4E, 0x47])

  private func head(_ path: String, method: String = "GET", session: URLSession = .shared) async throws -> (
    head: HTTPURLResponse, body: Data
  ) {
    var request = URLRequest(url: address(path))
    request.httpMethod = method
    let (data, response) = try await session.data(for: request)
    return (try #require(response as? HTTPURLResponse), data)
  }

  private func statuses(_ path: String, _ count: Int) async throws -> [Int?] {
    var statuses: [Int?] = []
    for _ in 1...count { statuses.append(try await status(path)) }
    return statuses
  }

  @Test("shows a builder and its modifiers")
  func overview() async throws {
    try await withStubs {
      stub(condition: isPath("/hello"), response: .text("Hello").header("ETag", "\"1\"").delay(.milliseconds(20)))

      let (head, body) = try await head("/hello")
      #expect(head.value(forHTTPHeaderField: "ETag") == "\"1\"" && body == Data("Hello".utf8))
    }
  }

  @Test("shows statuses and headers")
  func builders() async throws {
    try await withStubs {
      stub(condition: isPath("/page"), response: .text("<p>Hello</p>", headers: ["Content-Type": "text/html"]))
      stub(condition: isPath("/photo"), response: .data(photo, headers: ["Content-Type": "image/png"]))
      stub(condition: isPath("/gone"), response: .text("no longer here", status: 410))
      stub(condition: isMethod("DELETE"), response: .empty())

      let types = [
        try await head("/page").head.value(forHTTPHeaderField: "Content-Type"),
        try await head("/photo").head.value(forHTTPHeaderField: "Content-Type"),
        try await head("/gone").head.value(forHTTPHeaderField: "Content-Type"),
      ]
      #expect(types == ["text/html", "image/png", "text/plain; charset=utf-8"])
      let codes = [try await head("/gone").head.statusCode, try await head("/a", method: "DELETE").head.statusCode]
      #expect(codes == [410, 204])
    }
  }

  @Test("shows JSON as a literal, encoded and mixed")
  func json() async throws {
    let (name, ben, next) = ("Ann", User(id: 43, name: "Ben"), 2)
    try await withStubs {
      stub(condition: isPath("/users/42"), response: .json(["id": 42, "tags": ["a", nil], "name": JSONValue(name)]))
      stub(condition: isPath("/users/43"), response: .json(ben, status: 201))
      stub(condition: isPath("/users"), response: .json(["first": ben, "next": next]))

      let texts = [try await text("/users/42"), try await text("/users/43"), try await text("/users")]
      #expect(
        texts == [
          #"{"id":42,"name":"Ann","tags":["a",null]}"#, #"{"id":43,"name":"Ben"}"#,
          #"{"first":{"id":43,"name":"Ben"},"next":2}"#,
        ])
    }
  }

  private struct Visit: Codable {
    var userName: String
    var seenAt: Date
  }

  @Test("shows JSON by an encoder of the test's own, and JSON that is text")
  func ownJSON() async throws {
    let visits = [Visit(userName: "ann", seenAt: Date(timeIntervalSince1970: 0))]
    try await withStubs {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.keyEncodingStrategy = .convertToSnakeCase
      stub(condition: isPath("/visits"), response: .json(visits, encoder: encoder))

      stub(condition: isPath("/users/44"), response: .json(text: #"{"id": 44, "name": "Cy"}"#))
      stub(condition: isPath("/users/45"), response: .json(text: #"{"id": 45, "na"#))

      let visit = try await text("/visits")
      #expect(visit.contains(#""user_name":"ann""#) && visit.contains(#""seen_at":"1970-01-01T00:00:00Z""#))
      let texts = [try await text("/users/44"), try await text("/users/45")]
      #expect(texts == [#"{"id": 44, "name": "Cy"}"#, #"{"id": 45, "na"#])
    }
  }

  @Test("shows statuses and headers of a response that others share")
  func shared() async throws {
    try await withStubs {
      let error = StubResponse.json(["error": "no"])
      stub(condition: isPath("/users") && isMethodPOST(), response: error.status(422))
      stub(condition: isPath("/limited"), response: error.status(429).headers(["Retry-After": "60", "X-Limit": "100"]))

      let refused = try await head("/users", method: "POST")
      #expect(refused.head.statusCode == 422 && refused.body == Data(#"{"error":"no"}"#.utf8))
      let limited = try await head("/limited").head
      #expect(limited.statusCode == 429 && limited.value(forHTTPHeaderField: "Retry-After") == "60")
      #expect(limited.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }
  }

  @Test("shows headers that replace, and that are added")
  func headers() async throws {
    try await withStubs {
      stub(condition: isPath("/users"), response: .json([]).header("ETag", "\"1\""))
      stub(
        condition: isPath("/login"),
        response: .empty().addingHeader("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2"))

      let session = StubRegistry.current.makeSession()
      let users = try await head("/users", session: session).head
      #expect(users.value(forHTTPHeaderField: "Content-Length") == "2")
      #expect(users.value(forHTTPHeaderField: "Content-Type") == "application/json")
      let login = try await head("/login", session: session).head
      #expect(login.value(forHTTPHeaderField: "Set-Cookie") == "a=1, b=2")
      #expect(login.value(forHTTPHeaderField: "Content-Length") == nil)
    }
  }

  @Test("shows one response after another, and uses that end")
  func sequences() async throws {
    try await withStubs {
      stub(condition: isPath("/job"), responses: [.status(202), .failure(.timedOut), .json(["done": true])])
      stub(condition: isPath("/light"), responses: [.text("red"), .text("green")], afterLast: .startOver)
      stub(condition: isPath("/token"), responses: [.text("old"), .status(401)], afterLast: .stopMatching)

      let first = try await status("/job")
      let failure = await code("/job")
      let rest = try await statuses("/job", 2)
      #expect(first == 202 && failure == .timedOut && rest == [200, 200])
      let lights = [try await text("/light"), try await text("/light"), try await text("/light")]
      #expect(lights == ["red", "green", "red"])
      let tokens = try await statuses("/token", 2)
      #expect(tokens == [200, 401])
      await #expect(throws: UnmatchedRequestError.self) { try await status("/token") }

      stub(condition: isPath("/users"), response: .json([]))
      stub(condition: isPath("/users"), response: .status(503), times: 2)
      let users = try await statuses("/users", 3)
      #expect(users == [503, 503, 200])
    }
  }

  private actor Answers {
    func next() -> StubResponse { .text("next") }
  }

  @Test("shows closures")
  func closures() async throws {
    let queue = Answers()
    try await withStubs {
      stub(condition: isPath("/echo")) { request in .data(request.stubBody ?? Data()) }
      stub(condition: isPath(template: "/users/{id}")) { _, match in try .json(["id": match("id")]) }
      stub(condition: isPath("/retry")) { _, match in match.callNumber < 3 ? .status(503) : .text("third") }
      stub(condition: isPath("/next")) { _ in await queue.next() }
      stub(condition: isPath("/headers")) { request in .json(["headers": request.stubHeaders]) }
      stub(condition: isPath("/account")) { request in
        guard request.value(forHTTPHeaderField: "Authorization") != nil else {
          throw URLError(.userAuthenticationRequired)
        }
        return .json(["balance": 12])
      }

      var request = URLRequest(url: address("/echo"))
      request.httpMethod = "POST"
      let echo = try await URLSession.shared.upload(for: request, from: photo).0
      #expect(echo == photo)
      let texts = [try await text("/users/42"), try await text("/next")]
      #expect(texts == [#"{"id":"42"}"#, "next"])
      let retries = try await statuses("/retry", 3)
      #expect(retries == [503, 503, 200])
      let headers = try await text("/headers")
      #expect(headers.contains(#""Host":"\#(address("/").host ?? "")""#))
      let refused = await code("/account")
      #expect(refused == .userAuthenticationRequired)
    }
  }

  @Test("shows a redirect, and one that goes in circles")
  func redirects() async throws {
    try await withStubs {
      stub(condition: isPath("/old"), response: .redirect(to: "/new", status: 301))
      stub(condition: isPath("/new"), response: .text("here"))

      let answer = try await text("/old")
      #expect(answer == "here")
      #expect(StubRegistry.current.journal.entries.map(\.outcome.status) == [301, 200])
      stub(condition: isPath("/circle"), response: .redirect(to: "/circle"))
      let failure = await #expect(throws: URLError.self) { try await text("/circle") }
      #expect(failure?.code == .httpTooManyRedirects)
      #if os(Linux)
        #expect(failure?.localizedDescription.contains("/circle was redirected again, after 20 redirects") == true)
      #endif
    }
  }

  @Test("shows a challenge, with credentials and without")
  func challenges() async throws {
    try await withStubs {
      stub(condition: isPath("/film"), response: .unauthorized(realm: "Films"))
      stub(condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"), response: .text("the film"))

      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = nil
      let session = URLSession(configuration: configuration, delegate: Ann(), delegateQueue: nil)
      let (head, body) = try await head("/film", session: session)
      #expect(head.statusCode == 200 && body == Data("the film".utf8))
      session.finishTasksAndInvalidate()
      let refused = try await self.head("/film", session: URLSession(configuration: configuration)).head
      #expect(refused.statusCode == 401)
    }
  }

  private final class Ann: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
    }
  }

  @Test("shows cookies that come back")
  func cookies() async throws {
    try await withStubs {
      stub(condition: isPath("/login"), response: .empty().header("Set-Cookie", "session=abc; Path=/"))
      stub(condition: isPath("/me") && hasCookie("session", "abc"), response: .json(["name": "Ann"]))

      let session = URLSession(configuration: .ephemeral)
      _ = try await head("/login", session: session)
      let body = try await head("/me", session: session).body
      #expect(body == Data(#"{"name":"Ann"}"#.utf8))
      await #expect(throws: UnmatchedRequestError.self) {
        try await head("/me", session: URLSession(configuration: .ephemeral))
      }
    }
  }

  @Test("shows a response that the test sends")
  func controlled() async throws {
    try await withStubs {
      let films = stub(condition: isPath("/films"), response: .controlled)
      let download = Task { try await text("/films") }
      let call = try await films.nextCall()
      call.respond(headers: ["Content-Type": "text/plain"])
      call.send(Data("first ".utf8))
      call.send(Data("second".utf8))
      call.finish()
      #expect(try await download.value == "first second")
    }
  }

  @Test("shows streams and events")
  func streams() async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: isPath("/log"), response: .stream(chunks, headers: ["Content-Type": "text/plain"]))
      sender.yield(Data("first line\n".utf8))
      sender.finish()

      stub(
        condition: isPath("/ticks"),
        response: .stream {
          AsyncStream { continuation in
            for number in 1...3 { continuation.yield(Data("\(number)\n".utf8)) }
            continuation.finish()
          }
        })

      let quote = ServerSentEvent("{\"price\":42}", event: "quote", id: "7")
      stub(condition: isPath("/quotes"), response: .events(["ready", quote], every: .milliseconds(10)))

      let cut = ["{\"id\":1}\n{\"i", "d\":2}\n"].map { Data($0.utf8) }
      stub(condition: isPath("/lines"), response: .chunks(cut, every: .milliseconds(10), first: .milliseconds(20)))

      let lines = try await text("/lines")
      #expect(lines == "{\"id\":1}\n{\"id\":2}\n")
      let texts = [
        try await text("/log"), try await text("/ticks"), try await text("/ticks"), try await text("/quotes"),
      ]
      #expect(
        texts == [
          "first line\n", "1\n2\n3\n", "1\n2\n3\n",
          "data: ready\n\nevent: quote\nid: 7\ndata: {\"price\":42}\n\n",
        ])
      await #expect(throws: StreamAlreadyUsedError.self) { try await text("/log") }
    }
  }

  private func ask(_ path: String, _ fields: [String: String], method: String = "GET") async throws -> String {
    var request = URLRequest(url: address(path))
    request.httpMethod = method
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let head = try #require(response as? HTTPURLResponse)
    let range = head.value(forHTTPHeaderField: "Content-Range").map { " \($0)" } ?? ""
    return "\(head.statusCode)\(range), \(data.count) bytes"
  }

  @Test("shows ranges, and a download that goes on")
  func ranges() async throws {
    try await withStubs {
      let server = StubResponse.data(film, headers: ["Content-Type": "video/mp4"]).validated(etag: "v1")
        .acceptingRanges()
      stub(condition: isPath("/film"), response: server)

      let answers = [
        try await ask("/film", ["Range": "bytes=0-99"]), try await ask("/film", ["Range": "bytes=100-"]),
        try await ask("/film", ["Range": "bytes=-50"]), try await ask("/film", ["Range": "bytes=999999-"]),
        try await ask("/film", ["Range": "bytes=0-99", "If-Range": "\"v0\""]),
        try await ask("/film", ["Range": "bytes=9-0"]), try await ask("/film", [:]),
      ]
      #expect(
        answers == [
          "206 bytes 0-99/200000, 100 bytes", "206 bytes 100-199999/200000, 199900 bytes",
          "206 bytes 199950-199999/200000, 50 bytes", "416 bytes */200000, 0 bytes", "200, 200000 bytes",
          "200, 200000 bytes", "200, 200000 bytes",
        ])
      let parts = try await ask("/film", ["Range": "bytes=0-99,200-299"])
      #expect(parts == "200, 200000 bytes")

      stub(condition: isPath("/film"), responses: [server.failing(afterBytes: 60_000), server])
      let broken = await code("/film")
      let rest = try await ask("/film", ["Range": "bytes=60000-", "If-Range": "\"v1\""])
      #expect(broken == .networkConnectionLost && rest == "206 bytes 60000-199999/200000, 140000 bytes")
    }
  }

  @Test("shows conditions on the version that a client has")
  func conditions() async throws {
    try await withStubs {
      stub(condition: isPath("/users") && isMethodGET(), response: .json(["Ann", "Ben"]).validated(etag: "v1"))
      stub(condition: isPath("/users") && isMethodPUT(), response: .empty().validated(etag: "v1"))

      let answers = [
        try await ask("/users", ["If-None-Match": "\"v1\""]), try await ask("/users", ["If-None-Match": "\"v0\""]),
        try await ask("/users", [:]), try await ask("/users", ["If-Match": "\"v1\""], method: "PUT"),
        try await ask("/users", ["If-Match": "\"v0\""], method: "PUT"),
      ]
      #expect(answers == ["304, 0 bytes", "200, 13 bytes", "200, 13 bytes", "204, 0 bytes", "412, 0 bytes"])
    }
  }

  @Test("shows stubs that let their requests go to the network, where nobody listens in this test")
  func realNetwork() async {
    await withStubs {
      stub(condition: isHost("127.0.0.1"), response: .status(404))
      stub(condition: isPath("/health"), response: .passThrough)
      stub(condition: isPath("/upload")) { request in
        (request.stubBody?.count ?? 0) > 1_000 ? .status(413) : .passThrough
      }

      // No server can have the port 0.
      func status(_ path: String, _ body: Data? = nil) async -> Int? {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:0\(path)")!)
        request.httpMethod = "POST"
        request.httpBody = body
        return (try? await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
      }
      let statuses = [
        await status("/users"), await status("/health"), await status("/upload", Data(count: 2_000)),
        await status("/upload", Data(count: 10)),
      ]
      #expect(statuses == [404, nil, 413, nil])
      #expect(
        StubRegistry.current.journal.entries.map(\.outcome) == [
          .answered(status: 404), .passedThrough, .answered(status: 413), .passedThrough,
        ])
    }
  }

  @Test("says what comes in answer to HEAD, and with statuses that have no body", arguments: [204, 304])
  func withoutBody(status: Int) async throws {
    try await withStubs {
      stub(condition: isPath("/photo"), response: .data(photo, headers: ["Content-Type": "image/png"]))
      stub(condition: isPath("/none"), response: .data(photo, status: status))

      let (head, body) = try await head("/photo", method: "HEAD")
      #expect(head.value(forHTTPHeaderField: "Content-Length") == "4" && body.isEmpty)
      let none = try await self.head("/none")
      #expect(none.head.statusCode == status && none.body.isEmpty)
    }
  }

  @Test("shows the error of a response that can't be sent")
  func unsendable() async throws {
    try await withStubs {
      stub(
        condition: .anything, response: .status(42), name: "users", fileID: "AppTests/UserTests.swift", line: 12)
      let error = try #require(await #expect(throws: StubResponseError.self) { try await status("/users") })
      #expect(error.description == page.printed[0])
    }
  }
}
