import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response", .inTurn)
struct StubResponseTests {
  private static let built: [(response: StubResponse, status: Int, contentType: String?, body: Data)] = [
    (.data(Data([1, 2])), 200, nil, Data([1, 2])),
    (.text("é"), 200, "text/plain; charset=utf-8", Data("é".utf8)),
    (.text("<p>", status: 201, headers: ["content-type": "text/html"]), 201, "text/html", Data("<p>".utf8)),
    (.json(["a": 1]), 200, "application/json", Data(#"{"a":1}"#.utf8)),
    (
      .json([1], headers: ["Content-Type": "application/problem+json"]), 200, "application/problem+json",
      Data("[1]".utf8)
    ),
    (.status(204), 204, nil, Data()), (.ok, 200, nil, Data()),
    (.status(404, headers: ["Content-Type": "x/y"]), 404, "x/y", Data()),
  ]

  @Test("has the status, content type and body of its builder", arguments: built)
  func builders(response: StubResponse, status: Int, contentType: String?, body: Data) throws {
    #expect(response.status == status)
    #expect(response.headers["Content-Type"] == contentType)
    #expect(try response.body.load() == body)
  }

  @Test("as its builder makes it goes out at once, and has no problem")
  func plain() {
    for (response, _, _, _) in Self.built {
      #expect(response.delay == .zero && response.pace == .atOnce, "\(response)")
      #expect(response.problem == nil && response.failure == nil, "\(response)")
      // Only a file waits to be opened.
      #expect(!response.body.isClosed, "\(response)")
    }
  }

  @Test("adds a Content-Length where HTTP wants one")
  func contentLength() {
    for (response, bodyLength, expected) in [
      (.text("abc"), 3, "3"), (.events(["a"]), 9, nil), (.pieces([Data(count: 3)]), 3, "3"),
      (.status(404), 0, "0"),
      (.status(204), 0, nil),
      (.text("abc", status: 304), 3, "3"), (.status(205), 0, "0"),
      (.text("abc", headers: ["content-length": "99"]), 3, "99"),
      (.status(204, headers: ["Content-Length": "5"]), 0, "5"),
      (.text("abc", headers: ["Transfer-Encoding": "chunked"]), 3, nil),
      (.text("abc", headers: ["Transfer-Encoding": "Chunked", "Content-Length": "3"]), 3, nil),
    ] as [(StubResponse, Int, String?)] {
      let headers = response.headers(bodyLength: bodyLength).joined
      let lengths = headers.filter { $0.key.lowercased() == "content-length" }
      #expect(lengths.map(\.value) == (expected.map { [$0] } ?? []), "\(response): \(headers)")
    }
  }

  @Test("is a value: a modifier returns a new one, and changes none")
  func modifiers() {
    let plain = StubResponse.text("x", headers: ["A": "1"])
    let changed = plain.header("a", "2").addingHeader("B", "3").delay(.seconds(2)).bodyDuration(.seconds(3))
    #expect(changed.headers["A"] == "2")
    #expect(changed.headers["B"] == "3")
    #expect(changed.delay == .seconds(2))
    #expect(changed.pace == .over(.seconds(3)))
    #expect(plain.headers["A"] == "1")
    #expect(plain.headers["B"] == nil)
    #expect(plain.delay == .zero)
    #expect(plain.pace == .atOnce)
  }

  @Test("has the delay of the last modifier that sets one")
  func lastDelay() { #expect(StubResponse.ok.delay(.seconds(2)).delay(.zero).delay == .zero) }

  @Test("has headers(_:) in place of fields of the same names, in any case of letters, and beside its others")
  func manyHeaders() {
    let response = StubResponse.text("x", headers: ["A": "1", "C": "3"]).addingHeader("a", "2")
    let changed = response.headers(["a": "4", "B": "5", "content-type": "x/y"])
    #expect(
      changed.headers(bodyLength: 1).joined == [
        "a": "4", "B": "5", "C": "3", "content-type": "x/y", "Content-Length": "1",
      ])
    #expect(response.headers([:]).headers == response.headers)
  }

  @Test("has fields without the white space around their values")
  func fields() {
    for (number, response) in [
      StubResponse.text("x", headers: ["A": "  padded \t"]), .text("x").header("A", "  padded \t"),
      .text("x").addingHeader("A", "  padded \t"), .text("x").headers(["A": "  padded \t"]),
    ].enumerated() {
      #expect(response.headers["A"] == "padded", "\(number)")
    }
  }

  @Test("knows the first problem it has")
  func problems() {
    for (response, expected) in [
      (.text("x", status: 99), .invalidStatus(99)),
      (.text("x", status: 199), .invalidStatus(199)),
      (.text("x", status: 999), nil),
      (.text("x", headers: ["A B": "c"]), .invalidHeaderName("A B")),
      (.text("x", headers: ["A": "c\nd"]), .invalidHeaderValue("c\nd", name: "A")),
      (.ok.header("é", "x"), .invalidHeaderName("é")),
      (.ok.header("a\u{7F}", "x"), .invalidHeaderName("a\u{7F}")), (.ok.header("!#$%&'*+-.^_`|~", " \té"), nil),
      (.ok.header("A", "\r\n"), .invalidHeaderValue("\r\n", name: "A")),
      (.text("x").header("Transfer-Encoding", "Chunked"), nil),
      (.text("x", headers: ["transfer-encoding": "gzip, chunked"]), .invalidTransferEncoding("gzip, chunked")),
      (.text("x").delay(.seconds(-2)), .negativeDuration(.seconds(-2))),
      (.status(0).delay(.seconds(-2)).header("", ""), .invalidStatus(0)),
      (.text("x").delay(.seconds(-2)).header("", "").delay(.zero), .negativeDuration(.seconds(-2))),
      (.text("x").chunked(by: 0), .invalidPieceLength(0)),
      (.text("x").chunked(by: 1, every: .seconds(-2)), .negativeDuration(.seconds(-2))),
      (.pieces([], first: .seconds(-2)), .negativeDuration(.seconds(-2))),
      (.events(["a"], every: .seconds(-2)), .negativeDuration(.seconds(-2))),
      (.text("x").status(42), .invalidStatus(42)),
      (.text("x").status(500, reason: "a\r\nB: c"), .invalidReasonPhrase("a\r\nB: c")),
      (.status(500, reason: "a\u{7F}"), .invalidReasonPhrase("a\u{7F}")),
      (.status(500, reason: "\0").status(500, reason: "fine"), .invalidReasonPhrase("\0")),
      (.status(500, reason: "two words, a\ttab and \u{E9}"), nil), (.status(42, reason: "\n"), .invalidStatus(42)),
      (.text("x").headers(["A": "b", "C D": "e"]), .invalidHeaderName("C D")),
      (.text("x").failing(afterBytes: -1), .negativeByteCount(-1)),
    ] as [(StubResponse, StubResponseError.Reason?)] {
      #expect(response.problem == expected, "\(response), \(response.headers.joined), \(response.pace)")
    }
  }

  @Test("prints as one line")
  func printing() {
    for (response, expected) in [
      .json(["a": 1]): "200, application/json, 7 bytes",
      .data(Data([1]), status: 206).delay(.seconds(2)): "206, 1 byte, after 2.0 seconds",
      .file("a.png").bodyDuration(.milliseconds(500)): "200, image/png, file a.png",
      .redirect(to: "/new"): "302, to /new, no body",
      .failure(CancellationError()).delay(.seconds(1)): "failure: CancellationError(), after 1.0 seconds",
      .noAnswer: "no answer", .passThrough: "passed through", .controlled: "controlled by the test",
      .events(["a", "b"]): "200, text/event-stream, 18 bytes",
      .stream(headers: ["Content-Type": "text/plain"]) { AsyncStream<Data> { $0.finish() } }:
        "200, text/plain, a stream",
    ] as KeyValuePairs<StubResponse, String> {
      #expect(response.description == expected, "\(expected)")
    }
  }

  @Test("that breaks off delivers any error as it is")
  func foreignErrors() async throws {
    struct Refusal: CustomNSError, Equatable {
      static let errorDomain = "Proxy"
      var errorCode: Int { 7 }
      var errorUserInfo: [String: Any] { ["by": "Ann"] }
    }
    await withStubs {
      stub(condition: isPath("/value"), response: .text("abc").failing(afterBytes: 1, with: Refusal()))
      let error = await URLSession.shared.failure(of: "http://a.example/value")
      let bridged = error as NSError?
      #expect(
        bridged?.domain == "Proxy" && bridged?.code == 7 && bridged?.userInfo["by"] as? String == "Ann",
        "\(bridged as Any)")
      #if os(Linux)
        #expect(error is Refusal)
      #endif
    }
  }

  @Test("that redirects is a 302 with a Location, which replaces one among its headers")
  func redirect() {
    let response = StubResponse.redirect(to: "/new", headers: ["location": "/other"])
    #expect(response.status == 302)
    #expect(response.headers(bodyLength: 0).joined == ["Location": "/new", "Content-Length": "0"])
  }

  @Test("that redirects takes a URL, another status and headers")
  func redirectToURL() {
    let response = StubResponse.redirect(to: url("https://b.example.com/x?y"), status: 308, headers: ["A": "b"])
    #expect(response.status == 308)
    #expect(response.headers["Location"] == "https://b.example.com/x?y")
    #expect(response.headers["A"] == "b")
  }

  @Test(
    "that redirects has a problem if its status doesn't",
    arguments: [(308, true), (399, true), (304, false), (400, false)])
  func redirectStatus(status: Int, redirects: Bool) {
    let problem = StubResponse.redirect(to: "/x", status: status).problem
    #expect(problem == (redirects ? nil : .invalidRedirectStatus(status)))
  }

  @Test(
    "that redirects has a problem if its Location is no URL that a client can follow",
    arguments: [
      ("/new", true), ("?page=2", true), ("https://b.example", true), ("app://done", true), ("", false),
      ("http://", false), ("https:///x", false), ("http://[", false), ("/a\r\nSet-Cookie: b=c", false),
    ] as [(Lines, Bool)])
  func redirectTarget(location: Lines, isValid: Bool) {
    let problem = StubResponse.redirect(to: location.text).problem
    #expect(problem == (isValid ? nil : .invalidRedirectTarget(location.text)))
  }

  @Test(
    "that asks for a password has a realm that a client reads as it was written",
    arguments: ["Films", #"a "b" \c, d="e""#, "", "é"])
  func challenge(realm: String) {
    let response = StubResponse.basicChallenge(realm: realm, headers: ["X-A": "b"])
    #expect(response.status == 401)
    #expect(response.headers["X-A"] == "b")
    #expect(response.problem == nil)
    let head = HTTPURLResponse(
      to: request("https://a.example/film"), status: 401, fields: response.headers(bodyLength: 0).joined)
    #expect(CredentialDemand(head)?.space.realm == realm)
  }

  @Test("that asks for a password escapes quotes and backslashes of its realm")
  func escapedRealm() {
    #expect(StubResponse.basicChallenge(realm: #"a "b" \"#).headers["WWW-Authenticate"] == #"Basic realm="a \"b\" \\""#)
  }

  @Test("that asks for a password has a problem if its realm breaks the line")
  func brokenRealm() {
    let reason = StubResponseError.Reason.invalidHeaderValue("Basic realm=\"a\nb\"", name: "WWW-Authenticate")
    #expect(StubResponse.basicChallenge(realm: "a\nb").problem == reason)
  }

  private static let reasons: [StubResponseError.Reason] = [
    .invalidStatus(42), .invalidHeaderName("A B"), .invalidHeaderValue("a\r\nb", name: "X"),
    .negativeDuration(.seconds(-1)), .invalidTime(.infinity), .invalidPieceLength(0), .negativeByteCount(-1),
    .invalidRedirectStatus(200), .invalidRedirectTarget("http://"), .unencodableValue("User", "boom"),
    .invalidTransferEncoding("gzip"), .invalidEntityTag("a b"), .passedThroughWithCredential, .jsonEncodedTwice("Data"),
    .fixtureMissing("a.json", lookedIn: ["/x", "/y"], similar: [], isResource: false),
    .fixtureMissing("a.json", lookedIn: ["/x"], similar: ["b.json"], isResource: true), .fixture("/x", .isDirectory),
    .fixtureNotAFileURL("http://x"), .fixture("/x", .isUnreadable("Denied.")), .fixture("/x", .isNotRegular),
    .fixture("/x", .becameShorter), .modifiedPassThrough, .unknownFault("lost", similar: "lost in mid-body"),
    .unknownFault("lost", similar: nil), .inapplicableFault("null", to: .text("x")),
  ]

  /// The sentences are in `Fixtures/response-errors.txt`, one a line.
  @Test("that can't be sent says what is wrong, and what to do")
  func sentences() throws {
    try expectTexts(Self.reasons.map(\.description), in: "response-errors", separator: "\n")
  }

  private static let location = StubLocation("UserTests/LoginTests.swift", "/src/UserTests/LoginTests.swift", 12, 3)

  @Test(
    "that can't be sent names its stub, by its name or its place",
    arguments: [
      (StubReference(name: "users", location: location, id: 1), "The stub \"users\" (UserTests/LoginTests.swift:12)"),
      (StubReference(name: nil, location: location, id: 1), "The stub at UserTests/LoginTests.swift:12"),
      (nil, "The response to an unmatched request"),
    ] as [(StubReference?, String)])
  func subjects(stub: StubReference?, subject: String) {
    let reason = StubResponseError.Reason.invalidStatus(42)
    #expect(StubResponseError(stub: stub, reason: reason).description == "\(subject) \(reason)")
  }
}
