import Foundation
import StubKit
import TestSupport
import Testing

@Suite("What a recorded request contains", .inTurn)
struct RecordedContentTests {
  private struct User: Codable, Equatable { let name: String }

  @Test("is read under short names")
  func names() async throws {
    try await withStubs {
      let stub = stub(condition: isPath(template: "/users/{id}"), response: .status(201))
      #expect(stub.lastRequest == nil)
      let request = request(
        "http://a.example/users/42?q=a%20b&flag", method: "PUT", headers: ["X-Key": "k"], body: #"{"name":"Ann"}"#)
      _ = try await URLSession.shared.data(for: request)
      let last = try #require(stub.lastRequest)
      #expect(last.url == request.url && last.method == "PUT")
      #expect(last.header("x-key") == "k" && last.headers["X-Key"] == "k")
      #expect(last.text == #"{"name":"Ann"}"#)
      #expect(try last.json() == ["name": "Ann"])
      #expect(try last.decode(User.self) == User(name: "Ann"))
      #expect(last.match?["id"] == "42" && last.match?.callNumber == 1)
      #expect(last.queryItems == [URLQueryItem(name: "q", value: "a b"), URLQueryItem(name: "flag", value: nil)])
      #expect(last.query == ["q": "a b", "flag": ""])
      #expect(HTTPStubs.journal === StubRegistry.current.journal && HTTPStubs.journal.entries.count == 1)
      let login = TestSupport.request("http://a.example/users/7", method: "POST", body: "user=ann&note=a+b")
      _ = try await URLSession.shared.data(for: login)
      let form = [URLQueryItem(name: "user", value: "ann"), URLQueryItem(name: "note", value: "a b")]
      #expect(stub.lastRequest?.formItems == form && stub.lastRequest?.form == ["user": "ann", "note": "a b"])
      #expect(stub.lastRequest?.query == [:] && stub.requests.count == 2)
    }
  }

  @Test("is missing with a sentence that says why")
  func missing() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .status(200))
      _ = try await URLSession.shared.data(from: url("http://a.example/none"))
      let none = #expect(throws: RecordedBodyMissingError.self) { try stub.lastRequest?.json() }
      #expect(none?.description == "GET http://a.example/none has no body.")
      #expect(stub.lastRequest?.formItems == nil && stub.lastRequest?.form == [:])
      // More than a million bytes are kept by their number alone.
      let large = request(url("http://a.example/large"), method: "POST", body: Data(count: 1_000_001))
      _ = try await URLSession.shared.data(for: large)
      let error = #expect(throws: RecordedBodyMissingError.self) { try stub.lastRequest?.decode(User.self) }
      #expect(error?.length == 1_000_001 && error?.description.contains("keepsLargeBodies = true") == true)
      #expect(stub.lastRequest?.text == nil)
      let refused = StubKit.stub(condition: .anything, response: .failure(.cannotConnectToHost))
      _ = try? await URLSession.shared.data(for: request("http://a.example/", method: "POST", streamed: "{}"))
      let unread = #expect(throws: RecordedBodyMissingError.self) { try refused.lastRequest?.json() }
      #expect(unread?.length == nil && unread?.description.contains("no stub needed the stream") == true)
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

  @Test("includes the response that went out", arguments: responses)
  func response(response: StubResponse, method: String, recorded: String) async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: response)
      stub(condition: isPath("/new"), response: .text("here"))
      _ = try? await URLSession.shared.data(for: request("http://a.example/x", method: method))
      let entry = try #require(HTTPStubs.journal.entries.first)
      let text = entry.response.map { "\($0): \(String(decoding: $0.body ?? Data(), as: UTF8.self))" } ?? "none"
      let outcome = entry.outcome.error == nil ? "\(entry.outcome)" : "failed"
      #expect("\(text), \(outcome)" == recorded)
      #expect(entry.response?.headers["Location"] == (entry.outcome.status == 302 ? "/new" : nil))
      #expect(entry.response?.headers["Retry-After"] == (entry.outcome.status == 429 ? "1" : nil))
      #expect(entry.outcome.status == entry.response?.status)
      #expect(entry.match?.callNumber == 1)
      let (end, head) = (try #require(entry.duration), entry.timeToResponse)
      #expect((head == nil) == (entry.response == nil))
      #expect((.zero...end).contains(head ?? .zero))
    }
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
    "includes a body of over a million bytes only if the journal keeps large bodies",
    arguments: [BodyPlace.dataOfDataTask, .uploadData, .uploadFile])
  func large(place: BodyPlace) async throws {
    for isKept in [true, false] {
      try await withStubs {
        HTTPStubs.journal.keepsLargeBodies = isKept
        let stub = stub(condition: .anything) { .data($0.stubBody ?? Data()) }
        for count in [1_000_000, 1_000_001] {
          _ = try await Sending(place, Data(count: count)).send(request("http://a.example/", method: "POST"))
          let (last, expected) = (try #require(stub.lastRequest), isKept || count == 1_000_000 ? count : nil)
          #expect(last.response?.bodyLength == count && last.response?.body?.count == expected, "\(isKept), \(count)")
          #expect(last.body?.count == expected && last.request.httpBody?.count == expected, "\(isKept), \(count)")
          #expect(last.largeBodyLength == (expected == nil ? count : nil), "\(isKept), \(count)")
        }
        // Of a stream, only the length is known.
        let streamed = StubKit.stub(condition: .anything, response: .stream(AsyncStream(texts: "abc")))
        _ = try await URLSession.shared.data(from: url("http://a.example/"))
        let response = streamed.lastRequest?.response
        #expect(response?.bodyLength == 3, "\(isKept)")
        #expect(response?.body == nil, "\(isKept)")
      }
    }
  }
}
