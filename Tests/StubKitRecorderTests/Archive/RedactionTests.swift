import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("A redaction", .inTurn)
struct RedactionTests {
  static let secret = PlantedSecret.random(900, 32)

  static func entry(_ request: String, answer: String = "", _ type: String? = nil) -> HTTPArchive.Entry {
    var headers: StubHeaders = ["Content-Length": "\(answer.utf8.count)"]
    if let type { headers.append("Content-Type", type) }
    return HTTPArchive.Entry(
      request: asked(request), response: .init(headers: headers, body: Data(answer.utf8)),
      startedAt: Date(timeIntervalSince1970: 0))
  }

  static func redacted(
    _ entry: HTTPArchive.Entry, _ redactions: [Redaction] = .named
  ) throws -> (entry: HTTPArchive.Entry, count: Int) {
    let old = HTTPArchive(entries: [entry])
    let (archive, report) = old.redactedAndReported(redactions)
    #expect(archive == old.redactedAndReported(redactions).archive, "\(redactions) \(old.data.text)")
    // What is redacted stays so.
    #expect(archive.redactedAndReported(redactions).report.count == 0, "\(redactions) \(old.data.text)")
    return (try #require(archive.entries.first), report.count)
  }

  @Test(
    "of header fields by the standard rules replaces each value of a secret's name, in requests and responses",
    arguments: [
      "Authorization", "proxy-authorization", "X-Api-Key", "x-api_key", "X-APIKEY", "X-Auth-Token",
      "X-Amz-Security-Token",
    ])
  func headers(name: String) throws {
    var entry = Self.entry("@\(name)=secret @Accept=*/*")
    entry.response?.headers = [name: "0ne-9Zk2", "X-Other": "two", name: "thr33-5Xb8"]
    let (redacted, count) = try Self.redacted(entry)
    #expect(redacted.request.value(forHTTPHeaderField: name) == "REDACTED")
    #expect(redacted.request.value(forHTTPHeaderField: "Accept") == "*/*")
    #expect(redacted.response?.headers.map(\.value) == ["REDACTED-2", "two", "REDACTED-3"])
    #expect(count == 3)
  }

  @Test(
    "of header fields leaves words that ask a server for something, where others have a secret",
    arguments: ["X-Atlassian-Token=no-check", "X-CSRF-Token=Fetch", "X-Csrf-Token=required"])
  func words(field: String) throws { #expect(try Self.redacted(Self.entry("@\(field)")).count == 0) }

  @Test(
    "of header fields that are known to have no secret leaves them, unless a rule of your own names them",
    arguments: [
      ("Alt-Svc", "h3=\":443\""), ("ETag", "\"token=x\""), ("Content-Digest", "sha-256=:\(secret):"),
      ("X-RateLimit-Remaining-Tokens", "149984"), ("X-Amz-Cf-Id", secret), ("CF-Ray", "8c1f2a3b4c5d6e7f-FRA"),
    ])
  func knownHeaders(name: String, value: String) throws {
    var entry = Self.entry("/")
    entry.response?.headers = [name: value]
    #expect(try Self.redacted(entry).entry == entry)
    #expect(try Self.redacted(entry, .standard + [.secret(name)]).entry != entry)
  }

  @Test(
    "of a body with a very long name leaves that value, and still replaces a secret beside it",
    arguments: [
      "กรุณากรอกรหัสผ่านของคุณแล้วกดปุ่มเพื่อดำเนินการต่อไป", "உங்கள் கடவுச்சொல்லை உள்ளிட்டு தொடர பொத்தானை அழுத்தவும்",
      "আপনার পাসওয়ার্ড লিখুন এবং চালিয়ে যেতে বোতাম টিপুন", String(repeating: "🇩🇪", count: 32),
      "a" + String(repeating: "\u{301}", count: 64),
    ])
  func longNames(_ name: String) throws {
    // Of a name of more than 128 bytes, the last 32 bytes count, and they can begin within a character.
    #expect(name.suffix(32).utf8.count > 128)
    for (type, body) in [
      ("application/json", #"{"\#(name)": "x"}"#), ("application/x-www-form-urlencoded", "\(name)=x&password=k7Rw2xQ9"),
    ] {
      let (redacted, _) = try Self.redacted(Self.entry("/", answer: body, type))
      #expect(redacted.response?.body == Data(body.replacing("k7Rw2xQ9", with: "REDACTED").utf8), "\(type)")
    }
  }

  @Test("of URLs replaces the same secrets in requests, headers and bodies")
  func urls() throws {
    // An address that stays as it is has no other one.
    for (address, expected) in [
      ("https://ann:pass@a.example/p?q=1", "https://ann:REDACTED@a.example/p?q=1"),
      ("https://a.example/?access_token=x&q=1", "https://a.example/?access_token=REDACTED&q=1"),
      ("https://a.example/?q=1&Client-Secret=a%20b", "https://a.example/?q=1&Client-Secret=REDACTED"),
      ("https://a.example/cb#id_token=x.y.z&state=1", "https://a.example/cb#id_token=REDACTED&state=1"),
      ("https://a.example/?api%5Fkey=x", "https://a.example/?api%5Fkey=REDACTED"),
      ("https://a.example/?api_key=abc;def12345GHI&q=1", "https://a.example/?api_key=REDACTED&q=1"),
      ("https://a.example/?accessToken=x", "https://a.example/?accessToken=REDACTED"),
      ("https://a.example/a;jsessionid=x9Q2xT7vB8nL?q=1", "https://a.example/a;jsessionid=REDACTED?q=1"),
      (
        "https://hooks.slack.com/services/T0AB1/B0CD2/\(Self.secret)",
        "https://hooks.slack.com/services/T0AB1/B0CD2/REDACTED"
      ),
      ("https://a.example/invite/Q1\(Self.secret)", "https://a.example/invite/REDACTED"),
      ("https://a.example/?password=", nil),
      ("https://a.example/?nextPageToken=x", nil),
      ("https://a.example/access_token=x", nil),
    ] as [(String, String?)] {
      func page(_ address: String) -> String { "<a href=\"\(address.replacing("&", with: "&amp;"))\">" }
      var entry = Self.entry("\(address) @Referer=\(address)", answer: page(address), "text/html")
      entry.response?.headers = [
        "Location": address, "Link": "<\(address)>; rel=\"next\"", "Content-Type": "text/html",
      ]
      let (redacted, count) = try Self.redacted(entry)
      let expected = expected ?? address
      #expect(redacted.request.url?.absoluteString == expected, "\(address)")
      #expect(redacted.request.value(forHTTPHeaderField: "Referer") == expected, "\(address)")
      #expect(redacted.response?.headers["Location"] == expected, "\(address)")
      #expect(redacted.response?.headers["Link"] == "<\(expected)>; rel=\"next\"", "\(address)")
      #expect(redacted.response?.body == Data(page(expected).utf8), "\(address)")
      // One in each of the five places above.
      #expect(count == (address == expected ? 0 : 5), "\(address)")
    }
  }

  private static func entry(setting cookies: String...) -> HTTPArchive.Entry {
    var entry = entry("/login")
    entry.response?.headers = StubHeaders(cookies.map { (name: "Set-Cookie", value: $0) })
    return entry
  }

  @Test("of cookies that are set keeps their names, their attributes and empty values")
  func setCookies() throws {
    let entry = Self.entry(
      setting: "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly, b=2&3; Path=/", "c=; Secure")
    #expect(
      try Self.redacted(entry).entry.response?.headers.values(of: "Set-Cookie") == [
        "a=REDACTED; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly, b=REDACTED-2; Path=/", "c=; Secure",
      ])
  }

  @Test(
    "of cookies that are sent keeps those that count visits or keep a choice",
    arguments: [
      "_ga_Q=GS2.1.s1770546604$o4$g1", "_fbp=fb.1.1770556382.344952", "theme=dark", "consent=%7B%22v%22%3A1%7D",
    ])
  func keptCookies(cookie: String) throws {
    var entry = Self.entry("/")
    entry.request.setValue("a=1; \(cookie)", forHTTPHeaderField: "Cookie")
    #expect(
      try Self.redacted(entry).entry.request.value(forHTTPHeaderField: "Cookie") == "a=REDACTED; \(cookie)")
  }

  @Test("of a name takes the cookie with it, in either case of letters, and leaves the cookie beside it")
  func namedCookie() throws {
    var entry = Self.entry(setting: "a=1; HttpOnly, b=2&3; Path=/")
    entry.request.setValue("a=1; b=2", forHTTPHeaderField: "Cookie")
    let redacted = try Self.redacted(entry, [.secret("A")]).entry
    #expect(redacted.request.value(forHTTPHeaderField: "Cookie") == "a=REDACTED; b=2")
    #expect(redacted.response?.headers["Set-Cookie"] == "a=REDACTED; HttpOnly, b=2&3; Path=/")
  }

  private static let token = "sW1zE5mH" + "a3Jd8Kf0"

  @Test(
    "of a cookie leaves nothing of a value with a comma in it",
    arguments: [
      "session=k9Q2xT7vB8nL4pR6,\(token); Path=/", #"prefs={"theme":"x","token":"\#(token)"}; Path=/"#,
      "a=1, b=\(token); Path=/", "a=\(token),,; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2",
    ])
  func cookieWithComma(cookie: String) throws {
    let left = HTTPArchive(entries: [try Self.redacted(Self.entry(setting: cookie)).entry]).data.text
    #expect(!left.contains(Self.token), "\(left)")
  }

  @Test("of the text of an error keeps the rest of the text")
  func errorText() throws {
    var failed = Self.entry("/me?access_token=\(Self.token)")
    failed.response = nil
    failed.error = URLError(
      .httpTooManyRedirects,
      userInfo: [NSLocalizedDescriptionKey: "GET http://a.com/me?access_token=\(Self.token) was redirected again."])
    let left = HTTPArchive(entries: [try Self.redacted(failed).entry]).data.text
    #expect(!left.contains(Self.token))
    #expect(left.contains("GET http://a.com/me?access_token=REDACTED was redirected again."))
  }

  @Test(
    "by a pattern that breaks a URL in its port or scheme leaves another URL, without the secret",
    arguments: [
      ("https://a.example:8443/a?access_token=\(token)", "84", "http://REDACTED/"),
      ("https://a.example/a?access_token=\(token)", "https", nil),
    ] as [(String, String, String?)])
  func brokenURL(url: String, pattern: String, expected: String?) throws {
    let entry = HTTPArchive.Entry(request: request(url), response: .init())
    let redacted = HTTPArchive(entries: [entry]).redactedAndReported(.standard + [.text(matching: pattern)]).archive
    let left = redacted.entries[0].request.url?.absoluteString
    #expect(left?.contains(Self.token) == false && (expected == nil || left == expected), "\(left ?? "none")")
  }

  @Test(
    "of a place in JSON leaves the other places",
    arguments: [
      ("user.token", #""a""#), ("list[1]", #""d""#), ("/list/0/0", #""c""#), ("list.0[0]", #""c""#), ("user", #""a""#),
      ("none", nil),
    ] as [(String, String?)])
  func placeInJSON(path: String, value: String?) throws {
    let text = #"{"user": {"token": "a"}, "token": "b", "list": [["c"], "d"]}"#
    let (redacted, _) = try Self.redacted(Self.entry("< \(text)"), [.json(at: path)])
    let expected = value.map { text.replacing($0, with: #""REDACTED""#) } ?? text
    #expect(redacted.request.httpBody == Data(expected.utf8))
  }

  @Test(
    "of a name takes the whole value, also one that begins like a URL or a date",
    arguments: [
      "postgres://app:s3cr3tPart@db.example:5432/x", "https://s3cr3tPart@ingest.example/1",
      "2024-05-01-s3cr3tPartOfAValue",
    ])
  func namedValue(value: String) throws {
    let entry = Self.entry("/", answer: "{\"u\":\"\(value)\"}", "application/json")
    let body = try #require(try Self.redacted(entry, [.secret("u")]).entry.response?.body)
    #expect(body != entry.response?.body && !body.text.contains("s3cr3t"), "\(body.text)")
  }

  @Test("of a name finds it in the attributes, the links and the text of a page")
  func nameInPage() throws {
    let page = Self.entry("/", answer: "<a q=\"one\" href='/x?q=two&n=1'>q: \"three\"</a>", "text/html")
    #expect(
      try Self.redacted(page, [.secret("q")]).entry.response?.body.text
        == "<a q=\"REDACTED\" href='/x?q=REDACTED-2&n=1'>q: \"REDACTED-3\"</a>")
  }

  @Test("with a closure of the user's changes an entry, and counts as one")
  func custom() throws {
    let rule = Redaction.custom("bodies") { $0.response?.body = Data("none".utf8) }
    let (redacted, count) = try Self.redacted(Self.entry("/"), [rule])
    #expect(rule.description == #".custom("bodies")"#)
    #expect(redacted.response?.body == Data("none".utf8) && count == 1)
  }

  /// The placeholder of a number is a number: the digits 73322833, as many as the number has.
  @Test(
    "of a number in a URL replaces it in the body, too, unless it is short or part of a longer number",
    arguments: [("471123", #"{"size": 9471123, "pin": 733228}"#), ("4711", #"{"size": 94711, "pin": 4711}"#)])
  func numbers(pin: String, expected: String) throws {
    let entry = Self.entry(#"/?pin=\#(pin) json < {"size": 9\#(pin), "pin": \#(pin)}"#)
    let redacted = try Self.redacted(entry, [.text(matching: "(?<=pin=)[0-9]+")]).entry
    #expect(redacted.request.httpBody?.text == expected)
  }

  @Test("of a text by a pattern replaces it wherever it stands")
  func text() throws {
    var entry = Self.entry("/sk_live_1/b?k=sk_live_2&e=%73k_live_3 @X-Any=key+sk_live_4! < ö sk_live_5")
    entry.response = .init(headers: ["Location": "/sk_live_6"], body: Data([0xFF]) + Data("sk_live_7".utf8) + Data([0]))
    entry.stubName = "stub of sk_live_8"
    let (redacted, count) = try Self.redacted(entry, [.text(matching: "SK_live_[0-9]+", options: .caseInsensitive)])
    #expect(redacted.request.url?.absoluteString == "http://a.com/REDACTED/b?k=REDACTED-2&e=REDACTED-3")
    #expect(redacted.request.value(forHTTPHeaderField: "X-Any") == "key REDACTED-4!")
    #expect(redacted.request.httpBody == Data("ö REDACTED-5".utf8))
    #expect(redacted.response?.headers["Location"] == "/REDACTED-6")
    #expect(redacted.response?.body == Data([0xFF]) + Data("REDACTED-7".utf8) + Data([0]))
    #expect(redacted.stubName == "stub of REDACTED-8" && count == 8)
  }

  /// A rule that can't be applied, what its error says, and one that can.
  struct WrongRule: CustomTestStringConvertible, Sendable {
    let rule: Redaction, sentence: String, cure: Redaction
    var testDescription: String { "\(rule)" }

    static let all = [
      WrongRule(rule: .json(at: "a["), sentence: #"as in "a.b[0].c""#, cure: .json(at: "a.b[0].c")),
      WrongRule(rule: .json(at: "$.a"), sentence: #""$.a" is not a JSON path"#, cure: .json(at: "a")),
      WrongRule(
        rule: .text(matching: "("), sentence: "with a backslash before a literal (", cure: .text(matching: #"\("#)),
    ]
  }

  @Test("that can't be applied throws an error that says what is wrong", arguments: WrongRule.all)
  func mistakes(_ wrong: WrongRule) throws {
    let archive = HTTPArchive(
      entries: [Self.entry("/s3cret", answer: #"{"a": {"b": [{"c": "("}]}}"#, "application/json")])
    let error = #expect(throws: HTTPArchiveError.self) { try archive.redacted(.standard + [wrong.rule]) }
    #expect(error?.problem.contains(wrong.sentence) == true, "\(error?.problem ?? "none")")
    #expect(try archive.redacted([wrong.cure]) != archive)
    #expect(([Redaction].standard + .named).allSatisfy { $0.mistake == nil })
  }

  private static let shown = "k33p-" + "9Zk2Rw7Q5Fq"
  private static let memberAndKey = entry(
    #"?memberNumber=7&api_key=\#(shown) @X-Api-Key=\#(shown) < {"member_number": 12}"#,
    answer: #"{"apiKey": "\#(shown)", "token": "x9-\#(shown)"}"#)

  @Test("that keeps a name wins over the standard ones wherever the name stands, however it is written")
  func keptName() throws {
    let (redacted, count) = try Self.redacted(Self.memberAndKey, .standard + [.keep("apiKey")])
    #expect(redacted.request.url?.query == "memberNumber=7&api_key=\(Self.shown)")
    #expect(redacted.request.value(forHTTPHeaderField: "X-Api-Key") == Self.shown)
    #expect(redacted.response?.body == Data(#"{"apiKey": "\#(Self.shown)", "token": "REDACTED"}"#.utf8))
    #expect(count == 1)
  }

  @Test("that names a value finds it wherever the name stands, and reports it as a rule of your own")
  func secretName() throws {
    let (redacted, _) = try Self.redacted(Self.memberAndKey, [.secret("memberNumber")])
    #expect(redacted.request.url?.query == "memberNumber=REDACTED&api_key=\(Self.shown)")
    // A number's placeholder is a number: the second one is 733 and 1.
    #expect(redacted.request.httpBody == Data(#"{"member_number": 734}"#.utf8))
    let report = HTTPArchive(entries: [Self.memberAndKey]).redactedAndReported([.secret("memberNumber")]).report
    #expect(report.summary == "2 values redacted: 2 by rules of your own")
    #expect(report.lines.first == #"entry 1, request URL: REDACTED (name "memberNumber")"#)
  }

  @Test(
    "of a secret that contains :// leaves no part of it in any place",
    arguments: [
      ("password", "hunter2X9://abc"), ("access_token", "sk_live_abcd1234://zz"),
      ("apiKey", "tok9Q2xT7vB8nL4http://h"), ("password", "http://hunter2X9/abc"),
    ])
  func almostAddresses(name: String, value: String) throws {
    for (container, template) in PlantedSecret.containers {
      let isInURL = ["query", "form", "link", "fragment"].contains { container.contains($0) }
      // What a response has below a password's name can be a link.
      if template.hasPrefix(">"), value.hasPrefix("http") { continue }
      let text = isInURL ? value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value : value
      let left = HTTPArchive(entries: [PlantedSecret.entry(template, name, text)]).redactedAndReported(.standard)
        .archive.data.text
      #expect(!left.contains(value.prefix(9)), "\(container)")
      #expect(!left.contains(value.suffix(5)), "\(container)")
    }
  }

  @Test(
    "of a field with :// tells a secret from an address",
    arguments: [
      ("Authorization", "Bearer tok9Q2xT7vB8nL4http://h", "Bearer REDACTED"), ("Authorization", "Basic", "Basic"),
      ("Authorization", "tok9Q2xT7vB8nL4://h", "REDACTED"),
      ("Authorization", "Bearer http://h", "Bearer http://REDACTED/"),
      ("X-Api-Key", "k9Q2xT7vB8nL4://h", "REDACTED"), ("Cookie", "sid=tok9Q2://h", "sid=REDACTED"),
      ("Referer", "http://a.example/x", "http://a.example/x"),
      ("Location", "https://a.example/b", "https://a.example/b"),
      ("X-Callback", "https://a.example/b", "https://a.example/b"),
    ])
  func fieldsWithAddresses(header: String, value: String, expected: String) throws {
    var entry = Self.entry("/")
    entry.request.setValue(value, forHTTPHeaderField: header)
    #expect(try Self.redacted(entry).entry.request.value(forHTTPHeaderField: header) == expected)
  }

  @Test("of a token that stands elsewhere replaces it before an address, too")
  func tokenBeforeAddress() throws {
    let known = Self.entry("/?u=\(Self.secret)http://h/", answer: #"{"token": "\#(Self.secret)"}"#)
    #expect(try Self.redacted(known).entry.request.url?.query == "u=REDACTEDhttp://h/")
  }

  @Test(
    "of an unknown request header replaces a random value, but no words",
    arguments: ["X-Client-Gate", "DB-Door", "Gate", "X-Zone-Entry"])
  func unknownHeaders(name: String) throws {
    let random = PlantedSecret.random(903)
    #expect(try Self.redacted(Self.entry("@\(name)=\(random)")).count == 1)
    #expect(try Self.redacted(Self.entry("@\(name)=two+words+and+7")).count == 0)
    #expect(try Self.redacted(Self.entry("@\(name)=\(random)"), .standard + [.keep(name)]).count == 0)
  }

  @Test("of an unknown response header leaves a random value")
  func unknownResponseHeader() throws {
    var answered = Self.entry("/")
    answered.response?.headers = ["X-Client-Gate": PlantedSecret.random(903)]
    #expect(try Self.redacted(answered).count == 0)
  }

  @Test(
    "of a request header whose name says that it traces or describes leaves a random value",
    arguments: [
      "X-Trace", "traceparent", "X-B3-SpanId", "X-Request-Ref", "X-Content-Digest", "X-Amz-Content-Sha256",
      "If-None-Match", "X-Amz-Target", "Idempotency-Key", "Sec-WebSocket-Key", "X-Device-Id", "Accept-Profile",
      "X-Client-Data", "Content-MD5", "X-Correlation", "Client-Id", "X-Amz-Date", "Stripe-Account",
    ])
  func describingHeaders(name: String) throws {
    #expect(try Self.redacted(Self.entry("@\(name)=\(PlantedSecret.random(903))")).count == 0)
  }

  @Test(
    "of a query item whose name says nonce, token or code replaces it whatever it looks like",
    arguments: ["nonce=a", "code=WINTER25", "token=12", "access_token=no", "x_nonce=2026-01-01"])
  func itemsByName(item: String) throws {
    let redacted = try Self.redacted(Self.entry("/?\(item)&n=1")).entry.request.url?.query
    #expect(redacted?.hasPrefix(item.prefix { $0 != "=" } + "=") == true)
    #expect(redacted?.contains(item) == false && redacted?.hasSuffix("&n=1") == true, "\(redacted ?? "none")")
  }

  @Test(
    "of a query item whose name says another code or a place in a list leaves words",
    arguments: ["country_code=de", "pageToken=abc", "zip_code=80331"])
  func otherItems(item: String) throws { #expect(try Self.redacted(Self.entry("/?\(item)")).count == 0) }

  private static let order = "5O190127TN" + "364715T"

  @Test("of a token in a URL keeps the one that a response has as the id of an order")
  func orders() throws {
    let answer = #"{"id": "\#(Self.order)", "links": [{"href": "https://pay.example/approve?token=\#(Self.order)"}]}"#
    #expect(try Self.redacted(Self.entry("/orders/\(Self.order)", answer: answer, "application/json")).count == 0)
  }

  @Test("of a token in a URL that no response has as an id replaces it in the path, in a member and in a link")
  func tokens() throws {
    let answer = #"{"name": "\#(Self.order)", "links": [{"href": "https://pay.example/approve?token=\#(Self.order)"}]}"#
    #expect(try Self.redacted(Self.entry("/orders/\(Self.order)", answer: answer, "application/json")).count == 3)
  }
}
