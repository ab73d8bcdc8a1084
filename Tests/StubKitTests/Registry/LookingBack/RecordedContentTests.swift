import Foundation
import StubKit
import TestSupport
import Testing

@Suite("What a recorded request contains", .inTurn)
struct RecordedContentTests {
  private struct User: Codable, Equatable { let name: String }

  /// The one request that a stub of `/users/{id}` answers.
  private func recorded(_ sent: URLRequest) async throws -> RecordedRequest {
    try await withStubs {
      let stub = stub(condition: isPath(template: "/users/{id}"), response: .status(201))
      _ = try await URLSession.shared.data(for: sent)
      return try #require(stub.lastRequest)
    }
  }

  @Test("is read as a URL, a method, headers and a query")
  func head() async throws {
    let sent = request("http://a.example/users/42?q=a%20b&flag", method: "PUT", headers: ["X-Key": "k"])
    let request = try await recorded(sent)
    #expect(request.url == sent.url)
    #expect(request.method == "PUT")
    #expect(request.header("x-key") == "k")
    #expect(request.headers["X-Key"] == "k")
    #expect(request.queryItems == [URLQueryItem(name: "q", value: "a b"), URLQueryItem(name: "flag", value: nil)])
    #expect(request.query == ["q": "a b", "flag": ""])
  }

  @Test("is read as text, as JSON and as a Decodable type")
  func body() async throws {
    let request = try await recorded(
      request("http://a.example/users/42", method: "PUT", body: #"{"name":"Ann"}"#))
    #expect(request.text == #"{"name":"Ann"}"#)
    #expect(try request.json() == ["name": "Ann"])
    #expect(try request.decode(User.self) == User(name: "Ann"))
  }

  @Test("is read as the fields of a form")
  func form() async throws {
    let request = try await recorded(
      request("http://a.example/users/7", method: "POST", body: "user=ann&note=a+b"))
    #expect(
      request.formItems == [URLQueryItem(name: "user", value: "ann"), URLQueryItem(name: "note", value: "a b")])
    #expect(request.form == ["user": "ann", "note": "a b"])
    #expect(request.query == [:])
  }

  @Test("includes what its stub's template captured, and the number of the call")
  func match() async throws {
    let request = try await recorded(request("http://a.example/users/42"))
    #expect(request.match?["id"] == "42")
    #expect(request.match?.callNumber == 1)
  }

  @Test("is missing if the request has no body, which json() says")
  func noBody() async throws {
    let request = try await recorded(request("http://a.example/users/42"))
    let error = #expect(throws: RecordedBodyMissingError.self) { try request.json() }
    #expect(error?.description == "GET http://a.example/users/42 has no body.")
    #expect(request.formItems == nil)
    #expect(request.form == [:])
  }

  @Test("is missing if it has more than a million bytes, and the error names the setting that keeps them")
  func largeBody() async throws {
    let sent = request(url("http://a.example/users/42"), method: "POST", body: Data(count: 1_000_001))
    let request = try await recorded(sent)
    let error = #expect(throws: RecordedBodyMissingError.self) { try request.decode(User.self) }
    #expect(error?.length == 1_000_001)
    #expect(error?.description.contains("keepsLargeBodies = true") == true)
    #expect(request.text == nil)
  }

  @Test("is missing if no stub needed the stream that it comes from, which json() says")
  func unreadStream() async {
    await withStubs {
      let stub = stub(condition: .anything, response: .failure(.cannotConnectToHost))
      _ = try? await URLSession.shared.data(for: request("http://a.example/", method: "POST", streamed: "{}"))
      let error = #expect(throws: RecordedBodyMissingError.self) { try stub.lastRequest?.json() }
      #expect(error?.length == nil)
      #expect(error?.description.contains("no stub needed the stream") == true)
    }
  }

  static let responses: [(response: StubResponse, method: String, recorded: String)] = [
    (.json(["id": 42], status: 201), "GET", #"201, 9 bytes: {"id":42}, answered with 201"#),
    (.text("abcdef", status: 203).failing(afterBytes: 3), "GET", "203, 3 bytes: abc, failed"),
    (.text("abc", status: 204), "GET", "204, 0 bytes, 3 dropped: , answered with 204"),
    (.text("abc"), "HEAD", "200, 0 bytes, 3 dropped: , answered with 200"),
    (.redirect(to: "/new"), "GET", "302, 0 bytes: , answered with 302"), (.failure(.timedOut), "GET", "none, failed"),
    (.status(429, headers: ["Retry-After": "1"]), "GET", "429, 0 bytes: , answered with 429"),
  ]

  @Test("includes the response that went out, and the outcome", arguments: responses)
  func response(response: StubResponse, method: String, recorded: String) async throws {
    let entry = try await entry(response, method: method)
    let text = entry.response.map { "\($0): \(String(decoding: $0.body ?? Data(), as: UTF8.self))" } ?? "none"
    let outcome = entry.outcome.error == nil ? "\(entry.outcome)" : "failed"
    #expect("\(text), \(outcome)" == recorded)
    #expect(entry.outcome.status == entry.response?.status)
  }

  /// The entry of a request with a response. A redirect leads to `/new`.
  private func entry(_ response: StubResponse, method: String = "GET") async throws -> RecordedRequest {
    try await withStubs {
      stub(condition: isPath("/x"), response: response)
      stub(condition: isPath("/new"), response: .text("here"))
      _ = try? await URLSession.shared.data(for: request("http://a.example/x", method: method))
      return try #require(HTTPStubs.journal.entries.first)
    }
  }

  @Test("includes the headers of the response")
  func responseHeaders() async throws {
    #expect(try await entry(.redirect(to: "/new")).response?.headers["Location"] == "/new")
    #expect(try await entry(.status(429, headers: ["Retry-After": "1"])).response?.headers["Retry-After"] == "1")
  }

  @Test("includes how long the request took, and how long its response, if it has one")
  func times() async throws {
    let answered = try await entry(.text("abc"))
    #expect(try #require(answered.timeToResponse) >= .zero)
    #expect(try #require(answered.timeToResponse) <= #require(answered.duration))
    let failed = try await entry(.failure(.timedOut))
    #expect(try #require(failed.duration) >= .zero)
    #expect(failed.timeToResponse == nil)
  }

  @Test("includes neither a response nor a match where no stub matched")
  func unmatched() async throws {
    try await withStubs {
      _ = await URLSession.shared.failure(of: "http://a.example/")
      let entry = try #require(HTTPStubs.journal.entries.first)
      #expect(entry.response == nil)
      #expect(entry.match == nil)
      #expect(entry.outcome.status == nil)
    }
  }

  @Test(
    "includes a body of a million bytes, and a larger one if the journal keeps large bodies",
    arguments: [BodyPlace.dataOfDataTask, .uploadData, .uploadFile],
    [(count: 1_000_000, keepsLarge: false), (1_000_000, true), (1_000_001, true)])
  func kept(place: BodyPlace, row: (count: Int, keepsLarge: Bool)) async throws {
    let request = try await echoed(place, row.count, keepsLarge: row.keepsLarge)
    #expect(request.body?.count == row.count)
    #expect(request.request.httpBody?.count == row.count)
    #expect(request.response?.body?.count == row.count)
    #expect(request.largeBodyLength == nil)
  }

  @Test(
    "includes the length alone of a body of over a million bytes, if the journal keeps no large bodies",
    arguments: [BodyPlace.dataOfDataTask, .uploadData, .uploadFile])
  func lengthAlone(place: BodyPlace) async throws {
    let request = try await echoed(place, 1_000_001, keepsLarge: false)
    #expect(request.largeBodyLength == 1_000_001)
    #expect(request.response?.bodyLength == 1_000_001)
    #expect(request.body == nil)
    #expect(request.request.httpBody == nil)
    #expect(request.response?.body == nil)
  }

  /// A request with so many bytes, which its stub sends back.
  private func echoed(_ place: BodyPlace, _ count: Int, keepsLarge: Bool) async throws -> RecordedRequest {
    try await withStubs {
      HTTPStubs.journal.keepsLargeBodies = keepsLarge
      let stub = stub(condition: .anything) { .data($0.stubBody ?? Data()) }
      _ = try await Sending(place, Data(count: count)).send(request("http://a.example/", method: "POST"))
      return try #require(stub.lastRequest)
    }
  }

  @Test("includes the length alone of a response that is a stream", arguments: [true, false])
  func streamed(keepsLarge: Bool) async throws {
    try await withStubs {
      HTTPStubs.journal.keepsLargeBodies = keepsLarge
      let stub = stub(condition: .anything, response: .stream(AsyncStream(texts: "abc")))
      _ = try await URLSession.shared.data(from: url("http://a.example/"))
      #expect(stub.lastRequest?.response?.bodyLength == 3)
      #expect(stub.lastRequest?.response?.body == nil)
    }
  }
}
