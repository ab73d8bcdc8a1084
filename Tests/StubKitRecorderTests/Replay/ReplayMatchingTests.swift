import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("What a request has in common with the entry that answers it", .inTurn)
struct ReplayMatchingTests {
  struct Row: CustomTestStringConvertible {
    let recorded: [URLRequest]
    let live: URLRequest
    /// The numbers of the entries that answer, one after the other, should the request come again and again.
    let answer: [Int]
    var matching = ReplayMatching.default
    let ignoring: [IgnoredPart]
    let what: String

    init(
      _ what: String, _ recorded: [URLRequest], _ live: URLRequest, _ answer: [Int],
      _ matching: ReplayMatching = .default, ignoring: IgnoredPart...
    ) {
      (self.what, self.recorded, self.live, self.answer, self.matching) = (what, recorded, live, answer, matching)
      self.ignoring = ignoring
    }

    var testDescription: String { what }
  }

  private static let json = "application/json"
  private static let form = "application/x-www-form-urlencoded"

  private static func graphQL(_ name: String, _ id: Int, document: String? = nil) -> URLRequest {
    post(
      #"{"operationName": "\#(name)", "query": "\#(document ?? "query \(name) { a }")", "variables": {"id": \#(id)}}"#,
      contentType: json)
  }

  private static func multipart(_ boundary: String, _ text: String) -> URLRequest {
    post(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(text)\r\n--\(boundary)--\r\n",
      contentType: "multipart/form-data; boundary=\(boundary)")
  }

  static let heads: [Row] = [
    Row("the same URL", [request("http://a.com/x")], request("http://a.com/x"), [1]),
    Row("a host in another case", [request("http://a.com/x")], request("http://A.com/x"), [1]),
    Row("the scheme's own port", [request("http://a.com/x")], request("http://a.com:80/x"), [1]),
    Row("another method", [request("http://a.com/x")], request("http://a.com/x", method: "DELETE"), []),
    Row("another scheme", [request("http://a.com/x")], request("https://a.com/x"), []),
    Row("another host", [request("http://a.com/x")], request("http://b.com/x"), []),
    Row("another port", [request("http://a.com:1/x")], request("http://a.com:2/x"), []),
    Row("another path", [request("http://a.com/x")], request("http://a.com/y"), []),
    Row("a query in another order", [request("http://a.com/?b=2&a=1")], request("http://a.com/?a=1&b=2"), [1]),
    Row("a query where none was", [request("http://a.com/x")], request("http://a.com/x?a=1"), []),
    Row("no query where one was", [request("http://a.com/x?a=1")], request("http://a.com/x"), []),
    Row("an item more often", [request("http://a.com/?a=1")], request("http://a.com/?a=1&a=1"), []),
    Row("a percent-encoded value", [request("http://a.com/?q=%C3%A9")], request("http://a.com/?q=e%CC%81"), [1]),
    Row("user information and fragment", [request("http://u:p@a.com/x#f")], request("http://a.com/x"), [1]),
    Row(
      "another header", [request("http://a.com/", headers: ["Accept": "a"])],
      request("http://a.com/", headers: ["Accept": "b"]), [1]),
    Row("another body, of one that was recorded", [post("a")], post("b"), [1]),
    Row(
      "a path of its own", [request("http://a.com/x"), request("http://a.com/y")], request("http://a.com/y"), [2]),
  ]

  static let bodies: [Row] = [
    Row("JSON by value", [post("[1]"), post(#"{"b": 1.0, "a": 2}"#)], post(#"{"a":2,"b":1}"#), [2]),
    Row("JSON that was not recorded", [post("[1]"), post("[2]")], post("[3]"), []),
    Row(
      "a form by value", [post("a=1", contentType: form), post("b=2&c=+", contentType: form)], post("c=%20&b=2"), [2]),
    Row("a form without a Content-Type", [post("a=1"), post("b=2&c=3")], post("c=3&b=2"), [2]),
    Row("other bodies by their bytes", [post("one two"), post("one  two")], post("one  two"), [2]),
    Row("no body", [post("[1]"), post("")], request("http://a.com/", method: "POST"), [2]),
    Row(
      "a multipart body with another boundary", [multipart("x1", "a"), multipart("y2", "b")], multipart("z3", "b"), [2]),
    Row("another multipart body", [multipart("x1", "a"), multipart("y2", "b")], multipart("z3", "c"), []),
    Row("an operation by name", [graphQL("A", 1), graphQL("B", 1)], graphQL("B", 7, document: "query B { b }"), [2]),
    Row("an operation's variables, if there are several", [graphQL("A", 1), graphQL("A", 2)], graphQL("A", 2), [2]),
    Row("variables that were not recorded", [graphQL("A", 1), graphQL("A", 2)], graphQL("A", 3), []),
    Row("an operation without a document's name", [graphQL("A", 1)], graphQL("B", 1), [], [.url, .body]),
    Row(
      "a search that is no GraphQL", [post(#"{"query": "a"}"#), post(#"{"query": "b"}"#)], post(#"{"query":"b"}"#), [2]),
  ]

  static let chosen: [Row] = [
    Row("the path alone", [request("http://a.com/x?a=1")], request("https://b.org/x", method: "PUT"), [1], [.path]),
    Row("the host alone", [request("http://a.com/x?a=1")], request("https://a.com/y"), [1], [.host]),
    Row("the scheme alone", [request("http://a.com/x")], request("https://a.com/x"), [], [.scheme]),
    Row("the port alone", [request("http://a.com:1/x")], request("http://b.com:1/y"), [1], [.port]),
    Row("the query alone", [request("http://a.com/?a=1")], request("http://b.com/?a=1"), [1], [.query]),
    Row("nothing", [request("http://a.com/")], request("http://b.com/"), [1], []),
    Row(
      "the URL, without the method", [request("http://a.com/")], request("http://a.com/", method: "PUT"), [1], [.url]),
    Row("the one body", [post("[1]")], post("[2]"), [], [.method, .url, .body]),
    Row("the URL, whatever the bodies", [post("[1]"), post("[2]")], post("[3]"), [1, 2, 2], [.url]),
    Row(
      "a header", [request("http://a.com/", headers: ["Accept": "a"])],
      request("http://a.com/", headers: ["accept": "a"]),
      [1], [.url, .headers(["ACCEPT"])]),
    Row(
      "a header's value", [request("http://a.com/", headers: ["Accept": "a"])],
      request("http://a.com/", headers: ["Accept": "b"]), [], [.url, .headers(["Accept"])]),
    Row(
      "a header that was not there", [request("http://a.com/")], request("http://a.com/", headers: ["Accept": "b"]), [],
      [.url, .headers(["Accept"])]),
  ]

  static let redacted: [Row] = [
    Row("a query item", [request("http://a.com/?t=REDACTED&a=1")], request("http://a.com/?a=1&t=s3cret"), [1]),
    Row(
      "a part of an item", [request("http://a.com/?t=Bearer%20REDACTED")], request("http://a.com/?t=Bearer%20s3cret"),
      [1]),
    Row("an item without it", [request("http://a.com/?t=Bearer%20REDACTED")], request("http://a.com/?t=Bearer%20"), []),
    Row("a query item that is not there", [request("http://a.com/?t=REDACTED&a=1")], request("http://a.com/?a=1"), []),
    Row("an item beside it", [request("http://a.com/?t=REDACTED&a=1")], request("http://a.com/?t=s&a=2"), []),
    Row("two items of one name", [request("http://a.com/?t=REDACTED&t=1")], request("http://a.com/?t=1&t=1"), [1]),
    Row("a path's segment", [request("http://a.com/u/REDACTED/x")], request("http://a.com/u/4%2042/x"), [1]),
    Row(
      "a token in a path", [request("http://a.com/u/eyJhIjoxfQ.eyJiIjoyfQ.UkVEQUNURUQ/x")],
      request("http://a.com/u/eyJhIjoxfQ.eyJiIjoyfQ.UkVEQUNURUQ/x"), [1]),
    Row("a part of a host", [request("http://REDACTED.a.com/")], request("http://tenant.a.com/"), [1]),
    Row("another host", [request("http://REDACTED.a.com/")], request("http://tenant.b.com/"), []),
    Row("an empty segment", [request("http://a.com/u/REDACTED")], request("http://a.com/u/"), []),
    Row("no segment", [request("http://a.com/u/REDACTED")], request("http://a.com/u"), []),
    Row("an empty value", [request("http://a.com/?t=REDACTED")], request("http://a.com/?t="), []),
    Row("no value", [request("http://a.com/?t=REDACTED")], request("http://a.com/?t"), []),
    Row(
      "a header of another scheme", [request("http://a.com/", headers: ["Authorization": "Bearer REDACTED"])],
      request("http://a.com/", headers: ["Authorization": "Basic 3"]), [], [.url, .headers(["Authorization"])]),
    Row("more than a segment", [request("http://a.com/u/REDACTED/x")], request("http://a.com/u/4/2/x"), []),
    Row(
      "a form's field", [post("a=1", contentType: form), post("user=ann&password=REDACTED", contentType: form)],
      post("password=s3cret&user=ann", contentType: form), [2]),
    Row(
      "another user's form", [post("a=1", contentType: form), post("user=ann&password=REDACTED", contentType: form)],
      post("password=s3cret&user=bob", contentType: form), []),
    Row(
      "a JSON string", [post("[]"), post(#"{"user": {"pin": "REDACTED", "name": "ann"}}"#)],
      post(#"{"user": {"name": "ann", "pin": "4711"}}"#), [2]),
    Row(
      "a JSON number", [post("[]"), post(#"{"user": {"pin": 1999900001, "name": "ann"}}"#)],
      post(#"{"user": {"name": "ann", "pin": 4711}}"#), [2]),
    Row(
      "a JSON value of another kind", [post("[]"), post(#"{"user": {"pin": "REDACTED", "name": "ann"}}"#)],
      post(#"{"user": {"name": "ann", "pin": {"digits": [1, 2]}}}"#), []),
    Row(
      "a JSON value that is not there", [post("[]"), post(#"{"user": {"pin": "REDACTED", "name": "ann"}}"#)],
      post(#"{"user": {"name": "ann"}}"#), []),
    Row(
      "a part of a text", [post("x"), post("hello REDACTED, bye REDACTED!")], post("hello ann\n, bye bob!"), [2]),
    Row("another text", [post("x"), post("hello REDACTED, bye REDACTED!")], post("hello ann, bye bob?"), []),
    Row(
      "a header", [request("http://a.com/", headers: ["Authorization": "REDACTED"])],
      request("http://a.com/", headers: ["Authorization": "Bearer x"]), [1], [.url, .headers(["Authorization"])]),
    Row(
      "a header that is not there", [request("http://a.com/", headers: ["Authorization": "REDACTED"])],
      request("http://a.com/"), [], [.url, .headers(["Authorization"])]),
    Row("user information", [request("http://REDACTED:REDACTED@a.com/")], request("http://ann:s3cret@a.com/"), [1]),
    Row(
      "what differs by nothing else, in order",
      [request("http://a.com/?t=REDACTED"), request("http://a.com/?t=REDACTED")], request("http://a.com/?t=x"),
      [1, 2, 2]),
    Row(
      "bodies that differ by nothing else, in order", [post(#"{"pin": "REDACTED"}"#), post(#"{"pin": "REDACTED"}"#)],
      post(#"{"pin": "1"}"#), [1, 2, 2]),
    Row(
      "the placeholder of one of them", [request("http://a.com/?t=REDACTED"), request("http://a.com/?t=REDACTED-2")],
      request("http://a.com/?t=REDACTED-2"), [2, 2]),
    Row(
      "variables of an operation",
      [graphQL("A", 1), post(#"{"query": "query A { a }", "variables": {"id": 1999900001}}"#)],
      graphQL("A", 3), [2]),
  ]

  @Test("is method and URL, and the body where there are several")
  func byDefault() {
    for row in Self.heads + Self.bodies {
      check(row)
    }
  }

  @Test("is what the matching names")
  func named() {
    for row in Self.chosen {
      check(row)
    }
  }

  @Test("is only that it is there, of what was redacted")
  func presence() {
    for row in Self.redacted {
      check(row)
    }
  }

  func check(_ row: Row) {
    let registry = StubRegistry()
    let archive = HTTPArchive(entries: row.recorded.map { entry($0) })
    let stubs = replay(
      archive, matching: row.matching, ignoring: row.ignoring, in: registry, at: StubLocation())
    #expect(stubs.count == row.recorded.count, "\(row.what)")
    // The condition, the index and the reports are three ways to say the same.
    var numbers: [Int] = []
    for _ in 0..<max(1, row.answer.count) {
      let found = registry.stub(matching: row.live)
      let scanned = stubs.first { !$0.isUsedUp && $0.condition.matches(row.live) }
      #expect(found === scanned, "\(row.what)")
      guard let found else { break }
      _ = found.claim()
      if found.isUsedUp { registry.withdraw(found) }
      numbers.append(stubs.firstIndex { $0 === found }! + 1)
    }
    #expect(numbers == row.answer, "\(row.what)")
    for stub in stubs {
      var facts = RequestFacts(row.live)
      let matches = stub.condition.matches(row.live)
      #expect(stub.condition.report(&facts).matches == matches, "\(row.what)")
      #expect((stub.condition.explainMismatch(&facts).distance == 0) == matches, "\(row.what): \(stub)")
      #expect(matches || !stub.condition.report(&facts).mismatches.isEmpty, "\(row.what)")
    }
  }

  @Test("prints as Swift")
  func description() {
    for (recorded, text) in [
      (request("https://a.com/x"), #"isMethodGET() && isURL("https://a.com/x") && hasExactQuery([:])"#),
      (
        request("https://u:p@a.com:8443/x?b=2&a=REDACTED#f"),
        #"isMethodGET() && isURL("https://a.com:8443/x") && hasExactQuery(["a": "REDACTED", "b": "2"])"#
      ),
      (
        request("http://a.com/REDACTED"),
        ##"isMethodGET() && isScheme("http") && isHost("a.com") && isPort(80) && pathMatches("^\\/[^/]+$") && hasExactQuery([:])"##
      ),
    ] {
      #expect(
        replay(HTTPArchive(entries: [entry(recorded)]), in: StubRegistry())[0].condition.description == text, "\(text)")
    }
  }

  @Test("is a set that prints as it is written")
  func printing() {
    #expect("\(ReplayMatching.default)" == ".default")
    let matching: ReplayMatching = [.method, .url, .body, .headers(["Accept", "X-A"])]
    #expect("\(matching)" == #"[.method, .url, .body, .headers(["accept", "x-a"])]"#)
    #expect("\([.path, .method] as ReplayMatching)" == "[.method, .path]")
    #expect([.scheme, .host, .port, .path, .query] as ReplayMatching == .url)
    #expect([.url, .path, .headers(["a"])] as ReplayMatching == [.headers(["A"]), .url])
  }
}
