import Foundation
import StubKitTesting
import TestSupport
import Testing

/// The rows of the table of issues that are about what nothing asks about, in strict tests and in those that fail.
extension IssueTableTests {
  private static let secure = "https://a.example"

  private static func send(
    _ path: String, _ method: String, _ type: String? = nil, _ body: String? = nil, headers: [String: String] = [:]
  ) async {
    let headers = type.map { headers.merging(["Content-Type": $0]) { $1 } } ?? headers
    _ = try? await URLSession.shared.fetch(request(secure + path, method: method, headers: headers, body: body))
  }

  private static func strict(
    _ name: String, line: Int? = #line, _ body: @escaping @Sendable () async throws -> Void
  ) -> Row { Row(name, .stubbed(strict: true), line: line, body) }

  static let unasked = [
    strict("What nothing asks about in a strict test, once for each stub and part") {
      stubAtLine(1, isPath("/orders"))
      stubAtLine(2, isPath("/films") && !containsQuery("filter"))
      stubAtLine(3, isPath("/plain") || isPath(template: "/{id}/plain"))
      stubAtLine(4, isMethod(.post) && isPath("/json") && hasJSON(at: "id", equals: 1))
      stubAtLine(5, isMethod(.post) && isPath("/form") && hasFormBody(["id": "1"]))
      stubAtLine(6, isPath("/slash/"))
      stub("PURGE", "/{id}/purged", response: .ok)
      stub(.get, "\(secure)/short?page=2", response: .ok, at: StubLocation(place(7)))
      for method in ["POST", "POST", "PURGE"] { await send("/orders", method) }
      for path in ["films?token=x&token=y&sort&page=1", "films/", "slash", "short?page=2&x=1"] {
        await ask("\(secure)/\(path)")
      }
      await ask("http://b.example/plain")
      await send("/json", "POST", "text/plain", #"{"id": 1}"#)
      await send("/form", "POST", "application/json; charset=utf-8", "id=1")
      await send("/1/purged", "PURGE")
    },
    strict("Items of two stubs that a strict test doesn't name") {
      stub(.get, "\(secure)/films?sort=asc", response: .ok, at: StubLocation(place(1)))
      stubAtLine(2, isMethod(.get) && isPath("/actors"))
      for page in 1...3 { await ask("\(secure)/films?sort=asc&page=\(page)&per_page=20&q=a%20b") }
      await ask("\(secure)/actors?page=1&lang=de")
    },
    Row("What a strict test allows", .stubbed(strict: .allowing(query: ["page", "q"], headers: ["content-type"]))) {
      stubAtLine(1, isMethod(.get) && isPath("/films"))
      stubAtLine(2, isMethod(.post) && isPath("/json") && hasJSON(at: "id", equals: 1))
      await ask("\(secure)/films?page=1&page=2&q=C++&lang=de")
      await send("/json", "POST", "text/plain", #"{"id": 1}"#)
    },
    strict("Items that a strict test reads in the journal") {
      let films = stubAtLine(1, isMethod(.get) && isPath("/films"))
      let actors = stubAtLine(2, isMethod(.get) && isPath("/actors"))
      stubAtLine(3, isMethod(.get) && isPath("/studios"))
      for path in ["films?page=1", "actors?page=1&per_page=20", "studios?page=1"] { await ask("\(secure)/\(path)") }
      #expect(films.lastRequest?.query["page"] == "1")
      #expect(actors.requests.map { $0.url.query() } == ["page=1&per_page=20"])
      #expect(films.lastRequest?.header("Accept") == nil)
    },
    strict("Items that come twice, and a plus sign, in a strict test") {
      stub(.get, "\(secure)/once?q=1", response: .ok, at: StubLocation(place(1)))
      stub(.get, "\(secure)/both?q=1&q=2", response: .ok, at: StubLocation(place(2)))
      stub(.get, "\(secure)/twice?q=1&q=1", response: .ok, at: StubLocation(place(3)))
      stubAtLine(4, isMethod(.get) && isPath("/exact") && hasExactQuery(["q": "1"]))
      stubAtLine(5, isMethod(.get) && isURL("\(secure)/url?q=1&q=1"))
      stubAtLine(6, isMethod(.get) && isPath("/plus") && containsQuery("q"))
      let path = "q=1&q=1"
      await ask(
        "\(secure)/once?q=1&q=2", "\(secure)/both?q=1&q=2", "\(secure)/twice?\(path)", "\(secure)/exact?\(path)")
      await ask("\(secure)/url?\(path)", "\(secure)/plus?q=C++", "\(secure)/plus?q=C%2B%2B")
    },
    strict("A query item in another composition than the one that a strict test asks about") {
      stubAtLine(1, isMethod(.get) && isURL("\(secure)/films") && containsQuery("caf\u{E9}"))
      await ask("\(secure)/films?caf%C3%A9=1&cafe%CC%81=2")
    },
    strict("What a condition asks about in a strict test, whichever form wrote it") {
      stub(.get, "\(secure)/short", response: .ok, at: StubLocation(place(1)))
      stubAtLine(2, isMethod(.get) && isURL("\(secure)/long"))
      stubAtLine(3, isMethod(.get) && isURL("\(secure)/empty?"))
      stubAtLine(4, isPath("/head"))
      await ask("\(secure)/short?page=2", "\(secure)/long?page=2", "\(secure)/empty")
      for method in ["HEAD", "GET"] { await send("/head", method) }
    },
    strict("Headers and credentials that nothing asks about in a strict test") {
      for line in 1...3 as ClosedRange<UInt> { stubAtLine(line, isMethod(.post) && isPath("/\(line)")) }
      stubAtLine(4, isPath("/4"))
      stubAtLine(5, isPath("/5") && hasBasicAuth(user: "ann", password: "x"))
      stubAtLine(6, isMethod(.put) && isPath("/6"))
      await send("/1", "POST", nil, #"{"id": 1}"#)
      await send("/2", "POST", "application/json,application/json", #"{"id": 1}"#)
      await send("/3", "POST", "text/plain; a=\",\"", "1")
      await ask("https://ann:x@a.example/4", "https://ann:x@a.example/5")
      await send("/6", "PUT", nil, "[1]")
    },
    strict("Cookies over http in a strict test") {
      stubAtLine(1, isPath("/set"), .status(200, headers: ["Set-Cookie": "own=1"]))
      for (line, path) in [(2, "/own"), (3, "/foreign")] as [(UInt, String)] { stubAtLine(line, isPath(path)) }
      // No cookie is stored for other tests.
      _ = try await StubRegistry.current.makeSession().fetch("\(host)/set")
      for (path, cookie) in [("/own", "own=1; b=2"), ("/foreign", "other=1")] {
        let session = StubRegistry.current.makeSession()
        _ = try await session.fetch(request("\(host)\(path)", headers: ["Cookie": cookie]))
      }
    },
    strict("What goes over http in a strict test") {
      for (line, path) in ["/user", "/query", "/body", "/cookie"].enumerated() {
        stubAtLine(
          UInt(line + 1), isPath(path) && (isMethod(.get) || isMethod(.post)) && !containsQuery("password", "y"))
      }
      await ask("http://ann:x@a.example/user", "/query?password=x", "http://localhost/query", "/query")
      _ = try await fetch("\(host)/body", method: "POST", body: #"{"newPassword": "x"}"#)
      _ = try await URLSession.shared.fetch(request("\(host)/cookie", headers: ["Cookie": "a=b"]))
    },
    strict("What something asks about in a strict test") {
      stub(condition: isURL("\(secure)/url?a=1&b") || isURL("\(secure)/either/?a=1"), response: .ok)
      stub(condition: isPath("/opened") && { _ in true }, response: .ok)
      stub(condition: isPath("/opened/by")) { _ in .ok }
      stub(condition: isPath("/verified"), response: .ok)
      stub(condition: isPath("/exact") && hasExactQuery(["a": nil]) && !isMethod(.get), response: .ok)
      stub(condition: isPath("/graphql") && isGraphQL(operation: "A"), response: .ok)
      stub(
        condition: isPath("/read") && hasHeader("content-type") && hasJSONBody([1]) && isMethod(.post), response: .ok)
      stub(condition: isScheme("http") && isPath("/http"), response: .ok)
      stub(condition: isPath("/old"), response: .redirect(to: "/new/?from=old"))
      stub(condition: isPath("/new"), response: .ok)
      await ask("\(secure)/url?a=1&b", "\(secure)/either/?a=1", "\(secure)/graphql?query=query%20A%20%7B%7D", "/http")
      await ask("\(secure)/old")
      for path in ["/opened/?a", "/opened/by/?a", "/exact?a", "/verified?page=1"] { await send(path, "PUT") }
      await send("/graphql", "POST", "application/graphql+json", #"{"operationName": "A"}"#)
      await send("/read", "POST", "text/plain", "[1]")
      try verify(isMethod(.put) && isPath("/verified"))
      expectCalls(to: isScheme("http") && pathStartsWith("/verified") && containsQuery("page", "2"), .never)
    },
    strict("What a condition asks about in a strict test, if it takes any path or the rest of one") {
      stubAtLine(1, isPath(template: "/files/{path...}"))
      stubAtLine(2, isPath("/docs") || pathStartsWith("/docs/"))
      await ask("\(secure)/files/a/b/", "\(secure)/docs/a/")
    },
    strict("What the last of many verifications asks about in a strict test") {
      stubAtLine(1, isPath("/orders"))
      for number in 1...200 { try verify(isPath("/\(number)"), called: .never) }
      await send("/orders", "PUT")
      try verify(isMethod(.put) && isPath("/orders"))
    },
    strict("Stubs that are removed one by one, or with their group, in a strict test") {
      let single = stubAtLine(1, isPath("/single"))
      let group = stubs(on: isHost("a.example")) { stubAtLine(2, isPath("/group")) }
      for path in ["/single", "/group"] { await send(path, "PUT") }
      single.remove()
      group.remove()
    },
    strict("A very long URL, and names that containsQuery doesn't take, in a strict test") {
      stubAtLine(1, isPath("/films"))
      await ask("\(secure)/films?x=\(String(repeating: "a", count: 20_000))", "\(secure)/films?a%3Db&c%2525d")
      await ask("\(secure)/films?\(String(repeating: "b", count: 20_000))")
    },
    strict("All stubs are removed in a strict test") {
      stubAtLine(1, isPath("/orders"))
      HTTPStubs.removeAllStubs()
      stubAtLine(2, isPath("/orders"))
      await send("/orders", "PUT")
      HTTPStubs.removeAllStubs()
    },
    Row("What nothing asks about in a test that fails, at most three notes") {
      for line in 1...5 as ClosedRange<UInt> { stubAtLine(line, isPath("/\(line)")) }
      await send("/1", "POST", nil, "[1]")
      for path in ["/2?a", "/2?b", "/3?c"] { await send(path, "GET") }
      throw CancellationError()
    },
    strict("JSON without a type in a strict test that fails") {
      stubAtLine(1, isPath("/users") && isMethod(.post))
      for body in ["[1]", "1", "{"] { await send("/users?id", "POST", nil, body) }
      throw CancellationError()
    },
    Row("What nothing asks about in a test that passes") {
      stubAtLine(1, .anything)
      await send("/?a", "POST", "text/plain", "[1]")
    },
    Row("Requests without a host beside one that has one") {
      stubAtLine(1, isPath("/films"))
      stubAtLine(2, isPath("/none"))
      await ask("\(secure)/films")
      for text in ["/films?page=2", "/films?page=3", "http:/none"] {
        _ = try await URLSession.shared.data(from: url(text))
      }
    },
    strict("Requests that all lack a host") {
      stubAtLine(1, isPath("/films"))
      for _ in 1...2 { _ = try await URLSession.shared.data(from: url("/films")) }
    },
    Row("Unused stubs of a test that throws what its client makes of a status") {
      stubAtLine(1, isPath("/me") && hasBearerToken("old"), .status(401))
      stubAtLine(2, isPath("/me") && hasBearerToken("new"))
      for line in 3...5 as ClosedRange<UInt> { stubAtLine(line, isHost("cdn.example") && isPath("/\(line)")) }
      await send("/me", "GET", headers: ["Authorization": "Bearer old"])
      throw URLError(.userAuthenticationRequired)
    },
    Row("Why responses are not 304 in a test that fails") {
      for (line, path) in ["/tag", "/quotes", "/match", "/other"].enumerated() {
        stubAtLine(UInt(line + 1), isPath(path), .ok.conditional(etag: "v1"))
        await send(path, "GET")
      }
      await send("/other", "GET", headers: ["If-None-Match": "\"v0\""])
      for _ in 1...2 { await send("/tag", "GET") }
      await send("/quotes", "GET", headers: ["If-None-Match": "v1"])
      await send("/match", "GET", headers: ["If-Match": "\"v1\""])
      throw CancellationError()
    },
    Row("No advice about 304 for a part, a HEAD and a POST in a test that fails") {
      let film = StubResponse.text("0123456789").conditional(etag: "v1")
      stubAtLine(1, isHost("a.example"), film)
      stubAtLine(2, isHost("a.example") && isMethod(.post), film)
      for headers in [["Range": "bytes=2-"], ["Range": "bytes=2-", "If-Range": "\"v0\""]] {
        for _ in 1...2 { await send("/film", "GET", headers: headers) }
      }
      for method in ["HEAD", "HEAD", "POST", "POST"] { await send("/film", method) }
      throw CancellationError()
    },
    Row("Why a download begins again in a test that fails") {
      let film = StubResponse.data(Data("0123456789".utf8))
      let whole = film.header("ETag", "\"1\"").acceptingRanges()
      let pairs: [(String, StubResponse)] = [
        ("/ranges", whole), ("/none", film.conditional(etag: "1")), ("/both", whole.conditional(etag: "1")),
      ]
      for (line, (path, response)) in pairs.enumerated() {
        stub(
          condition: isPath(path), responses: [response.failing(afterBytes: 4), response],
          fileID: "App/Users.swift", filePath: "/app/Users.swift", line: UInt(line + 1), column: 5)
        await ask(path, path)
      }
      throw CancellationError()
    },
    Row("Requests of a test that fails, in their order") {
      for line in 1...2 as ClosedRange<UInt> { stubAtLine(line, isHost("a.example") && isPath("/\(line)")) }
      stubAtLine(3, isHost("a.example") && isPath("/me"), .status(401)).name = "me"
      stubAtLine(4, isHost("a.example") && isPath("/lost"), .text("ab").failing(afterBytes: 1))
      await ask("/2?page=2", "/1", "/me", "/lost")
      throw URLError(.userAuthenticationRequired)
    },
    Row("A slip in a stub, told once") {
      stub(.get, "https://a.example/v1/products/:id", response: .ok, at: StubLocation(place(1)))
      await ask("https://a.example/v1/products/1")
    },
    Row("Why a response with a date is not 304 in a test that fails") {
      stubAtLine(1, .anything, .ok.conditional(lastModified: Date(timeIntervalSince1970: 0)))
      for field in ["Accept", "If-Modified-Since", "Accept"] { await send("/", "GET", headers: [field: "text/plain"]) }
      throw CancellationError()
    },
  ]
}
