import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Conditions that say the same, the requests that they match, and others.
///
/// `MatcherRow(isPort(80), at: "http://a.com/ http://a.com:/", not: "https://a.com")` says that the condition matches
/// GET requests for the first two URLs, and none for the third. In place of URLs, a row can have `bodies:` of a POST
/// with a `type:`, values of a header `field:`, or `methods:`, and `not:` has others of the same kind. Of several
/// conditions, each is checked with each request.
struct MatcherRow {
  let conditions: [RequestMatcher]
  let matched: [URLRequest]
  let others: [URLRequest]

  /// - Parameters:
  ///   - urls: Separated by spaces.
  init(_ conditions: RequestMatcher..., at urls: String, not others: String = "") {
    func requests(_ urls: String) -> [URLRequest] { urls.split(separator: " ").map { request(String($0)) } }
    (self.conditions, matched, self.others) = (conditions, requests(urls), requests(others))
  }

  init(_ conditions: RequestMatcher..., type: String? = nil, bodies: [String], not others: [String] = []) {
    self.init(conditions: conditions, type: type, bodies: bodies, not: others)
  }

  init(conditions: [RequestMatcher], type: String? = nil, bodies: [String], not others: [String] = []) {
    func requests(_ bodies: [String]) -> [URLRequest] { bodies.map { post($0, contentType: type) } }
    (self.conditions, matched, self.others) = (conditions, requests(bodies), requests(others))
  }

  init(_ conditions: RequestMatcher..., field: String, _ values: [String], not others: [String] = []) {
    func requests(_ values: [String]) -> [URLRequest] { values.map { request("http://a.com/", headers: [field: $0]) } }
    (self.conditions, matched, self.others) = (conditions, requests(values), requests(others))
  }

  init(_ condition: RequestMatcher, methods: [String], not others: [String], at url: String = "http://a.com/") {
    func requests(_ names: [String]) -> [URLRequest] { names.map { request(url, method: $0) } }
    (conditions, matched, self.others) = ([condition], requests(methods), requests(others))
  }
}

private struct Unencodable: Encodable {
  func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
}

@Suite("A matcher", .inTurn)
struct MatcherTableTests {
  private static let queries = [
    MatcherRow(
      containsQuery(["q": "1", "flag": nil, "empty": ""]),
      at: """
        http://a.com/?q=1&flag&empty= http://a.com/?empty=&x=y&&flag&q=1 ?flag&empty=&q=1 \
        http://a.com/?q=2&q=1&flag&empty= http://a.com/?%71=%31&flag&empty=
        """,
      not: """
        http://a.com/?q=1&flag=&empty= http://a.com/?q=1&flag&empty http://a.com/?q=2&flag&empty= http://a.com/?q=1&flag \
        http://a.com/#?q=1&flag&empty= http://a.com/;q=1&flag&empty= http://a.com/
        """),
    // A + is a plus, %20 a space, the first = ends the name.
    MatcherRow(containsQuery("x", "a+b"), hasExactQuery(["x": "a+b"]), at: "http://a.com/?x=a+b http://a.com/?x=a%2Bb"),
    MatcherRow(
      containsQuery("x", "a b"), hasExactQuery(["x": "a b"]), at: "http://a.com/?x=a%20b", not: "http://a.com/?x=a+b"),
    MatcherRow(containsQuery("x", "a=b"), hasExactQuery(["x": "a=b"]), at: "http://a.com/?x=a=b"),
    MatcherRow(containsQuery("%FF", "%FE"), hasExactQuery(["%FF": "%FE"]), at: "http://a.com/?%FF=%FE"),
    MatcherRow(
      containsQuery("x"), !(!containsQuery("x")), at: "http://a.com/?x http://a.com/?x= http://a.com/?y&x=1",
      not: "http://a.com/?X=1 http://a.com/?y=x http://a.com/x"),
    MatcherRow(
      hasExactQuery(["a": "1", "b": nil]),
      at: "http://a.com/?a=1&b http://a.com/?b&a=1 http://a.com/?b&&a=1 http://a.com/?a=1&b&a=1",
      not: "http://a.com/?a=1&b&a=2 http://a.com/?a=1 http://a.com/?a=1&b= http://a.com/?a=1&b&c"),
    MatcherRow(hasExactQuery([:]), at: "http://a.com/ http://a.com/?", not: "http://a.com/?a"),
    MatcherRow(containsQuery([:]), at: "http://a.com/ http://a.com/? http://a.com/?a"),
    // Nothing is taken for what looks like it.
    MatcherRow(containsQuery(["a=1": nil]), at: "http://a.com/?a%3D1", not: "http://a.com/?a=1"),
    MatcherRow(containsQuery(["a=1": "2"]), at: "", not: "http://a.com/?a=1=2"),
    MatcherRow(containsQuery(["a": "1=2"]), at: "http://a.com/?a=1=2 http://a.com/?a=1%3D2"),
    MatcherRow(containsQuery(["a&b": "1"]), at: "http://a.com/?a%26b=1", not: "http://a.com/?a&b=1"),
    MatcherRow(queryMatches("a", "^$"), at: "https://a.com/?a=", not: "https://a.com/?a"),
    MatcherRow(queryMatches("a", "^B", options: .caseInsensitive), at: "https://a.com/?a=bc"),
    MatcherRow(urlMatches("S3", options: .caseInsensitive), at: "https://films.s3.example/"),
    // Each segment is decoded by itself.
    MatcherRow(
      hasBaseURL("http://a.com/a%20b"), pathStartsWith("/a b"), at: "http://a.com/a%20b/%FF http://a.com/a%20b"),
    MatcherRow(isPath("/a b/%FF"), .absoluteURL("http://a.com/a%20b/%FF"), at: "http://a.com/a%20b/%FF"),
  ]

  private static let fields = [
    MatcherRow(hasHeader("X-FOO"), !(!hasHeader("x-foo")), field: "X-Foo", ["Bar", "bar", ""]),
    MatcherRow(hasHeader("X-FOO"), !(!hasHeader("x-foo")), field: "X-Bar", [], not: ["Bar"]),
    MatcherRow(hasHeader("X-Foo", "Bar"), field: "x-foo", ["Bar"], not: ["bar", ""]),
    // A value of a list, and a whole list in either form.
    MatcherRow(
      hasHeader("Accept", "text/html"), hasHeader("Accept", "*/*"), hasHeader("Accept", "text/html, */*"),
      hasHeader("Accept", "text/html,*/*"), field: "Accept", ["text/html,*/*", "text/html, */*"]),
    MatcherRow(hasHeader("Accept", "b, c"), field: "Accept", ["a, b,c"]),
    MatcherRow(hasHeader("Accept", "a"), field: "Accept", [], not: ["a;q=1, b"]),
    // A comma in quotes separates nothing, and neither does one of a field that is no list.
    MatcherRow(hasHeader("If-None-Match", #""a,b""#), field: "If-None-Match", [#""a,b", W/"c\",""#]),
    MatcherRow(hasHeader("If-None-Match", #""a""#), field: "If-None-Match", [], not: [#""a,b""#]),
    MatcherRow(hasHeader("X-Tag", "1"), field: "X-Tag", [", ,1"], not: ["12, 3"]),
    MatcherRow(hasHeader("X-Tag", ""), field: "X-Tag", [""], not: ["1,2"]),
    // The last quotation mark is not closed.
    MatcherRow(hasHeader("X-Tag", "a"), field: "X-Tag", [#"a,"z\"#]),
    MatcherRow(hasHeader("X-Tag", #"a,"z\"#), field: "X-Tag", [], not: ["a"]),
    MatcherRow(hasHeader("User-Agent", "A (KHTML"), field: "User-Agent", [], not: ["A (KHTML, like Gecko)"]),
    MatcherRow(hasHeader("user-agent", "A, b"), field: "user-agent", [" A, b "]),
    MatcherRow(
      hasHeader("If-Modified-Since", "Tue"), field: "If-Modified-Since", [], not: ["Tue, 15 Nov 1994 12:45:26 GMT"]),
    MatcherRow(hasHeader("Cookie", "a=1"), field: "Cookie", [], not: ["a=1, b=2"]),
    MatcherRow(hasHeader("Set-Cookie", "a=1"), field: "Set-Cookie", [], not: ["a=1, b=2"]),
    MatcherRow(
      hasCookie("a"), field: "Cookie", ["a=b", "x=y; a=b", "a=c", "a=", "a=\"b\"", "a=c; a=b"],
      not: ["A=b", "x=a=b", "a"]),
    MatcherRow(
      hasCookie("a", "b"), field: "Cookie", ["a=b", "x=y; a=b", "x=y;a=b ;z=1", "a=c; a=b"],
      not: ["a=c", "a=", "A=b", "x=a=b", "a", "a=\"b\""]),
    MatcherRow(
      hasBasicAuth(user: "u", password: "p:x"), field: "Authorization", ["Basic dTpwOng=", "basic  dTpwOng="],
      not: ["Bearer dTpwOng=", "Basic ***"]),
    MatcherRow(hasBasicAuth(user: "", password: ""), field: "Authorization", ["Basic Og=="], not: ["Basic"]),
    MatcherRow(
      hasBearerToken(), field: "Authorization", ["Bearer abc", "bearer  abc ", "BEARER abc", "Bearer ABC"],
      not: ["Bearer", "Bearer ", "Basic abc", "abc"]),
    MatcherRow(
      hasBearerToken("abc"), field: "Authorization", ["Bearer abc", "bearer  abc ", "BEARER abc"],
      not: ["Bearer ABC", "Bearer abc.def", "Bearer", "Basic abc", "abc"]),
  ]

  private static let methods =
    [
      ("GET", isMethodGET()), ("POST", isMethodPOST()), ("PUT", isMethodPUT()), ("PATCH", isMethodPATCH()),
      ("DELETE", isMethodDELETE()), ("HEAD", isMethodHEAD()), ("OPTIONS", isMethodOPTIONS()), ("FOO", isMethod("FOO")),
      // With case, but for the methods that URLRequest puts in upper case.
      ("GET", isMethod("get")), ("DELETE", isMethod("Delete")),
    ].map { name, matcher in
      let names = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "FOO"]
      return MatcherRow(matcher, methods: [name], not: names.filter { $0 != name })
    }

  /// A delimiter before a combining mark is a delimiter, but Swift compares both together.
  private static let marks: [MatcherRow] = {
    let mark = "\u{301}"
    // A byte order mark at the beginning is a part of the name.
    let credentials = [("\(mark)u", "\(mark)p"), ("\u{FEFF}u", "p")].map { user, password in
      MatcherRow(
        hasBasicAuth(user: user, password: password), field: "Authorization",
        ["Basic " + Data("\(user):\(password)".utf8).base64EncodedString()], not: ["Basic dTpw"])
    }
    return credentials + [
      MatcherRow(
        hasJSON(at: "/\(mark)a/\(mark)b/0", equals: 1), hasJSON(at: "\(mark)a.\(mark)b[0]", equals: 1),
        hasJSON(at: "[\"\(mark)a\"]['\(mark)b'][0]", equals: 1), hasJSON(at: "/~0\(mark)", equals: 2),
        hasJSON(at: "/~1\(mark)", equals: 3),
        bodies: ["{\"\(mark)a\": {\"\(mark)b\": [1]}, \"~\(mark)\": 2, \"/\(mark)\": 3}"]),
      // A mark is a scalar of its own, and so are both of a line break.
      MatcherRow(
        isPath(template: "/{a}\(mark)x{b}"), at: "http://h/-%CC%81xy http://h/a%CC%81xy",
        not: "http://h/-xy http://h/%C3%A1xy"),
      MatcherRow(isPath(template: "/e{a}"), pathStartsWith("/e"), at: "http://h/e%CC%81x", not: "http://h/%C3%A9x"),
      MatcherRow(pathEndsWith("\nb"), at: "http://h/%0D%0Ab"),
      MatcherRow(
        pathStartsWith("/"), pathStartsWith("/v1/"), pathStartsWith("/v1/\(mark)b"), pathEndsWith("\(mark)c"),
        pathEndsWith("/\(mark)c"), pathEndsWith("b/\(mark)c"), at: "http://h/v1/%CC%81b/%CC%81c"),
      MatcherRow(pathEndsWith("/\u{E9}"), at: "http://h/a/%C3%A9", not: "http://h/a/e http://h/a/e%CC%81"),
      MatcherRow(hasPathExtension("\(mark)x"), at: "http://h/a/%CC%81b.%CC%81x"),
      MatcherRow(
        hasCookie("a", "\(mark)1"), hasCookie("\(mark)b", "2"), hasCookie("c", "3"), field: "Cookie",
        ["a=\(mark)1;\(mark)b=2 ; c =\t3"]),
    ]
  }()

  @Test("with a malformed text, or a value that can't be encoded, is a mistake and matches nothing")
  func mistakes() {
    let paths = ["a..b", "a.", ".a", "a[", "a]", "a[x]", "a[0]b", "a[\"b]", "a.\u{301}b["]
    for matcher in paths.map({ hasJSON(at: $0, equals: 1) }) + [
      RequestMatcher(.any, ""), hasJSONBody(Unencodable()), hasJSON(at: "a", equals: Unencodable()),
      isPath("/a?\u{301}b=1"), isHost("a/\u{301}"), isHost("a:\u{301}80"), isScheme("http:\u{301}"),
      isPath(template: "/{a{\u{301}b}"), pathStartsWith("foo"), RequestMatcher(.get, "/a", where: isPath("a")),
      RequestMatcher(.get, "a", where: isPath("/a")),
    ] {
      #expect(matcher.mistake != nil && !matcher.isMet(by: request("http://a/")), "\(matcher)")
    }
  }

  @Test("matches the requests of its row and no others, alone, negated and as a stub's condition")
  func matches() {
    let ofURLs = Self.urls + Self.wholeURLs + Self.stubbedURLs + Self.paths + Self.lengths + Self.queries
    let ofBodies =
      Self.bodies + Self.formValues + Self.encoded + Self.places + Self.graphQL + Self.multipart + Self.lineBreaks
      + Self.scalars
    // With an index as it is, and with one whose keys all collide.
    for row in ofURLs + Self.fields + Self.methods + ofBodies + Self.marks {
      for condition in row.conditions {
        let registries = [.max, 0].map { StubRegistry(isEnabled: true, indexLimits: StubIndex.Limits(keyMask: $0)) }
        for registry in registries { stub(condition: condition, response: .status(204), in: registry) }
        for (request, isMatched) in row.matched.map({ ($0, true) }) + row.others.map({ ($0, false) }) {
          let comment: Comment = """
            \(condition): \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "") \
            \(request.allHTTPHeaderFields ?? [:]) \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))
            """
          #expect(condition.matches(request) == isMatched, comment)
          #expect((!condition).matches(request) == !isMatched, comment)
          #expect(registries.map { $0.answerer(of: request) != nil } == [isMatched, isMatched], comment)
        }
      }
    }
  }

  @Test("for a method, a URL and a condition is the same as matchers of each, joined by &&")
  func whereCondition() {
    let condition = RequestMatcher(.post, "https://a.com/orders?a=1", where: hasJSONBody(["id": 1]))
    let written =
      isMethod(.post) && isURL("https://a.com/orders") && containsQuery(["a": "1"]) && hasJSONBody(["id": 1])
    #expect(condition.description == written.description)
    func values(_ condition: RequestMatcher) -> [[String]]? {
      condition.requiredValues()?.map { values in values.map { "\($0)" } }
    }
    // The index of stubs finds both in the same places.
    #expect(values(condition) == values(written))
    #expect(condition.requiredValues()?.first?.isEmpty == false)
    #expect(condition.matches(request("https://a.com/orders?b&a=1", method: "POST", body: #"{"id": 1}"#)))
  }

  @Test("for a method and a URL keeps an escaped slash, in the path as in the base URL of a group")
  func escapedSlash() {
    #expect(RequestMatcher(.any, "/files/a%2Fb").description == #"isPath(template: "/files/a%2Fb")"#)
    stubs(on: hasBaseURL("http://a/x%2Fy"), in: StubRegistry()) {
      for matcher in [RequestMatcher(.any, "{id}"), RequestMatcher(.any, "1")] {
        #expect(matcher.matches(request("http://a/x%2Fy/1")), "\(matcher)")
      }
    }
  }

  @Test("matches no request without a URL")
  func noURL() {
    var request = URLRequest(url: URL(string: "http://a")!)
    request.url = nil
    for matcher in [
      isScheme("http"), isHost("a"), hostEndsWith("a"), isPort(80), .absoluteURL("http://a"), isPath(""),
      pathStartsWith("/"), pathEndsWith("a"), pathMatches("^"), isPath(template: "/"), hasPathExtension(""),
      hasExactQuery([:]), containsQuery("a"), isURL("http://a"), hasBaseURL("http://a"), urlMatches(".*"),
      queryMatches("a", ".*"),
    ] {
      #expect(!matcher.matches(request), "\(matcher)")
    }
  }
}
