import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

/// The requests of a row are in the short form that `asked(_:)` in Entries.swift explains.
@Suite("What a request has in common with the entry that answers it", .inTurn)
struct ReplayMatchingTests {
  struct Row {
    let what: String
    let recorded: [URLRequest]
    let live: URLRequest
    /// The numbers of the entries that answer, one after the other, should the request come again and again.
    let answer: [Int]
    let matching: ReplayMatching
    let ignoring: [IgnoredPart]
    /// The placeholders that the entries list.
    let redacted: Set<String>?

    init(
      _ what: String, _ recorded: [String], _ live: String, _ answer: [Int], _ matching: ReplayMatching = .default,
      redacted: Set<String>? = nil, ignoring: IgnoredPart...
    ) {
      (self.what, self.recorded, self.live) = (what, recorded.map { asked($0) }, asked(live))
      (self.answer, self.matching, self.redacted, self.ignoring) = (answer, matching, redacted, ignoring)
    }
  }

  static let heads = [
    Row("the same URL", ["/x"], "/x", [1]), Row("another method", ["/x"], "DELETE /x", []),
    Row("another scheme", ["/x"], "https://a.com/x", []), Row("another host", ["/x"], "http://b.com/x", []),
    Row("another port", ["http://a.com:1/x"], "http://a.com:2/x", []), Row("another path", ["/x"], "/y", []),
    Row("a path of its own", ["/x", "/y"], "/y", [2]),
    Row("a query in another order", ["/?b=2&a=1"], "/?a=1&b=2", [1]), Row("a new query", ["/x"], "/x?a=1", []),
    Row("no query where one was", ["/x?a=1"], "/x", []), Row("an item more often", ["/?a=1"], "/?a=1&a=1", []),
    Row("user information and fragment", ["http://u:p@a.com/x#f"], "/x", [1]),
    Row("another header", ["@Accept=a"], "@Accept=b", [1]),
    Row("another body, of one that was recorded", ["< a"], "< b", [1]),
  ]

  static let bodies = [
    Row("JSON by value", ["< [1]", #"< {"b": 1.0, "a": 2}"#], #"< {"a":2,"b":1}"#, [2]),
    Row("JSON that was not recorded", ["< [1]", "< [2]"], "< [3]", []),
    Row("a form by value", ["form < a=1", "form < b=2&c=+"], "< c=%20&b=2", [2]),
    Row("other bodies by their bytes", ["< one two", "< one  two"], "< one  two", [2]),
    Row("no body", ["< [1]", "< "], "POST", [2]),
    Row("a multipart body with another boundary", ["parts:x1 < a=a", "parts:y2 < a=b"], "parts:z3 < a=b", [2]),
    Row("another multipart body", ["parts:x1 < a=a", "parts:y2 < a=b"], "parts:z3 < a=c", []),
    Row(
      "an operation by name", [#"query:A < {"id": 1}"#, #"query:B < {"id": 1}"#],
      #"json < {"operationName": "B", "query": "query B { b }", "variables": {"id": 7}}"#, [2]),
    Row("variables, if there are several", ["query:A < 1", "query:A < 2"], "query:A < 2", [2]),
    Row("variables that were not recorded", ["query:A < 1", "query:A < 2"], "query:A < 3", []),
    Row("an operation without a document's name", ["query:A < 1"], "query:B < 1", [], [.url, .body]),
    Row("a search that is no GraphQL", [#"< {"query": "a"}"#, #"< {"query": "b"}"#], #"< {"query":"b"}"#, [2]),
  ]

  static let chosen = [
    Row("the path alone", ["?a=1"], "PUT https://b.org/x", [1], [.path]),
    Row("all but the path", ["PUT /a < [1]", "PUT /b < [2]"], "PUT /c < [2]", [2], [.method, .host, .port, .body]),
    Row("the host alone", ["?a=1"], "https://a.com/y", [1], [.host]),
    Row("the scheme alone", ["/x"], "https://a.com/x", [], [.scheme]),
    Row("the port alone", ["http://a.com:1/x"], "http://b.com:1/y", [1], [.port]),
    Row("nothing", ["/"], "http://b.com/", [1], []), Row("the URL, without the method", ["/"], "PUT /", [1], [.url]),
    Row("the one body", ["< [1]"], "< [2]", [], [.method, .url, .body]),
    Row("the URL, whatever the bodies", ["< [1]", "< [2]"], "< [3]", [1, 2, 2], [.url]),
    Row("a header", ["@Accept=a"], "@accept=a", [1], [.url, .headers(["ACCEPT"])]),
    Row("a header's value", ["@Accept=a"], "@Accept=b", [], [.url, .headers(["Accept"])]),
    Row("a header that was not there", ["/"], "@Accept=b", [], [.url, .headers(["Accept"])]),
  ]

  private static let user = #"< {"user": {"pin": "REDACTED", "name": "ann"}}"#
  private static let texts = ["< x", "< hello REDACTED, bye REDACTED!"]
  private static let login = ["form < a=1", "form < user=ann&password=REDACTED"]
  private static let authorized: ReplayMatching = [.url, .headers(["Authorization"])]

  static let redacted = [
    Row("a query item", ["/?t=REDACTED&a=1"], "/?a=1&t=s3cret", [1]),
    Row("a query item that is not there", ["/?t=REDACTED&a=1"], "/?a=1", []),
    Row("an item beside it", ["/?t=REDACTED&a=1"], "/?t=s&a=2", []),
    Row("an item twice instead", ["/?t=REDACTED&a=1"], "/?a=1&a=1", []),
    Row("two items of one name", ["/?t=REDACTED&t=1"], "/?t=1&t=1", [1]),
    Row("items of one name, whatever their order", ["?t=REDACTED&t=REDACTED-a"], "?t=x-a&t=y", [1]),
    Row("an item in the place of none", ["?t=REDACTED&t=REDACTED-a"], "?t=x&t=y", []),
    Row("a path's segment", ["/u/REDACTED/x"], "/u/4%2042/x", [1]),
    Row("a part of a host", ["http://REDACTED.a.com/"], "http://tenant.a.com/", [1]),
    Row("another host beside it", ["http://REDACTED.a.com/"], "http://tenant.b.com/", []),
    Row("an empty segment", ["/u/REDACTED"], "/u/", []),
    Row("an empty value", ["/?t=REDACTED"], "/?t=", []),
    Row("another authorization", ["@Authorization=Bearer+REDACTED"], "@Authorization=Basic+3", [], authorized),
    Row("more than a segment", ["/u/REDACTED/x"], "/u/4/2/x", []),
    Row("a form's field", login, "form < password=s3cret&user=ann", [2]),
    Row("another user's form", login, "form < password=s3cret&user=bob", []),
    Row("a JSON string", ["< []", user], #"< {"user": {"name": "ann", "pin": "4711"}}"#, [2]),
    // The placeholder of a number is a number, such as 7332.
    Row(
      "a JSON number", ["< []", #"< {"pin": 7332, "name": "ann"}"#], #"< {"name": "ann", "pin": 4711}"#, [2],
      redacted: ["7332"]),
    Row(
      "a JSON value of another kind", ["< []", user], #"< {"user": {"name": "ann", "pin": {"digits": [1, 2]}}}"#, []),
    Row("a part of a text", texts, "< hello ann\n, bye bob!", [2]),
    Row("another text", texts, "< hello ann, bye bob?", []),
    Row("a nonce that looks random", ["/?nonce=REDACTED"], "/?nonce=q9Q2xT7vB8nL4pR6", [1]),
    Row("a nonce of letters", ["/?nonce=REDACTED"], "/?nonce=aaaaaaaaaaaaaaaa", [1]),
    Row("a nonce of digits", ["/?nonce=REDACTED"], "/?nonce=1234567890123456", [1]),
    Row("a nonce that is empty", ["/?nonce=REDACTED"], "/?nonce=", []),
    Row("a redacted header", ["@Authorization=REDACTED"], "@Authorization=Bearer+x", [1], authorized),
    Row("a header that is not there", ["@Authorization=REDACTED"], "/", [], authorized),
    Row("user information", ["http://REDACTED:REDACTED@a.com/"], "http://ann:s3cret@a.com/", [1]),
    Row("what differs by nothing else, in order", ["/?t=REDACTED", "/?t=REDACTED"], "/?t=x", [1, 2, 2]),
    Row(
      "equal bodies, in order", [#"< {"pin": "REDACTED"}"#, #"< {"pin": "REDACTED"}"#], #"< {"pin": "1"}"#, [1, 2, 2]),
    Row("the placeholder of one of them", ["/?t=REDACTED", "/?t=REDACTED-2"], "/?t=REDACTED-2", [2, 2]),
    Row(
      "variables of an operation",
      [#"query:A < {"id": 1}"#, #"< {"query": "query A { a }", "variables": {"id": 7332}}"#],
      #"query:A < {"id": 3}"#, [2], redacted: ["7332"]),
    Row("a number that nobody replaced", ["< []", #"< {"id": 7332}"#], #"< {"id": 5}"#, []),
    Row("the mark, where it is a word", ["/?t=REDACTED"], "/?t=x", [], redacted: []),
    Row("what is listed, whatever its look", ["/?t=a&u=b"], "/?t=x&u=b", [1], redacted: ["a"]),
    Row("what is listed, within a number", ["/?t=17332"], "/?t=5", [], redacted: ["7332"]),
  ]

  @Test(
    "is its method and URL, the body if several entries share them, and any value where one was redacted")
  func rows() { for row in Self.heads + Self.bodies + Self.chosen + Self.redacted { expectAnswers(of: row) } }

  func expectAnswers(of row: Row) {
    let registry = StubRegistry()
    var archive = HTTPArchive(entries: row.recorded.map { entry($0) })
    for index in archive.entries.indices { archive.entries[index].redacted = row.redacted }
    let stubs = replay(archive, matching: row.matching, ignoring: row.ignoring, in: registry, at: StubLocation())
    // The condition, the index and the reports are three ways to say the same.
    var numbers: [Int] = []
    for _ in 0..<max(1, row.answer.count) {
      let found = registry.answerer(of: row.live)
      #expect(found === stubs.first { !$0.isUsedUp && $0.condition.matches(row.live) }, "\(row.what)")
      guard let found else { break }
      _ = found.claim()
      if found.isUsedUp { registry.withIndex { $0.withdraw(found) } }
      numbers.append(stubs.firstIndex { $0 === found }! + 1)
    }
    #expect(numbers == row.answer, "\(row.what)")
    for stub in stubs {
      var facts = RequestFacts(row.live)
      let matches = stub.condition.matches(row.live)
      let result = stub.condition.node.explainMismatch(&facts)
      #expect((result.distance == 0) == matches, "\(row.what): \(stub)")
      #expect(result.mismatches.isEmpty == matches, "\(row.what): \(stub)")
    }
  }

  /// A recording of two calls that only their bodies tell apart.
  private static func calls(_ url: String) -> [URLRequest] {
    ["one", "two", "three"].map { name in
      var request = request(url)
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"m": "\#(name)"}"#.utf8)
      return request
    }
  }

  @Test(
    "keeps the bodies in what the report suggests for another host or another base path",
    arguments: [
      ("http://localhost:8080/rpc", "host and port differ", [".path", ".query"]),
      ("http://a.example/v2/rpc", "path differs", [".scheme", ".host", ".port", ".query"]),
    ])
  func otherPlace(url: String, difference: String, rest: [String]) {
    let recorded = zip(Self.calls("http://a.example/rpc"), ["1", "2"]).map { request, text in
      HTTPArchive.Entry(request: request, response: .init(body: Data(text.utf8)))
    }
    let (registry, live) = (StubRegistry(), Self.calls(url))
    replay(HTTPArchive(entries: recorded), in: registry, at: StubLocation())
    let report = UnmatchedRequestError(RequestFacts(live[1]), in: registry).description
    let cure = "matching: [.method, \(rest.joined(separator: ", ")), .differingBodies]"
    #expect(report.contains("If the \(difference) in each run, compare the rest:\n    replay(…, \(cure))"), "\(report)")
    let other = StubRegistry()
    let matching: ReplayMatching =
      rest[0] == ".path"
      ? [.method, .path, .query, .differingBodies] : [.method, .scheme, .host, .port, .query, .differingBodies]
    #expect(cure == "matching: \(matching)")
    let stubs = replay(HTTPArchive(entries: recorded), matching: matching, in: other, at: StubLocation())
    #expect(live.map { other.answerer(of: $0).flatMap { found in stubs.firstIndex { $0 === found } } } == [0, 1, nil])
  }

  @Test("prints as Swift, and as it is written")
  func printing() {
    for (recorded, text) in [
      (
        "https://u:p@a.com:8443/x?b=2&a=REDACTED#f",
        #"isMethod(.get) && isURL("https://a.com:8443/x") && hasExactQuery(["a": "REDACTED", "b": "2"])"#
      ),
      (
        "/REDACTED",
        #"isMethod(.get) && isScheme("http") && isHost("a.com") && isPort(80) && "#
          + ##"pathMatches("^\\/[^/]+$") && hasExactQuery([:])"##
      ),
    ] {
      let stubs = replay(HTTPArchive(entry(asked(recorded))), in: StubRegistry())
      #expect(stubs[0].condition.description == text, "\(recorded)")
    }
    #expect("\(ReplayMatching.default)" == ".default")
    let matching: ReplayMatching = [.method, .url, .body, .headers(["Accept", "X-A"])]
    #expect("\(matching)" == #"[.method, .url, .body, .headers(["accept", "x-a"])]"#)
    #expect("\([.path, .method] as ReplayMatching)" == "[.method, .path]")
    #expect("\([.path, .differingBodies, .method] as ReplayMatching)" == "[.method, .path, .differingBodies]")
    #expect([.method, .url, .differingBodies] as ReplayMatching == .default)
    #expect([.scheme, .host, .port, .path, .query] as ReplayMatching == .url)
    #expect([.url, .path, .headers(["a"])] as ReplayMatching == [.headers(["A"]), .url])
  }
}
