import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to matching", .inTurn)
struct MatchingRequestsExamples {
  private struct Login: Encodable {
    let user: String
    let remember: Bool
  }

  private func post(_ path: String, _ body: String, type: String = "application/json") -> URLRequest {
    request(path, "POST", ["Content-Type": type], body: body)
  }

  @Test("shows conditions that compose")
  func composition() async throws {
    try await withStubs { () async throws in
      stub(condition: isMethod(.post) && isPath("/login"), response: .status(204))
      stub(condition: isPath("/users") || isPath("/people"), response: .json([]))
      stub(
        condition: isHost("api.example.com") && !hasHeader("Authorization"),
        response: .status(401))

      #expect(try await status("/users") == 401)
    }
  }

  @Test("shows conditions with names, and a list that folds into one")
  func names() async throws {
    try await withStubs { () async throws in
      let api = isScheme("https") && isHost("api.example.com")
      let closed = ["/posts", "/films"].map { isPath($0) }.reduce(.nothing, ||)
      stub(condition: api && closed, response: .status(503))

      #expect(try await statuses("/posts", "/films") == [503, 503])
    }
  }

  @Test("shows path templates with regular expressions, and with the rest of a path")
  func expressions() async throws {
    try await withStubs {
      stub(condition: isPath(template: "/users/{id:[0-9]+}")) { _, match in
        guard let id = match["id", as: Int.self], id <= 100 else {
          return .status(404)
        }
        return .json(["id": StubJSON(id), "next": StubJSON(id + 1)])
      }
      stub(
        condition: isPath(template: "/{year:[0-9]{4}}-{month}/{file...}")
      ) { _, match in
        try .text("\(match("file")) of \(match("month"))/\(match("year"))")
      }

      let texts = try await texts("/users/42", "/2024-01/a/b%20c.txt")
      #expect(texts == [#"{"id":42,"next":43}"#, "a/b c.txt of 01/2024"])
    }
  }

  @Test("shows a body that is decoded")
  func decoded() async throws {
    try await withStubs {
      struct Order: Decodable {
        let items: [String]
        let total: Double
      }

      stub(
        condition: isPath("/orders")
          && hasJSONBody(as: Order.self) { $0.items.count > 1 && $0.total < 50 },
        response: .json(["discount": 0.1]))

      let told = try await text(post("/orders", #"{"items": ["tea", "jam"], "total": 12.5}"#))
      #expect(told == #"{"discount":0.1}"#)
    }
  }

  @Test("shows the parts of a request in closures")
  func parts() async throws {
    try await withStubs { () async throws in
      stub(condition: isMethod(.post) && isPath("/users")) { request in
        guard let name = try request.sent.json()["name"]?.stringValue else {
          return .status(422)
        }
        return .json(["id": 42, "name": name], status: 201)
      }

      #expect(try await text(post("/users", #"{"name": "Ann"}"#)) == #"{"id":42,"name":"Ann"}"#)
    }
  }

  @Test("shows whole URLs and base URLs")
  func wholeURLs() async throws {
    try await withStubs { () async throws in
      let api = URL(string: "https://api.example.com/v1")!
      stub(condition: hasBaseURL(api), response: .status(404))
      stub(
        condition: isURL(api.appendingPathComponent("users")),
        response: .json([["id": 42]]))

      #expect(try await text("/v1/users/?page=3") == #"[{"id":42}]"#)
      #expect(try await status("/v1/films") == 404)
    }
  }

  @Test("shows a method and a URL in one line")
  func methodsAndURLs() async throws {
    try await withStubs { () async throws in
      stub(.get, "https://api.example.com/users/{id}") { _, match in
        try .json(["id": match("id", as: Int.self)])
      }
      stub(.get, "/users?page=2", response: .json([]))
      stub(.post, "/login", response: .status(403))
      stub("PURGE", "/cache/{key}", response: .ok)
      stub(.any, "/health", response: .ok)

      #expect(try await texts("/users/42", "/users?sort=name&page=2") == [#"{"id":42}"#, "[]"])
      #expect(try await status("/health") == 200)
    }
  }

  @Test("shows regular expressions for URLs and query values")
  func urlPatterns() async throws {
    try await withStubs { () async throws in
      stub(
        condition: urlMatches("^https://(?<bucket>[a-z0-9-]+)[.]s3[.]")
      ) { _, match in try .text(match("bucket")) }

      stub(
        condition: isPath("/events")
          && queryMatches("since", "^[0-9]{4}-[0-9]{2}$"),
        response: .json([]))

      #expect(try await text(URLRequest(url: URL(string: "https://films.s3.example.com/a.mp4")!)) == "films")
      #expect(try await status("/events?since=2024-01") == 200)
    }
  }

  @Test("shows captures")
  func captures() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath(template: "/users/{id}/posts/{post}")) { _, match in
        try .json(["user": match("id"), "post": match("post")])
      }

      #expect(try await text("/users/42/posts/a%2Fb") == #"{"post":"a/b","user":"42"}"#)
    }
  }

  @Test("shows JSON that is equal, that contains, and at a place")
  func json() async throws {
    let price = 12.5
    try await withStubs { () async throws in
      stub(
        condition: hasJSONBody(Login(user: "ben", remember: false)),
        response: .text("encoded"))
      stub(
        condition: hasJSONBody(containing: ["device": ["os": "Linux"]]),
        response: .text("contained"))
      stub(
        condition: hasJSON(at: "items[1].price", equals: StubJSON(price)),
        response: .text("at a path"))

      let bodies = [
        #"{"user":"ben","remember":false}"#: "encoded",
        #"{"device": {"os": "Linux", "version": 6}, "id": 1}"#: "contained",
        #"{"items": [{"price": 1}, {"price": 1.25e1}]}"#: "at a path",
      ]
      for (body, expected) in bodies { #expect(try await text(post("/", body)) == expected) }
    }
  }

  @Test("shows a form in which a name repeats")
  func forms() async throws {
    try await withStubs { () async throws in
      stub(
        condition: hasFormBody(
          URLQueryItem(name: "tag", value: "a"),
          URLQueryItem(name: "tag", value: "b")),
        response: .text("repeated"))

      let form = "application/x-www-form-urlencoded"
      #expect(try await text(post("/", "tag=b&tag=a", type: form)) == "repeated")
    }
  }

  @Test("has a table of what a query means, which holds")
  func queries() {
    let users = "https://api.example.com/users"
    for (text, whole, short) in [
      (users, [true, true, true], [true, true, true]), ("\(users)?page=2", [false, true, false], [false, true, true]),
      ("\(users)?", [true, false, false], [true, false, false]),
    ] {
      #expect(Page.guide("MatchingRequests").text.contains("\n| `\"\(text)\"` |"))
      let requests = ["", "?page=2", "?page=2&sort=name"].map { URLRequest(url: URL(string: users + $0)!) }
      #expect(requests.map(isURL(text).matches) == whole, "\(text)")
      withStubs {
        let stub = stub(.get, text, response: .ok)
        #expect(requests.map(stub.condition.matches) == short, "\(text)")
      }
    }
  }

  @Test("shows closures")
  func closures() async throws {
    try await withStubs { () async throws in
      stub(
        condition: isPath("/slow") && { $0.timeoutInterval < 5 },
        response: .failure(.timedOut))

      let isAdmin = RequestMatcher.matching("is admin") {
        $0.value(forHTTPHeaderField: "X-Role") == "admin"
      }
      stub(.get, "/users", where: isAdmin, response: .json([["id": 1]]))

      await #expect(throws: UnmatchedRequestError.self) { try await text("/users") }
      #expect(try await text(request("/users", "GET", ["X-Role": "admin"])) == #"[{"id":1}]"#)
      let impatient = URLRequest(url: address("/slow"), timeoutInterval: 1)
      await #expect(throws: URLError.self) { try await text(impatient) }
    }
  }

  @Test("shows which stub answers")
  func newest() async throws {
    try await withStubs { () async throws in
      stub(condition: isHost("api.example.com"), response: .status(404))
      stub(condition: isPath("/users/42"), response: .json(["id": 42]))
      stub(
        condition: isPath("/users/42"),
        response: .status(503),
        times: 1)

      #expect(try await statuses("/users/42", "/users/42", "/users") == [503, 200, 404])
    }
  }
}

@Suite("The tables of the guide to matching")
struct MatchingRequestsTables {
  private struct Login: Decodable {
    let attempts: Int
  }

  private static let matchers = [
    isMethod(.get), isMethod("PROPFIND"), isScheme("https"), isHost("api.example.com"), hostEndsWith(".example.com"),
    isLoopback(), isPort(443),
    isURL("https://api.example.com/users?page=2"), hasBaseURL("https://api.example.com/v1"),
    urlMatches("^https://[a-z]+[.]example[.]com/"), isPath("/users/42"), pathStartsWith("/users/"),
    pathEndsWith("/photo.png"), pathMatches("^/users/[0-9]+$"), isPath(template: "/users/{id}"),
    isPath(template: "/users/{id:[0-9]+}"), isPath(template: "/static/{path...}"), hasPathExtension("png"),
    containsQuery("page"), containsQuery("page", "2"), containsQuery(["flag": nil, "page": "2"]),
    queryMatches("page", "^[0-9]+$"), hasExactQuery(["flag": nil, "page": "2"]), !containsQuery("filter"),
    hasHeader("Accept"), hasHeader("Accept", "text/html"), headerMatches("Authorization", "^Bearer "),
    !hasHeader("X-Debug"), hasCookie("session"), hasCookie("session", "abc"),
    hasBasicAuth(user: "ann", password: "x"), hasBearerToken("abc"), hasBody(Data("ping".utf8)),
    bodyContains("needle"), hasJSONBody(["id": 42, "tags": ["a", nil]]),
    hasJSONBody(containing: ["user": ["id": 1]]), hasJSON(at: "users[0].name", equals: "Ann"),
    hasJSONBody(as: Login.self) { $0.attempts > 1 }, hasFormBody(["note": "", "user": "ann"]),
    hasFormBody(containing: ["user": "ann"]),
    hasMultipartPart(named: "caption", value: "At the lake"),
    hasMultipartPart(named: "photo", filename: "lake.jpg", contentType: "image/jpeg"), isGraphQL(operation: "GetUser"),
  ]

  @Test("have these matchers, as they print, and no others")
  func matchers() {
    let page = Page.guide("MatchingRequests")
    for matcher in Self.matchers { #expect(page.text.contains("\n| [`\(matcher)`](<doc:"), "\(matcher)") }
    let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| [`") }
    #expect(rows.count == Self.matchers.count)
    #expect(!page.text.contains(#/[0-9] (ns|µs)\b/#) && !page.text.contains("nanosecond"))
  }
}
