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
    post(URLRequest(url: address(path)), body, type: type)
  }

  private func post(_ request: URLRequest, _ body: String, type: String) -> URLRequest {
    var request = request
    request.httpMethod = "POST"
    request.setValue(type, forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    return request
  }

  private func answer(_ request: URLRequest) async throws -> String {
    String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
  }

  @Test("shows conditions that compose")
  func composition() async throws {
    try await withStubs {
      stub(condition: isMethodPOST() && isPath("/login"), response: .empty())
      stub(condition: isPath("/users") || isPath("/people"), response: .json([]))
      stub(condition: isHost("api.example.com") && !hasHeader("Authorization"), response: .status(401))

      let refused = try await status("/users")
      #expect(refused == 401)
      for (path, status) in [("/login", 204), ("/people", 200)] {
        var request = post(path, "")
        request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        let response = try await URLSession.shared.data(for: request).1
        #expect((response as? HTTPURLResponse)?.statusCode == status)
      }
    }
  }

  @Test("shows conditions with names, and a list that folds into one")
  func names() async throws {
    try await withStubs {
      let api = isScheme("https") && isHost("api.example.com")
      let reads = isMethodGET() || isMethodHEAD()
      stub(condition: api && reads && pathStartsWith("/users/"), response: .json(["id": 42]))

      let closed = ["/posts", "/films"].map { isPath($0) }.reduce(.nothing, ||)
      stub(condition: api && closed, response: .status(503))

      let statuses = [try await status("/users/42"), try await status("/posts"), try await status("/films")]
      #expect(statuses == [200, 503, 503])
      let request = URLRequest(url: address("/"))
      #expect(reads.matches(request))
      #expect(api.description == #"isScheme("https") && isHost("api.example.com")"#)
    }
  }

  @Test("shows places with a form, and the rest of a path")
  func expressions() async throws {
    try await withStubs {
      stub(condition: isPath(template: "/users/{id:[0-9]+}")) { _, match in
        guard let id = match["id", as: Int.self], id <= 100 else { return .status(404) }
        return .json(["id": JSONValue(id), "next": JSONValue(id + 1)])
      }
      stub(condition: isPath(template: "/users/me"), response: .json(["id": 1]))
      stub(condition: isPath(template: "/{year:[0-9]{4}}-{month}/{file...}")) { _, match in
        try .text("\(match("file")) of \(match("month"))/\(match("year"))")
      }

      let told = [try await text("/users/42"), try await text("/users/me"), try await text("/2024-01/a/b%20c.txt")]
      #expect(told == [#"{"id":42,"next":43}"#, #"{"id":1}"#, "a/b c.txt of 01/2024"])
      let beyond = try await status("/users/101")
      #expect(beyond == 404)
      for path in ["/users/ann", "/24-01/a", "/2024-01"] {
        await #expect(throws: UnmatchedRequestError.self) { try await text(path) }
      }
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
        condition: isPath("/orders") && hasJSONBody(as: Order.self) { $0.items.count > 1 && $0.total < 50 },
        response: .json(["discount": 0.1]))

      let told = try await answer(post("/orders", #"{"items": ["tea", "jam"], "total": 12.5}"#))
      #expect(told == #"{"discount":0.1}"#)
      let error = await #expect(throws: UnmatchedRequestError.self) {
        try await answer(post("/orders", #"{"items": [], "total": "12.5"}"#))
      }
      #expect(error?.description.contains("not a valid Order: total is not Double") == true)
    }
  }

  @Test("shows the parts of a request in closures")
  func parts() async throws {
    try await withStubs {
      stub(condition: isMethodPOST() && isPath("/search")) { request in
        let page = request.stubQuery["page"].flatMap(Int.init) ?? 1
        let words = request.stubForm?.filter { $0.name == "word" }.compactMap(\.value) ?? []
        return .json(["page": page, "words": words])
      }
      stub(condition: isMethodPOST() && isPath("/users")) { request in
        guard let name = request.stubJSON?["name"] else { return .status(422) }
        return .json(["id": 42, "name": name], status: 201)
      }

      let form = "application/x-www-form-urlencoded"
      let told = [
        try await answer(post("/search?page=2", "word=a+b&word=c", type: form)),
        try await answer(post("/users", #"{"name": "Ann"}"#)),
      ]
      #expect(told == [#"{"page":2,"words":["a b","c"]}"#, #"{"id":42,"name":"Ann"}"#])
    }
  }

  @Test("shows whole URLs and base URLs")
  func wholeURLs() async throws {
    try await withStubs {
      let api = URL(string: "https://api.example.com/v1")!
      stub(condition: isUnder(api), response: .status(404))
      stub(condition: isURL(api.appendingPathComponent("users")), response: .json([["id": 42]]))
      stub(condition: isURL("https://api.example.com/v1/users?page=2&sort=name"), response: .json([]))

      let users = [try await text("/v1/users"), try await text("/v1/users/?page=3")]
      #expect(users == [#"[{"id":42}]"#, #"[{"id":42}]"#])
      let page = try await text("/v1/users?sort=name&page=2")
      #expect(page == "[]")
      let other = try await status("/v1/films")
      #expect(other == 404)
      #expect(isURL("https://API.example.com:443/v1/users/").matches(URLRequest(url: address("/v1/users"))))
      #expect(!isURL("https://api.example.com/v1/users?").matches(URLRequest(url: address("/v1/users?page=2"))))
      await #expect(throws: UnmatchedRequestError.self) { try await text("/v10/users") }
    }
  }

  @Test("shows a method and a URL in one line")
  func methodsAndURLs() async throws {
    try await withStubs {
      stub(.get, "https://api.example.com/users/{id}") { _, match in
        try .json(["id": match("id", as: Int.self)])
      }
      stub(.get, "/users?page=2", response: .json([]))
      stub(.post, "/login", response: .status(403))
      stub("PURGE", "/cache/{key}", response: .ok)
      stub(.any, "/health", response: .ok)

      let texts = [try await text("/users/42"), try await text("/users?sort=name&page=2")]
      #expect(texts == [#"{"id":42}"#, "[]"])
      let health = try await status("/health")
      #expect(health == 200)
      // The capture is no number, so the closure throws, and the request fails.
      await #expect(throws: (any Error).self) { try await status("/users/ann") }
    }
  }

  @Test("shows URLs and query values by their form")
  func urlPatterns() async throws {
    try await withStubs {
      stub(condition: urlMatches("^https://(?<bucket>[a-z0-9-]+)[.]s3[.]")) { _, match in try .text(match("bucket")) }

      stub(condition: isPath("/events") && containsQuery("since"), response: .status(400))
      stub(condition: isPath("/events") && queryMatches("since", "^[0-9]{4}-[0-9]{2}$"), response: .json([]))

      let bucket = try await answer(URLRequest(url: URL(string: "https://films.s3.example.com/a.mp4")!))
      #expect(bucket == "films")
      let statuses = [try await status("/events?since=2024-01"), try await status("/events?since=yesterday")]
      #expect(statuses == [200, 400])
    }
  }

  @Test("shows captures")
  func captures() async throws {
    try await withStubs {
      stub(condition: isPath(template: "/users/{id}/posts/{post}")) { _, match in
        try .json(["user": match("id"), "post": match("post")])
      }
      stub(condition: isPath(template: "/files/{name}.json") || pathMatches("^/old/(?<name>\\w+)$")) { _, match in
        try .text(match("name"))
      }

      let texts = [
        try await text("/users/42/posts/a%2Fb"), try await text("/files/menu.json"), try await text("/old/menu"),
      ]
      #expect(texts == [#"{"post":"a/b","user":"42"}"#, "menu", "menu"])
      await #expect(throws: UnmatchedRequestError.self) { try await text("/files/.json") }
    }
  }

  @Test("shows JSON that is equal, that contains, and at a place")
  func json() async throws {
    let price = 12.5
    try await withStubs {
      stub(condition: hasJSONBody(["user": "ann", "remember": true]), response: .text("literal"))
      stub(condition: hasJSONBody(Login(user: "ben", remember: false)), response: .text("encoded"))
      stub(condition: hasJSONBody(containing: ["device": ["os": "Linux"]]), response: .text("contained"))
      stub(condition: hasJSON(at: "items[1].price", equals: JSONValue(price)), response: .text("at a path"))
      stub(condition: hasJSON(at: "/items/0/price", equals: nil), response: .text("at a pointer"))

      let bodies = [
        #"{"remember": true, "user": "ann"}"#: "literal", #"{"user":"ben","remember":false}"#: "encoded",
        #"{"device": {"os": "Linux", "version": 6}, "id": 1}"#: "contained",
        #"{"items": [{"price": 1}, {"price": 1.25e1}]}"#: "at a path", #"{"items": [{"price": null}]}"#: "at a pointer",
      ]
      for (body, expected) in bodies {
        let told = try await answer(post("/", body))
        #expect(told == expected)
      }
      for body in [#"{"user": "ann", "remember": 1}"#, #"{"user": "ann", "remember": true, "id": 1}"#, "[]"] {
        await #expect(throws: UnmatchedRequestError.self) { try await answer(post("/", body)) }
      }
    }
  }

  @Test("shows forms and parts")
  func forms() async throws {
    try await withStubs {
      stub(condition: hasFormBody(["user": "ann", "note": "a b", "remember": nil]), response: .text("form"))
      stub(
        condition: hasFormBody(URLQueryItem(name: "tag", value: "a"), URLQueryItem(name: "tag", value: "b")),
        response: .text("repeated"))
      stub(condition: hasMultipartPart(named: "avatar", contentType: "image/png"), response: .text("part"))

      let form = "application/x-www-form-urlencoded"
      let told = [
        try await answer(post("/", "remember&note=a+b&user=ann", type: form)),
        try await answer(post("/", "tag=b&tag=a", type: form)),
        try await answer(MatcherRow.multipart),
      ]
      #expect(told == ["form", "repeated", "part"])
    }
  }

  @Test(
    "shows GraphQL in all the places where it is looked for",
    arguments: [
      #"{"operationName": "GetUser", "query": "query A { a } query GetUser { user { id } }"}"#,
      #"{"query": "query GetUser { user { id } }"}"#,
      #"[{"query": "query GetUser { user { id } }"}]"#,
    ])
  func graphQL(body: String) async throws {
    try await withStubs {
      stub(
        condition: isPath("/graphql") && isGraphQL(operation: "GetUser"),
        response: .json(["data": ["user": ["id": 42]]]))

      let document = post("/graphql", "query GetUser { user { id } }", type: "application/graphql")
      let query = URLRequest(url: address("/graphql?query=query%20GetUser%20%7B%20a%20%7D"))
      for request in [post("/graphql", body), document, query] {
        let told = try await answer(request)
        #expect(told == #"{"data":{"user":{"id":42}}}"#)
      }
      await #expect(throws: UnmatchedRequestError.self) { try await answer(post("/other", body)) }
    }
  }

  @Test("shows closures")
  func closures() async throws {
    try await withStubs {
      stub(condition: isPath("/slow") && { $0.timeoutInterval < 5 }, response: .failure(.timedOut))

      let isAdmin = RequestMatcher("is admin") { $0.value(forHTTPHeaderField: "X-Role") == "admin" }
      stub(condition: isAdmin && isPath("/users"), response: .json([["id": 1]]))

      await #expect(throws: UnmatchedRequestError.self) { try await text("/users") }
      var request = URLRequest(url: address("/users"))
      request.setValue("admin", forHTTPHeaderField: "X-Role")
      let users = try await answer(request)
      #expect(users == #"[{"id":1}]"#)
      let impatient = URLRequest(url: address("/slow"), timeoutInterval: 1)
      await #expect(throws: URLError.self) { try await answer(impatient) }
      #expect(isAdmin.description == "is admin")
    }
  }

  @Test("shows which stub answers")
  func newest() async throws {
    try await withStubs {
      stub(condition: isHost("api.example.com"), response: .status(404))
      stub(condition: isPath("/users/42"), response: .json(["id": 42]))
      stub(condition: isPath("/users/42"), response: .status(503), times: 1)

      var statuses: [Int?] = []
      for path in ["/users/42", "/users/42", "/users/42", "/users"] { statuses.append(try await status(path)) }
      #expect(statuses == [503, 200, 200, 404])
    }
  }
}
