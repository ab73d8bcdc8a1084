import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitFormats

@Suite("The standard redactions", .inTurn)
struct RedactionTableTests {
  /// Whether a text is in an archive: as it is, percent-encoded, or in Base64.
  private static func contains(_ archive: HTTPArchive, _ secret: String) -> Bool {
    contains(archive.data, secret)
  }

  private static func contains(_ data: Data, _ secret: String) -> Bool {
    let encoded = Data(secret.utf8).base64EncodedString().prefix(secret.utf8.count * 8 / 6 - 1)
    return String(decoding: data, as: UTF8.self).withCString { (data: UnsafePointer<CChar>) -> Bool in
      strstr(data, secret) != nil || strstr(data, String(encoded)) != nil
    }
  }

  @Test("find the secrets that were planted")
  func planted() {
    let all = PlantedSecret.all
    #expect(all.count >= 493)
    let missing = all.filter { !Self.contains(HTTPArchive(entries: [$0.entry]), $0.secret) }
    #expect(missing.map(\.description) == [], "These are not where they should have been planted.")
    let left = all.filter { Self.contains(HTTPArchive(entries: [$0.entry]).redacted(.standard), $0.secret) }
    #expect(left.count < 10, "\(left.count) of \(all.count) stay: \(left.map(\.description).joined(separator: ", "))")
    print("Of \(all.count) planted secrets, \(left.count) stay in plain text: \(left.map(\.description))")
  }

  @Test("find them in one archive of all, and replace each by one of its own")
  func together() {
    let all = PlantedSecret.all
    let redacted = HTTPArchive(entries: all.map(\.entry)).redacted(.standard)
    let data = redacted.data
    let left = all.filter { Self.contains(data, $0.secret) }
    #expect(left.count < 10, "\(left.map(\.description))")
    #expect(redacted.redactedAndCounted(.standard).count == 0)
  }

  @Test("leave every byte of ordinary values")
  func ordinary() {
    var changed: [String] = []
    for (container, make) in PlantedSecret.containers {
      for (name, value) in PlantedSecret.ordinary {
        let isInURL = ["query", "form", "link", "fragment"].contains { container.contains($0) }
        let text = isInURL ? value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value : value
        let entry = make(name, text)
        if HTTPArchive(entries: [entry]).redacted(.standard).entries != [entry] {
          changed.append("\(name) in \(container)")
        }
      }
    }
    let count = PlantedSecret.containers.count * PlantedSecret.ordinary.count
    print("Of \(count) ordinary values, \(changed.count) are redacted: \(changed)")
    #expect(changed == [])
  }

  private static func response(_ text: String, _ type: String, headers: [String: String] = [:]) -> HTTPArchive {
    let fields = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + [("Content-Type", type)]
    let entry = HTTPArchive.Entry(
      request: URLRequest(url: url("https://a.example/")),
      response: .init(headers: HTTPArchive.Headers(fields), body: Data(text.utf8)),
      startedAt: Date(timeIntervalSince1970: 0))
    return HTTPArchive(entries: [entry])
  }

  private static let secret = PlantedSecret.random(900, 32)

  @Test("find secrets in XML, in redirects and beside links of a stylesheet")
  func places() {
    for (text, type) in [
      ("<s:Password Type=\"urn:a#PasswordText\">SECRET</s:Password>", "text/xml"),
      ("<login><password><![CDATA[SECRET]]></password></login>", "application/xml"),
      ("<member><name>password</name>\n<value><string>SECRET</string></value></member>", "text/xml"),
      ("<property><name>db.auth.token</name><value>SECRET</value></property>", "application/xml"),
      ("<param name='auth_token'>\n  SECRET\n</param>", "application/xml"),
      ("<a href='https://a.example/cb?code=SECRET'>", "text/html"),
      ("a{b:url(http://a/i.png?a=1),url(http://a/j.png?token=SECRET)}", "text/css"),
      ("https://a.example/?x=1,https://b.example/?token=SECRET;https://c.example/?y=2", "text/plain"),
      ("next: https://a.example/?u=http://b.example/?token=SECRET", "text/plain"),
    ] as [(String, String)] {
      let archive = Self.response(text.replacing("SECRET", with: Self.secret), type)
      let redacted = archive.redacted(.standard).entries[0].response?.body
      #expect(
        redacted.map { String(decoding: $0, as: UTF8.self) } == text.replacing("SECRET", with: "REDACTED"), "\(text)")
    }
  }

  @Test("leave alone what names and shapes mean in no word, no form and no credential")
  func ordinaryTexts() {
    for (text, type) in [
      // A letter of any alphabet continues a word.
      ("ключghp_\(Self.secret)abcd и 鍵ghp_\(Self.secret)abcd", "text/plain"),
      ("\u{0}PNG token=\"\(Self.secret)\"\u{3}", "image/png"),
      ("\u{1}name=\(Self.secret)&password=\(Self.secret)", "application/octet-stream"),
      (#"{"pin": "560034", "total_tokens": "120000", "code": "B08N5WRWNW", "state": "open"}"#, "application/json"),
      (#"{"token": "0x6B175474E89094C44Da98b954EedeAC495271d0F", "key": "a1-b2"}"#, "application/json"),
    ] {
      let archive = Self.response(text, type)
      #expect(archive.redacted(.standard) == archive, "\(text)")
    }
  }

  @Test("leave public headers of a response alone")
  func headers() {
    for (name, value) in [
      ("Public-Key-Pins", "pin-sha256=\"\(Self.secret)\"; max-age=5184000"),
      ("Expect-CT", "max-age=1, report-uri=\"/?token=\(Self.secret)\""),
      ("NEL", "{\"token\":\"\(Self.secret)\"}"),
      ("Report-To", "{\"url\":\"https://a.example/?s=\(Self.secret)&token=\(Self.secret)\"}"),
      ("Content-Security-Policy", "script-src 'nonce-\(Self.secret)'; report-uri /?key=\(Self.secret)"),
      ("Alt-Svc", "h3=\":443\""),
      ("ETag", "\"token=\(Self.secret)\""), ("Content-Digest", "sha-256=:\(Self.secret):"),
      ("X-RateLimit-Remaining-Tokens", "149984"),
      ("tracestate", "key=\(Self.secret)"),
    ] {
      let archive = Self.response("{}", "application/json", headers: [name: value])
      #expect(archive.redacted(.standard) == archive, "\(name)")
      #expect(archive.redacted(.standard + [.header(name)]) != archive, "\(name)")
    }
  }

  @Test("leave nothing of a value that begins like a URL or a date")
  func beginnings() {
    for value in [
      "postgres://app:s3cr3tPart@db.example:5432/x", "https://s3cr3tPart@ingest.example/1",
      "2024-05-01-s3cr3tPartOfAValue",
    ] {
      let redacted = Self.response("{\"u\":\"\(value)\"}", "application/json").redacted([.jsonField("u")])
      #expect(!String(decoding: redacted.data, as: UTF8.self).contains("s3cr3t"), "\(value)")
      #expect(redacted != Self.response("{\"u\":\"\(value)\"}", "application/json"), "\(value)")
    }
  }

  @Test("apply rules for forms, queries and headers only there")
  func kinds() {
    let archive = Self.response("<a q=\"one\" href='/x?q=two&n=1'>q: \"three\"</a>", "text/html")
    #expect(archive.redacted([.formField("q"), .header("q"), .cookie("q"), .jsonField("q")]) == archive)
    let redacted = archive.redacted([.secret("q")]).entries[0].response?.body
    #expect(redacted == Data("<a q=\"REDACTED\" href='/x?q=REDACTED-2&n=1'>q: \"REDACTED-3\"</a>".utf8))
  }

  /// Texts that made a search begin again at each of their parts.
  @Test("read a text of any kind in time in proportion to it")
  func linear() async {
    for part in [
      "url(http://a/i.png?a=1),", "://", "a://", "{\"", "{\"a\":", "{\"a\":1} x", "[{", "=&", "a=b&", "x y=", "a=",
      "= ", "<key>a</key>",
      "QUJDabcdeq01", "eyJ", "-eyJ", "eyJ.", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "%25", "%2525 ", "&amp;amp;",
      "\\", "a", "aB1",
      "abcdef0123456789abcdef0123456789-us", "_secret_", "abcQ~", "1:AA", "bearer ", "sk-", "xai-", "SG.", "token=\"",
      "--x\r\nContent-",
      "7332283312 ", "<a><![CDATA[]", "REDACTED-", ".UkVEQUNURUQ", "http://a@", "name=\"a\" value=\"b\" ",
    ] {
      // A long loop leaves the thread to other tests.
      await Task.yield()
      func time(_ count: Int) -> Double {
        let archive = Self.response(String(repeating: part, count: count / part.utf8.count), "text/html")
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        _ = archive.redacted(.standard)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) * 1_000_000 + Double(end.tv_nsec - start.tv_nsec) / 1_000
      }
      // Eight times as much text costs eight times as much, not 64 times.
      let ratios = (0..<2).map { _ in time(16_000) / max(500, time(2_000)) }
      #expect(ratios.contains { $0 < 24 }, "\(ratios)")
    }
  }

  @Test("find in the archives of six tools only what is secret")
  func fixtures() throws {
    for (name, count) in [
      // Cookies, and two tokens in a query.
      ("chrome", 4), ("firefox", 0), ("safari", 0), ("charles", 0), ("mitmproxy", 4), ("playwright/playwright", 4),
    ] {
      let url = try #require(
        Bundle.module.url(forResource: "Fixtures/Archives/\(name)", withExtension: "har"), "\(name)")
      let archive = try HTTPArchive(contentsOf: url)
      #expect(archive.redactedAndCounted(.standard).count == count, "\(name)")
    }
  }
}
