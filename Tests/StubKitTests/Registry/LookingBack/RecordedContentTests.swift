import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a recorded request contains", .inTurn)
struct RecordedContentTests {
  private struct User: Codable, Equatable { let name: String }

  @Test("is read under short names")
  func names() async throws {
    try await withStubs {
      let stub = stub(condition: isPath(template: "/users/{id}"), response: .status(201))
      #expect(stub.lastRequest == nil)
      let request = request(
        "http://a.example/users/42", method: "PUT", headers: ["X-Key": "k"], body: #"{"name":"Ann"}"#)
      _ = try await URLSession.shared.data(for: request)
      let last = try #require(stub.lastRequest)
      #expect(last.url == request.url && last.method == "PUT" && last.header("x-key") == "k")
      #expect(last.headers["X-Key"] == "k" && last.text == #"{"name":"Ann"}"#)
      #expect(try last.json() == ["name": "Ann"])
      #expect(try last.decode(User.self) == User(name: "Ann"))
      #expect(last.match?["id"] == "42" && last.match?.callNumber == 1)
      #expect(HTTPStubs.journal === StubRegistry.current.journal && HTTPStubs.journal.entries.count == 1)
    }
  }

  @Test("is read as items of its query and its form")
  func items() async throws {
    try await withStubs {
      let stub = stub(.post, "/login", response: .ok)
      let plain = request("http://a.example/login", method: "POST")
      let login = request("http://a.example/login?q=a%20b&flag", method: "POST", body: "user=ann&note=a+b")
      for request in [login, plain] { _ = try await URLSession.shared.data(for: request) }
      let entries = stub.requests
      #expect(entries.first?.query == [URLQueryItem(name: "q", value: "a b"), URLQueryItem(name: "flag", value: nil)])
      #expect(
        entries.first?.form == [URLQueryItem(name: "user", value: "ann"), URLQueryItem(name: "note", value: "a b")])
      #expect(entries.last?.query.isEmpty == true && entries.last?.form.isEmpty == true && entries.count == 2)
    }
  }

  @Test("is missing with a sentence that says why")
  func missing() async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .status(200))
      _ = try await URLSession.shared.data(from: url("http://a.example/none"))
      let none = #expect(throws: RecordedBodyMissingError.self) { try stub.lastRequest?.json() }
      #expect("\(none.map { "\($0)" } ?? "")" == "GET http://a.example/none has no body in the journal.")
      let large = request(url("http://a.example/large"), method: "POST", body: Data(count: 1_000_001))
      _ = try await URLSession.shared.data(for: large)
      let error = #expect(throws: RecordedBodyMissingError.self) { try stub.lastRequest?.decode(User.self) }
      #expect(error?.length == 1_000_001 && error?.description.contains("keepsLargeBodies = true") == true)
      #expect(stub.lastRequest?.text == nil)
    }
  }

  @Test("has no match for a request that no stub matched, and the status of a response that broke off")
  func outcomes() async throws {
    await withStubs {
      _ = try? await URLSession.shared.data(from: url("http://a.example/none"))
      stub(condition: isPath("/broken"), response: .text("abc", status: 203).failing(afterBytes: 1))
      _ = try? await URLSession.shared.data(from: url("http://a.example/broken"))
      let entries = HTTPStubs.journal.entries
      #expect(entries.first?.match == nil && entries.first?.outcome.status == nil)
      #expect(entries.last?.outcome.status == 203 && entries.last?.outcome.error != nil)
    }
  }

  @Test("says how much of a body was dropped")
  func dropped() async throws {
    for (method, status, expected) in [("GET", 204, 3), ("GET", 200, 0), ("HEAD", 200, 3)] {
      try await withStubs {
        let stub = stub(condition: .anything, response: .text("abc", status: status))
        _ = try await URLSession.shared.data(for: request("http://a.example/", method: method))
        let response = try #require(stub.lastRequest?.response, "\(method)")
        #expect(response.droppedBodyLength == expected, "\(method)")
        #expect("\(response)".contains("3 dropped") == (expected == 3), "\(method)")
      }
    }
  }
}

@Suite("Short forms", .inTurn)
struct ShortFormTests {
  @Test("are a status alone, what a mock returns, and a list of mixed objects")
  func responses() async throws {
    try await withStubs {
      let (id, name) = (1, "Ann")
      stub(condition: isPath("/status"), response: .status(429, headers: ["Retry-After": "1"]))
      stub(condition: isPath("/list"), response: .json([["id": id, "name": name], ["id": 2, "name": "Bob"]]))
      stub(condition: isPath("/mock")) { request in
        let head = HTTPURLResponse(
          url: request.url!, statusCode: 202, httpVersion: nil, headerFields: ["X-A": "b"])!
        return (head, Data("mock".utf8))
      }
      let status = try await URLSession.shared.data(from: url("http://a.example/status")).1 as? HTTPURLResponse
      #expect(status?.statusCode == 429 && status?.value(forHTTPHeaderField: "Retry-After") == "1")
      let list = try await URLSession.shared.data(from: url("http://a.example/list")).0
      #expect(try JSONValue(parsing: list) == [["id": 1, "name": "Ann"], ["id": 2, "name": "Bob"]])
      let (data, response) = try await URLSession.shared.data(from: url("http://a.example/mock"))
      let head = response as? HTTPURLResponse
      #expect(data == Data("mock".utf8) && head?.statusCode == 202 && head?.value(forHTTPHeaderField: "X-A") == "b")
    }
  }

  @Test("let requests through by a closure")
  func passThrough() {
    guard case .passThrough(let condition) = UnmatchedPolicy.passThrough(when: { $0.url?.port == 8080 }).kind else {
      Issue.record("fails them")
      return
    }
    #expect(condition.matches(request("http://a.example:8080/")) && !condition.matches(request("http://a.example/")))
  }
}

@Suite("A path below the base URL of its group", .inTurn)
struct SubpathTests {
  /// A condition in a group below a base URL.
  private func below(_ base: String, _ condition: () -> RequestMatcher) -> RequestMatcher {
    var grouped = RequestMatcher.nothing
    let group = stubs(on: isUnder(base), in: StubRegistry()) { grouped = condition() }
    return group.condition && grouped
  }

  @Test("is that of the innermost base, with or without a slash")
  func resolved() {
    for (base, path) in [
      ("https://a.example/v1", "users"), ("https://a.example/v1/", "/users"), ("https://a.example", "v1/users/"),
    ] {
      let grouped = below(base) { isSubpath(path) && isMethodGET() }
      let nested = below("https://a.example") {
        below(base) { isPath("/other") || !(!isSubpath(path)) }
      }
      for condition in [grouped, nested] {
        #expect(condition.mistake == nil, "\(condition)")
        #expect(condition.matches(request("https://a.example/v1/users")), "\(base)")
        #expect(!condition.matches(request("https://a.example/users")), "\(base)")
        #expect(!condition.matches(request("https://b.example/v1/users")), "\(base)")
      }
      #expect("\(nested)".contains("isPath(\"/v1/users"), "\(base)")
    }
  }

  @Test("is a mistake without one, and where it isn't a path")
  func mistakes() {
    for (condition, sentence) in [
      (isSubpath("users"), "isSubpath(\"users\") has no base URL"),
      (isUnder("https://a.example") && isSubpath("users"), "isSubpath(\"users\") has no base URL"),
      (isSubpath("users?page=2"), "isSubpath(\"/users?page=2\") has a query"),
      (isSubpath("users/{id}"), "write isSubpath(template: \"/users/{id}\")"),
      (isSubpath(template: "users/:id"), "has the placeholder :id"),
      (isSubpath(template: "users/{id}"), "isSubpath(template: \"users/{id}\") has no base URL"),
      (isSubpath("https://a.example/users"), "is a URL: write isURL("),
    ] {
      #expect(condition.mistake?.contains(sentence) == true, "\(condition.mistake ?? "none")")
      #expect(!condition.matches(request("https://a.example/users")), "\(sentence)")
    }
  }

  @Test("has no base URL in a group whose condition has none on all sides")
  func noBase() {
    var grouped: [RequestMatcher] = []
    stubs(on: isHost("a.example"), in: StubRegistry()) { grouped.append(isSubpath("users")) }
    stubs(on: isUnder("https://a.example") || isHost("b.example"), in: StubRegistry()) {
      grouped.append(isSubpath("users"))
    }
    #expect(grouped.allSatisfy { $0.mistake?.contains("has no base URL") == true })
  }

  @Test("has a template, whose captures are those below the base")
  func template() {
    let condition = below("https://a.example/v1") { isSubpath(template: "users/{id}") }
    #expect(condition.mistake == nil && "\(condition)".contains("isPath(template: \"/v1/users/{id}\")"))
    var facts = RequestFacts(request("https://a.example/v1/users/42"))
    var captures = Captures()
    #expect(condition.isMet(by: &facts, &captures))
    #expect(RequestMatch(callNumber: 1, captures: captures)["id"] == "42")
    #expect(!condition.matches(request("https://a.example/users/42")))
  }
}

@Suite("A recorded response", .inTurn)
struct RecordedResponseTests {
  private func entry(for response: StubResponse, path: String = "/x", method: String = "GET") async -> RecordedRequest?
  {
    await withStubs {
      stub(condition: isPath(path), response: response)
      _ = try? await URLSession.shared.data(for: request("http://a.example\(path)", method: method))
      return StubRegistry.current.journal.entries.first
    }
  }

  @Test("is what went out: status, headers and body, and when its head did")
  func answered() async throws {
    let entry = try #require(await entry(for: .json(["id": 42], status: 201)))
    let response = try #require(entry.response)
    #expect(response.status == 201 && response.body == Data(#"{"id":42}"#.utf8) && response.bodyLength == 9)
    #expect(response.headers == ["Content-Type": "application/json", "Content-Length": "9"])
    #expect("\(response)" == "201, 9 bytes")
    let (head, end) = (try #require(entry.timeToResponse), try #require(entry.duration))
    #expect(head >= .zero && head <= end)
  }

  @Test("has of a body that breaks off what came before")
  func interrupted() async throws {
    let broken = try #require(await entry(for: .text("abcdef").failing(afterBytes: 3)))
    #expect(broken.response?.status == 200 && broken.response?.body == Data("abc".utf8))
    #expect(broken.response?.bodyLength == 3 && broken.outcome.error is URLError)
  }

  @Test("is none for what fails before a head, or is not answered by a response")
  func none() async throws {
    let failed = try #require(await entry(for: .failure(.timedOut)))
    #expect(failed.response == nil && failed.timeToResponse == nil)
    let unmatched = await withStubs {
      _ = await URLSession.shared.failure(of: "http://a.example/")
      return StubRegistry.current.journal.entries.first
    }
    #expect(unmatched != nil && unmatched?.response == nil)
  }

  @Test("keeps a large body by its length, unless it is asked to keep it", arguments: [true, false])
  func large(isKept: Bool) async throws {
    let response = try await withStubs {
      StubRegistry.current.journal.keepsLargeBodies = isKept
      stub(condition: .anything, response: .data(Data(count: 1_000_001)))
      _ = try await URLSession.shared.fetch("http://a.example/")
      return StubRegistry.current.journal.entries.first?.response
    }
    #expect(response?.bodyLength == 1_000_001 && response?.body?.count == (isKept ? 1_000_001 : nil))
  }

  @Test("is there for each request of a chain of redirects")
  func redirects() async throws {
    let (entries, counts) = try await withStubs {
      let old = stub(condition: isPath("/old"), response: .redirect(to: "/new"))
      let new = stub(condition: isPath("/new"), response: .text("here"))
      _ = try await URLSession.shared.fetch("http://a.example/old")
      return (
        StubRegistry.current.journal.entries, [old.requests.count, old.callCount, new.requests.count, new.callCount]
      )
    }
    #expect(entries.map(\.response?.status) == [302, 200])
    #expect(entries.map(\.response?.headers["Location"]) == ["/new", nil])
    #expect(entries.last?.response?.body == Data("here".utf8) && counts == [1, 1, 1, 1])
  }
}
