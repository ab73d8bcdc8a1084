import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a request lacks", .inTurn)
struct MismatchTests {
  private static let get = request(
    "http://api.a.com/users/43?pge=2&q=x&tag=a&tag",
    headers: ["Acept": "text/html", "Cookie": "sid=1; theme=dark", "X-Key": "k1"])
  private static let form = post("user=ann&pasword=x", contentType: "application/x-www-form-urlencoded")
  private static let parts = post(
    "--b\r\nContent-Disposition: form-data; name=\"avtar\"\r\nContent-Type: image/png\r\n\r\nx\r\n--b--",
    contentType: "multipart/form-data; boundary=b")

  private static let related = post(
    "--x\r\nContent-ID: <meta>\r\n\r\n{}\r\n--x\r\nContent-Type: image/png\r\n\r\n1\r\n--x--",
    contentType: "multipart/related; boundary=x")
  private static let bearer = request("http://a.com/", headers: ["Authorization": "Bearer abc"])

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("of a long body is found in milliseconds", arguments: [1_000_000, 5_000_000])
  func longBody(count: Int) {
    // Three bodies that differ in the last byte, as bytes, and two as a part.
    let bodies = (0..<3).map { Data(repeating: 0xFF, count: count) + [UInt8($0)] }
    let boundary = Data("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
    var sent = post("", contentType: "multipart/form-data; boundary=b")
    sent.httpBody = boundary + Data(repeating: 0xFF, count: count) + [3] + Data("\r\n--b--".utf8)
    var bytes = sent
    bytes.httpBody = Data(repeating: 0xFF, count: count) + [3]
    var (facts, multipart) = (RequestFacts(bytes), RequestFacts(sent))
    _ = multipart.multipart
    let start = Self.processorTime
    let results = bodies.map { hasBody($0).node.explainMismatch(&facts) }
    let parts = bodies.prefix(2).map { hasMultipartPart(named: "a", data: $0).node.explainMismatch(&multipart) }
    // A loop over the bytes takes a second here.
    #expect(Self.processorTime - start < 0.1)
    for result in results {
      #expect(result.mismatches.first?.note == "they differ from byte \(count) on", "\(result.mismatches)")
    }
    for part in parts {
      #expect(part.mismatches.first?.actual == "\(count + 1) bytes, which differ from byte \(count) on")
    }
  }

  @Test("of a body is the first byte that differs", arguments: [0, 1, 2, 7, 8, 9, 100, 255, 256, 999])
  func firstDifference(place: Int) {
    let body = Data(repeating: 0xFF, count: 1_000)
    var other = body
    other[place] = 1
    for (sent, wanted) in [(other, body), (body, other), (Data(body.prefix(place)) + [0x80, 1], body)] {
      var request = post("", contentType: "image/png")
      request.httpBody = sent
      var facts = RequestFacts(request)
      let note = hasBody(wanted).node.explainMismatch(&facts).mismatches.first?.note
      #expect(note == "they differ from byte \(place) on", "\(sent.count)")
    }
  }

  private static let ofGet: [RequestMatcher] = [
    isMethod(.post), isScheme("https"), isHost("API.b.com"), hostEndsWith("b.com"), isPort(8080), isPath("/users/42"),
    pathStartsWith("/posts"), pathEndsWith("/42"), pathMatches("^/u$"), pathMatches(/^\/films$/),
    isPath(template: "/users/{id}/posts"), isPath(template: "/users/{id:[a-z]+}"),
    isPath(template: "/users/43/{rest...}"), hasPathExtension("json"),
    .absoluteURL("http://api.a.com/users/43"), isURL("http://api.a.com/users/42"),
    isURL("https://api.b.com/users/43?pge=2&q=x&tag=a&tag&tag"), isURL("http://api.a.com/users/43?pge=2&q=x"),
    isURL("http://api.a.com/users/43?"), isURL("http://api.a.com/users/43?pge=2&query=x"),
    hasBaseURL("http://api.a.com/v1/"),
    !isURL("http://api.a.com/users/43"), !hasBaseURL("http://api.a.com/"),
    urlMatches("/43?pge=[0-9]+&q"), queryMatches("page", "^[0-9]$"),
    queryMatches("q", "^[0-9]$"), containsQuery("page", "2"), containsQuery("page"),
    containsQuery("tag", "b"), containsQuery(["q": "y", "pge": "2", "page": nil]),
    hasExactQuery(["page": "2", "q": "x"]), !containsQuery("q"), hasHeader("Accept", "text/html"),
    hasHeader("Host", "api.a.com"), hasHeader("X-Key", "k2"), headerMatches("X-Key", "^z"),
    hasCookie("sid", "2"), hasCookie("id"), hasBody(Data("abc".utf8)), hasFormBody(["user": "bob"]),
    hasJSON(at: "a", equals: 1),
    isPath("/a") && isMethod(.post) || isPath("/users/42") && isPort(80) || isHost("b"), !isPath("/users/43"),
    !hasHeader("X-Key"), hasHeader("X-Keys"), !(isPath("/users/43") || isPort(81)),
    !(isPath("/users/43") && isPort(80)), !(!isPath("/users/42")), .nothing, RequestMatcher("odd") { _ in false },
    isHost("api.a.com") && { _ in false },
  ]

  private static let others: [(RequestMatcher, URLRequest)] = [
    (hasBasicAuth(user: "ann", password: "x"), request("http://a.com/", headers: ["Authorization": "Basic YW5uOnk="])),
    (hasFormBody(["user": "bob", "password": "x"]), form), (hasJSONBody(["user": "bob"]), form),
    (hasMultipartPart(named: "avatar"), parts),
    (hasMultipartPart(named: "avtar", filename: "b.png", value: "y"), parts),
    (hasMultipartPart(named: "avtar", contentType: "image/jpeg"), parts),
    (hasMultipartPart(named: "avtar", data: Data([0xFF])), parts), (hasMultipartPart(named: "a"), related),
    (hasBearerToken("abd"), bearer), (!hasBearerToken(), bearer), (hasBearerToken(), request("http://a.com/")),
    (hasMultipartPart(named: "a"), post("x", contentType: "text/plain")),
    (hasBearerToken("abc"), request("http://a.com/", headers: ["Authorization": "abc"])),
    (hasBearerToken(), request("http://a.com/", headers: ["Authorization": "Basic abc"])),
    (hasHeader("Content-Type", "application/json"), post("", contentType: "application/json; charset=utf-8")),
    (hasHeader("Accept", "a.b/c+d"), request("http://a.com/", headers: ["Accept": "x/y, a.b/c+d ;q=0.9"])),
    (hasHeader("Content-Length"), post("x")), (hasHeader("user-agent"), get), (hasHeader("Host"), request("foo://a/")),
    (isURL("http://a.com/f/a%2Fb"), request("http://a.com/f/a%252Fb")),
    (any("/f/a%2Fb"), request("http://a.com/f/a/b")),
    (any("/f/a/b"), request("http://a.com/f/a%2Fb")), (hasBaseURL("http://a.com/f/a"), request("http://a.com/f/a%2Fb")),
    (isPath(template: "/{a}"), request("http://a.com/a/../b/c")), (isPath("/a/b"), request("http://a.com/a/../b")),
    (isGraphQL(operation: "A"), request("http://a.com/?operationName=A", method: "PUT")),
    (hasFormBody(["user": "bob"]), parts),
    (isPath("/caf\u{E9}"), request("http://a.com/cafe%CC%81")),
    (isPath(template: "/cafe\u{301}/{x}"), request("http://a.com/caf%C3%A9/1")),
    (isURL("http://a.com/\u{E9}?\u{E9}=1"), request("http://a.com/e%CC%81?e%CC%81=1")),
    (containsQuery("\u{E9}", "1"), request("http://a.com/?e%CC%81=1")),
    (containsQuery("q", "\u{AC01}"), request("http://a.com/?q=%E1%84%80%E1%85%A1%E1%86%A8")),
    (containsQuery("q", "K"), request("http://a.com/?q=%E2%84%AA")),
    (containsQuery("q", "\u{E9}e\u{301}"), request("http://a.com/?q=%C3%A9e%CC%81x")),
    (hasHeader("X-Key", "\u{212B}"), request("http://a.com/", headers: ["X-Key": "\u{C5}"])),
  ]

  private static func any(_ url: String) -> RequestMatcher { RequestMatcher(.any, url) }

  private static let ofBodies: [(RequestMatcher, body: String)] = [
    (hasBody(Data("abc".utf8)), "abd"), (bodyContains("x\ny"), "abd"), (hasFormBody(["user": "bob"]), "hello"),
    (hasFormBody(["user": "bob"]), #"{"user": "bob"}"#),
    (hasFormBody(URLQueryItem(name: "a", value: "1"), URLQueryItem(name: "a", value: "1")), "a=1"),
    (isGraphQL(operation: "GetUser"), #"{"query": "query GetUsers { a }"}"#),
    (isGraphQL(operation: "GetUser"), "{}"),
    (hasJSONBody(["a": 1]), "{}"),
    (hasJSONBody(["user": ["address": [["zip": "1010"]]]]), #"{"user": {"address": [{"zip": "1020"}]}}"#),
    (hasJSONBody(["id": 42]), #"{"id": "42"}"#),
    (hasJSONBody(["zip_code": "1", "b": 1]), #"{"zipCode": "1", "b": 1}"#), (hasJSONBody([1, 2]), "[1, 3, 4]"),
    (hasJSONBody(containing: ["a": [1]]), #"{"a": []}"#), (hasJSONBody(["a.b": ["": 1]]), #"{"a.b": {"": 2}}"#),
    (hasJSONBody(["a": ["b": 1]]), #"{"a": 1}"#),
    (hasJSON(at: "a.b[0].c", equals: 1), #"{"a": {"b": [{"c": 2}]}}"#),
    (hasJSON(at: "user.e\u{301}", equals: 1), "{\"user\": {\"\u{E9}\": 1}}"),
    (hasJSON(at: "/user/nme", equals: 1), #"{"user": {"name": 1}, "nme": 1}"#),
    (hasJSONBody(["a": 1]), #"{"a": 1"#),
    (hasJSONBody(["name": "\u{E9}"]), "{\"name\": \"e\u{301}\"}"), (hasJSONBody(["e\u{301}": 1]), "{\"\u{E9}\": 1}"),
    (bodyContains("\u{E9}"), "cafe\u{301}"), (hasFormBody(["a": "\u{E9}"]), "a=e\u{301}"),
    (isGraphQL(operation: "\u{E9}"), "{\"operationName\": \"e\u{301}\"}"),
    (hasJSONBody(["at": 721_692_800]), #"{"at": "2023-11-14T22:13:20Z"}"#),
    (hasJSONBody(["at": 721_692_800]), #"{"at": 1700000000}"#),
    (hasJSONBody(["at": 1]), #"{"at": "2023"}"#),
    (hasBody(Data("é".utf8)), "e\u{301}"), (hasBody(Data([0xFF, 1, 2])), "a\u{1}\u{2}"),
    (hasBody(Data(repeating: 0x61, count: 5_000)), String(repeating: "a", count: 4_999) + "\t"),
  ]

  /// What is said of them is in `Fixtures/mismatches.txt`, below the condition.
  static let rows = ofGet.map { ($0, get) } + others + ofBodies.map { ($0, post($1)) }

  @Test("is told part by part, in the words of a fixture")
  func row() throws {
    try expectTexts(
      Self.rows.map { matcher, request in
        (["\(matcher)"] + matcher.mismatches(request).map { "  \($0)" }).joined(separator: "\n")
      }, in: "mismatches")
  }

  @Test("never looks the same in what was expected and in what came")
  func neverAlike() {
    for (matcher, request) in Self.rows {
      for mismatch in matcher.mismatches(request) {
        #expect(mismatch.actual?.isSame(as: mismatch.expected) != true, "\(matcher): \(mismatch)")
      }
    }
  }

  @Test("has the part's name, what was expected, and what came, or nil for a part that is missing")
  func properties() {
    let mismatches = (isPath("/users/42") && hasHeader("B")).mismatches(request("http://a.com/users/43"))
    #expect(mismatches.map(\.criterion) == ["path", "header B"])
    #expect(mismatches.map(\.expected) == ["/users/42", "any value"])
    #expect(mismatches.map(\.actual) == ["/users/43", nil])
  }

  @Test(
    "is told with the Content-Encoding of a body, unless that is identity",
    arguments: [
      hasJSON(at: "a", equals: 1), hasFormBody(["a": "b"]), hasJSONBody(as: [Int].self) { _ in true },
      bodyContains("a"), hasMultipartPart(named: "a"), isGraphQL(operation: "A"),
    ])
  func compressed(condition: RequestMatcher) {
    func report(coding: String) -> String {
      var request = post("", contentType: "multipart/form-data; boundary=b")
      request.httpBody = Data([0x1F, 0x8B, 0x08, 0x3D, 0x26])
      request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
      return condition.mismatches(request).map(\.description).joined()
    }
    #expect(report(coding: "gzip").hasSuffix("; its Content-Encoding is gzip, and bodies are compared as sent"))
    #expect(report(coding: "br").hasSuffix("; its Content-Encoding is br, and bodies are compared as sent"))
    #expect(!report(coding: "identity").contains("Content-Encoding"))
  }

  @Test(
    "is any part of a URL if it has none",
    arguments: [isPath("/"), isHost("a"), hasExactQuery([:]), isPort(80)])
  func withoutURL(matcher: RequestMatcher) {
    var request = request("http://a/")
    request.url = nil
    #expect(matcher.mismatches(request).map(\.actual) == [nil])
  }

  @Test("of two long texts is told in 100 characters, with those around the difference")
  func longTexts() {
    let same = String(repeating: "abcdefghij/", count: 40)
    let line = hasJSONBody(StubJSON("\(same)2\(same)")).mismatches(post("\"\(same)1\(same)\""))[0].description
    #expect(line.count <= 100)
    #expect(line.contains("cdefghij/2abc"), "\(line)")
    #expect(line.contains("cdefghij/1abc"), "\(line)")
  }

  @Test("of a long path is told in 100 characters, and shows its beginning")
  func longPath() {
    let long = String(repeating: "abcdefghij/", count: 40)
    let line = isPath("/x").mismatches(request("http://a.com/\(long)"))[0].description
    #expect(line.count <= 100)
    #expect(line.hasPrefix("path: expected /x, got /abcdefghij/"), "\(line)")
    #expect(line.contains("…"), "\(line)")
  }

  @Test("is told on one line, with escapes for what breaks it or gives a terminal orders")
  func controlCharacters() {
    let request = request("http://a.com/a%0Ab%1B%5B2J")
    #expect(isPath("/x").mismatches(request)[0].description == #"path: expected /x, got "/a\nb\u{1B}[2J""#)
    let closure = RequestMatcher("two\nlines\u{1B}[31m") { _ in false }
    let line = closure.mismatches(request)[0].description
    #expect(!line.unicodeScalars.contains { ["\n", "\u{1B}"].contains($0) }, "\(line)")
    let escaped = "a\u{1B}[31m\r\u{85}b\u{2028}".onOneLine
    #expect(!escaped.unicodeScalars.contains { ["\u{1B}", "\r", "\u{85}", "\u{2028}"].contains($0) }, "\(escaped)")
  }

  @Test("of an object with 300 other members is told for the first 100")
  func manyMembers() {
    func object(_ prefix: String) -> StubJSON {
      .object(Dictionary(uniqueKeysWithValues: (100..<400).map { ("\(prefix)\($0)", StubJSON($0)) }))
    }
    let lines = hasJSONBody(object("a")).mismatches(post("\(object("b"))")).map(\.description)
    #expect(lines.count == 100)
    #expect(lines.first == "body at a100: expected 100, missing; found b100, b101, b102 and 297 more")
  }

  private static let user = request(
    "https://api.example.com/users/43?page=2", headers: ["Accept": "text/html", "Cookie": "sid=abcdefghij"])

  /// Each nearer than the next.
  static let orders: [[RequestMatcher]] = [
    [isPath("/users/43"), isPath("/users/42"), isPath("/users/me"), isPath("/posts/me"), isPath("/health")],
    [
      isPath("/users/43") && isMethod(.post), isPath("/users/43") && isHost("cdn.example.com"),
      isPath("/users/43") && isHost("elsewhere.org"),
    ],
    [isHost("api.exmaple.com"), isHost("api.other.org"), isHost("localhost")],
    // An insertion or a deletion is one edit, and a segment of another name less than letters of two.
    [isHost("ap.example.com"), isHost("apiss.example.com"), isHost("bpi.exbmple.com")],
    [isPath("/users/everybody-else"), isPath("/uabcd/53")],
    [
      isURL("https://api.example.com/users/43?page=2"), isURL("https://api.example.com/users/43?page=3"),
      isURL("https://api.example.com/health"), isURL("https://elsewhere.org/health"),
    ],
    [
      hasBaseURL("https://api.example.com/users"), hasBaseURL("https://api.example.com/user"),
      hasBaseURL("https://elsewhere.org"),
    ],
    [isPath(template: "/users/{id}"), isPath(template: "/user/{id}"), isPath(template: "/a/{b}/c/{d}/e")],
    [isPath(template: "/{rest...}"), isPath(template: "/user/{rest...}"), isPath(template: "/a/{b}/c/{rest...}")],
    [containsQuery("page", "2"), containsQuery("page", "3"), containsQuery("pge", "2")],
    [hasCookie("sid", "abcdefghiX"), hasCookie("sid", "0"), hasCookie("id")],
    [RequestMatcher("asked by nobody") { _ in true }, isMethod(.post), isScheme("http"), isPath("/health"), .nothing],
    [isPath("/users/42") || isHost("x"), isPath("/health") || isHost("x")],
    [!isPath("/users/43"), !isPath("/users/43") && !isHost("api.example.com")],
  ]

  @Test("is less for a stub that is nearer, which the report names first")
  func order() {
    for conditions in Self.orders { expectNearestFirst(conditions, Self.user) }
    let bodies = [
      hasJSONBody(["a": 1, "b": 2, "c": ["d": 3]]), hasJSONBody(["a": 1, "b": 2, "c": ["d": 4]]),
      hasJSONBody(["a": 1, "b": 3, "c": ["d": 4]]), hasJSONBody(["x": 1]), hasMultipartPart(named: "x"),
    ]
    expectNearestFirst(bodies, post(#"{"a": 1, "b": 2, "c": {"d": 3}}"#))
  }

  private func expectNearestFirst(_ conditions: [RequestMatcher], _ request: URLRequest) {
    for (nearer, farther) in zip(conditions, conditions.dropFirst()) {
      let registry = StubRegistry()
      let nearest = stub(condition: nearer, response: .status(204), in: registry)
      // Of equally near stubs, the newer one would come first.
      stub(condition: farther, response: .status(204), in: registry)
      let error = UnmatchedRequestError(RequestFacts(request), in: registry)
      #expect(error.nearest.first?.stub === nearest, "\(nearer) is nearer than \(farther)")
    }
  }

  /// All conditions of these tables, with all requests.
  private func forEachPair(_ test: (RequestMatcher, URLRequest, inout RequestFacts) -> Void) {
    let conditions = RequestMatcherTests.printed + Self.orders.flatMap { $0 } + Self.rows.map(\.0)
    let requests = RequestMatcherTests.urls.map { request($0) } + [Self.user] + Self.rows.map(\.1)
    for condition in conditions {
      for request in requests {
        var facts = RequestFacts(request)
        test(condition, request, &facts)
      }
    }
  }

  @Test("is nothing if the request meets the condition, and something if it doesn't")
  func nothing() {
    forEachPair { condition, request, facts in
      guard !condition.hasClosure else { return }
      let isMet = condition.matches(request)
      #expect(condition.node.explainMismatch(&facts).mismatches.isEmpty == isMet, "\(condition) \(request)")
    }
  }

  @Test("has a distance, which is zero if there is nothing, and the same if only that is asked for")
  func distance() {
    forEachPair { condition, request, facts in
      let distance = condition.node.explainMismatch(&facts, isDetailed: false).distance
      let result = condition.node.explainMismatch(&facts)
      #expect(result.distance == distance, "\(condition) \(request)")
      #expect((distance == 0) == result.mismatches.isEmpty, "\(condition) \(request)")
    }
  }
}
