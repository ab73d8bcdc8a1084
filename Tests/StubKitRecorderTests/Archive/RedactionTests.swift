import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A redaction", .inTurn)
struct RedactionTests {
  private static func entry(
    _ address: String = "https://a.example/", headers: [String: String] = [:], body: String? = nil, type: String? = nil
  ) -> HTTPArchive.Entry {
    var request = URLRequest(url: url(address))
    request.allHTTPHeaderFields = headers
    if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    request.httpBody = body.map { Data($0.utf8) }
    return HTTPArchive.Entry(request: request, response: .init(), startedAt: Date(timeIntervalSince1970: 0))
  }

  private static func redacted(
    _ entry: HTTPArchive.Entry, _ redactions: [Redaction] = .standard
  ) throws -> (entry: HTTPArchive.Entry, count: Int) {
    let (archive, count) = HTTPArchive(entries: [entry]).redactedAndCounted(redactions)
    #expect(archive == HTTPArchive(entries: [entry]).redacted(redactions))
    // What is redacted stays so.
    #expect(archive.redactedAndCounted(redactions).count == 0)
    return (try #require(archive.entries.first), count)
  }

  @Test("of header fields, by the standard")
  func headers() throws {
    for name in [
      "Authorization", "proxy-authorization", "X-Api-Key", "x-api_key", "X-APIKEY", "X-Auth-Token",
      "X-Amz-Security-Token",
    ] {
      var entry = Self.entry(headers: [name: "secret", "Accept": "*/*"])
      entry.response?.headers = [name: "0ne-9Zk2", "X-Other": "two", name: "thr33-5Xb8"]
      let (redacted, count) = try Self.redacted(entry)
      #expect(redacted.request.value(forHTTPHeaderField: name) == "REDACTED", "\(name)")
      #expect(redacted.request.value(forHTTPHeaderField: "Accept") == "*/*", "\(name)")
      #expect(redacted.response?.headers.map(\.value) == ["REDACTED-2", "two", "REDACTED-3"], "\(name)")
      #expect(count == 3, "\(name)")
    }
  }

  @Test("of URLs, in requests, headers and bodies")
  func urls() throws {
    for (address, expected) in [
      ("https://ann:pass@a.example/p?q=1", "https://ann:REDACTED@a.example/p?q=1"),
      ("https://a.example/?access_token=x&q=1", "https://a.example/?access_token=REDACTED&q=1"),
      ("https://a.example/?q=1&Client-Secret=a%20b", "https://a.example/?q=1&Client-Secret=REDACTED"),
      ("https://a.example/cb#id_token=x.y.z&state=1", "https://a.example/cb#id_token=REDACTED&state=1"),
      ("https://a.example/?api%5Fkey=x", "https://a.example/?api%5Fkey=REDACTED"),
      ("https://a.example/?accessToken=x", "https://a.example/?accessToken=REDACTED"),
      ("https://a.example/?password=", "https://a.example/?password="),
      ("https://a.example/?nextPageToken=x", "https://a.example/?nextPageToken=x"),
      ("https://a.example/access_token=x", "https://a.example/access_token=x"),
    ] {
      var entry = Self.entry(address, headers: ["Referer": address])
      entry.response = .init(
        status: 302, headers: ["Location": address, "Link": "<\(address)>; rel=\"next\"", "Content-Type": "text/html"],
        body: Data("<a href=\"\(address.replacingOccurrences(of: "&", with: "&amp;"))\">".utf8))
      let (redacted, count) = try Self.redacted(entry)
      #expect(redacted.request.url?.absoluteString == expected, "\(address)")
      #expect(redacted.request.value(forHTTPHeaderField: "Referer") == expected, "\(address)")
      #expect(redacted.response?.headers["Location"] == expected, "\(address)")
      #expect(redacted.response?.headers["Link"] == "<\(expected)>; rel=\"next\"", "\(address)")
      let page = "<a href=\"\(expected.replacingOccurrences(of: "&", with: "&amp;"))\">"
      #expect(redacted.response?.body == Data(page.utf8), "\(address)")
      #expect(count == (address == expected ? 0 : 5), "\(address)")
    }
  }

  @Test("of cookies keeps their names and attributes")
  func cookies() throws {
    var entry = Self.entry(headers: ["Cookie": "a=1; theme=dark"])
    entry.response?.headers = [
      "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly, b=2; Path=/", "Set-Cookie": "c=; Secure",
    ]
    let (all, count) = try Self.redacted(entry)
    #expect(all.request.value(forHTTPHeaderField: "Cookie") == "a=REDACTED; theme=REDACTED-2")
    #expect(
      all.response?.headers.values(of: "Set-Cookie") == [
        "a=REDACTED; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly, b=REDACTED-3; Path=/", "c=; Secure",
      ])
    #expect(count == 4)
    let (one, _) = try Self.redacted(entry, [.cookie("A")])
    #expect(one.request.value(forHTTPHeaderField: "Cookie") == "a=REDACTED; theme=dark")
    #expect(
      one.response?.headers.values(of: "Set-Cookie").first
        == "a=REDACTED; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly, b=2; Path=/")
  }

  @Test("of JSON keeps every other byte")
  func json() throws {
    for (text, expected, count) in [
      (#"{ "password" : "x" , "n": 1.50 }"#, #"{ "password" : "REDACTED" , "n": 1.50 }"#, 1),
      ("{\n\t\"a\": [{\"accessToken\": \"x\\\"y\"}]\n}\n", "{\n\t\"a\": [{\"accessToken\": \"REDACTED\"}]\n}\n", 1),
      (
        #"{"token": {"value": "x", "n": 3, "ok": true, "a": ["y", null]}, "b": 1}"#,
        #"{"token": {"value": "REDACTED", "n": 3, "ok": true, "a": ["y", null]}, "b": 1}"#, 1
      ),
      (
        #"{"pin": 1234, "password": 1234, "secret": null, "pwd": "", "token": true, "x": "y"}"#,
        #"{"pin": 7332, "password": 1234, "secret": null, "pwd": "", "token": true, "x": "y"}"#, 1
      ),
      (#"{"pass\u0077ord": "x"}"#, #"{"pass\u0077ord": "REDACTED"}"#, 1),
      (
        #"{"next": "https:\/\/a.example/?page=2&access_token=x"}"#,
        #"{"next": "https:\/\/a.example/?page=2&access_token=REDACTED"}"#, 1
      ),
      (#"{"password": "br0ken"#, #"{"password": "REDACTED"#, 1),
      (#"{"tokens": ["a", "b"], "n": "#, #"{"tokens": ["REDACTED", "REDACTED-2"], "n": "#, 2),
      ("{\"id\": 1}\n{\"id_token\": \"x\"}\n", "{\"id\": 1}\n{\"id_token\": \"REDACTED\"}\n", 1),
      (
        #"{"a": 1, /* no JSON */ "password": "x9-zk2q", "secret": 7}"#,
        #"{"a": 1, /* no JSON */ "password": "REDACTED", "secret": 7}"#, 1
      ),
      (#"{"passwordHint": "x"}"#, #"{"passwordHint": "x"}"#, 0),
    ] {
      var entry = Self.entry(body: text, type: "application/json")
      entry.response?.headers = ["Content-Type": "application/json", "Content-Length": String(text.utf8.count)]
      entry.response?.body = Data(text.utf8)
      let (redacted, found) = try Self.redacted(entry)
      #expect(redacted.request.httpBody.map { String(decoding: $0, as: UTF8.self) } == expected, "\(text)")
      #expect(redacted.response.map { String(decoding: $0.body, as: UTF8.self) } == expected, "\(text)")
      #expect(redacted.response?.headers["Content-Length"] == String(expected.utf8.count), "\(text)")
      #expect(found == 2 * count, "\(text)")
    }
  }

  @Test("of a place in JSON")
  func places() throws {
    for (path, expected) in [
      ("user.token", #"{"user": {"token": "REDACTED"}, "token": "b", "list": [["c"], "d"]}"#),
      ("list[1]", #"{"user": {"token": "a"}, "token": "b", "list": [["c"], "REDACTED"]}"#),
      ("/list/0/0", #"{"user": {"token": "a"}, "token": "b", "list": [["REDACTED"], "d"]}"#),
      ("list.0[0]", #"{"user": {"token": "a"}, "token": "b", "list": [["REDACTED"], "d"]}"#),
      ("user", #"{"user": {"token": "REDACTED"}, "token": "b", "list": [["c"], "d"]}"#),
      ("none", #"{"user": {"token": "a"}, "token": "b", "list": [["c"], "d"]}"#),
    ] {
      let text = #"{"user": {"token": "a"}, "token": "b", "list": [["c"], "d"]}"#
      let (redacted, _) = try Self.redacted(Self.entry(body: text), [.json(at: path)])
      #expect(redacted.request.httpBody == Data(expected.utf8), "\(path)")
    }
  }

  @Test("of forms")
  func forms() throws {
    for (type, text, expected) in [
      (
        "application/x-www-form-urlencoded", "user=ann&password=x%20y&user%5Bpassword%5D=z&a",
        "user=ann&password=REDACTED&user%5Bpassword%5D=REDACTED-2&a"
      ),
      ("application/x-www-form-urlencoded", #"{"password": "x"}"#, #"{"password": "REDACTED"}"#),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
          + "Content-Type: application/json\r\n\r\n{\"token\": \"y\"}\r\n--b--\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nREDACTED\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
          + "Content-Type: application/json\r\n\r\n{\"token\": \"REDACTED-2\"}\r\n--b--\r\n"
      ),
      (
        "text/event-stream", "event: a\ndata: {\"token\": \"x\"}\n\ndata: plain\n\n",
        "event: a\ndata: {\"token\": \"REDACTED\"}\n\ndata: plain\n\n"
      ),
      (
        "text/html", #"<script>state = {"accessToken": "x"}</script>"#,
        #"<script>state = {"accessToken": "REDACTED"}</script>"#
      ),
    ] {
      let (redacted, _) = try Self.redacted(Self.entry(body: text, type: type))
      #expect(redacted.request.httpBody.map { String(decoding: $0, as: UTF8.self) } == expected, "\(type)")
    }
  }

  @Test("of a text, wherever it stands")
  func text() throws {
    var entry = Self.entry(
      "https://a.example/sk_live_1/b?k=sk_live_2&e=%73k_live_3", headers: ["X-Any": "key sk_live_4!"],
      body: "ö sk_live_5")
    entry.response = .init(headers: ["Location": "/sk_live_6"], body: Data([0xFF]) + Data("sk_live_7".utf8) + Data([0]))
    entry.stubName = "stub of sk_live_8"
    let (redacted, count) = try Self.redacted(entry, [.text(matching: "SK_live_[0-9]+", options: .caseInsensitive)])
    #expect(redacted.request.url?.absoluteString == "https://a.example/REDACTED/b?k=REDACTED-2&e=REDACTED-3")
    #expect(redacted.request.value(forHTTPHeaderField: "X-Any") == "key REDACTED-4!")
    #expect(redacted.request.httpBody == Data("ö REDACTED-5".utf8))
    #expect(redacted.response?.headers["Location"] == "/REDACTED-6")
    #expect(redacted.response?.body == Data([0xFF]) + Data("REDACTED-7".utf8) + Data([0]))
    #expect(redacted.stubName == "stub of REDACTED-8" && count == 8)
  }

  @Test("that can't be applied lets nothing pass, and says what is wrong")
  func mistakes() throws {
    for (redaction, sentence) in [
      (Redaction.json(at: "[["), "The JSON path \"[[\" has"), (.json(at: "$.a"), "has a $ for the whole body"),
      (.text(matching: "("), "is not"),
    ] {
      #expect(redaction.mistake?.contains(sentence) == true, "\(redaction.mistake ?? "none")")
      let archive = HTTPArchive(entries: [Self.entry("https://a.example/s3cret", body: #"{"a": "s3cret"}"#)])
      #expect(archive.redacted([redaction]).entries.isEmpty, "\(sentence)")
      #expect([Redaction].standard.allSatisfy { $0.mistake == nil }, "\(sentence)")
    }
  }

  @Test("that names a value, or keeps it, wins over the standard ones wherever the name stands")
  func own() throws {
    let secret = "k33p-" + "9Zk2Rw7Q5Fq"
    var entry = Self.entry(
      "https://a.example/?memberNumber=7&api_key=\(secret)", headers: ["X-Api-Key": secret],
      body: #"{"member_number": 12}"#)
    entry.response?.body = Data(#"{"apiKey": "\#(secret)", "token": "x9-\#(secret)"}"#.utf8)
    let (redacted, count) = try Self.redacted(entry, .standard + [.secret("memberNumber"), .keep("apiKey")])
    #expect(redacted.request.url?.query == "memberNumber=REDACTED&api_key=\(secret)")
    #expect(redacted.request.value(forHTTPHeaderField: "X-Api-Key") == secret)
    #expect(redacted.request.httpBody == Data(#"{"member_number": 733}"#.utf8))
    #expect(redacted.response?.body == Data(#"{"apiKey": "\#(secret)", "token": "REDACTED-3"}"#.utf8))
    #expect(count == 3)
    let report = HTTPArchive(entries: [entry]).redactedAndReported([.secret("memberNumber")]).report
    #expect(report.summary == "2 values redacted: 2 by rules of your own")
    #expect(report.lines.first == #"entry 1, request URL: REDACTED (name "memberNumber")"#)
  }

  @Test("leaves what is a word, a message, a constant or a coincidence")
  func coincidences() throws {
    for (request, response) in [
      (#"{"password": "admin"}"#, #"{"role": "admin", "url": "/admin/users"}"#),
      ("{}", #"{"token": "input", "pin": "blue", "password": ["is too short (minimum is 8 characters)"]}"#),
      ("{}", #"{"ticket": {"id": "A-1"}, "baseToken": {"symbol": "USDC", "address": "0x6b175474e89094c4"}}"#),
      ("{}", "const merge = { timeout: valueFromConfig2, withCredentials: valueFromConfig2 };"),
      ("{}", #"<script>x?e.withCredentials=!1:e.token=t.token,n("password")</script>"#),
      ("{}", #"{"signature": "-----BEGIN PGP SIGNATURE-----\niQIzBAABCAAdFiEE\n-----END PGP SIGNATURE-----\n"}"#),
    ] {
      var entry = Self.entry(body: request, type: "application/json")
      entry.response?.body = Data(response.utf8)
      #expect(try Self.redacted(entry).entry.response?.body == Data(response.utf8), "\(request)")
    }
  }

  @Test("of the user's own")
  func custom() throws {
    let rule = Redaction.custom("bodies") { $0.response?.body = Data("none".utf8) }
    #expect(rule.description == #".custom("bodies")"#)
    let (redacted, count) = try Self.redacted(Self.entry(), [rule])
    #expect(redacted.response?.body == Data("none".utf8) && count == 1)
  }

  @Test("of a long body leaves the pieces in their places")
  func longBody() throws {
    let text = #"{"token": "s3cr3t", "rest": ""# + String(repeating: "x", count: 300_000) + #""}"#
    var entry = Self.entry()
    entry.response = .init(headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    entry.pieces = [9, 12, 18, text.utf8.count].map { .init(end: $0, time: .zero) }
    let (redacted, _) = try Self.redacted(entry)
    #expect(redacted.response?.body == Data(text.replacingOccurrences(of: "s3cr3t", with: "REDACTED").utf8))
    #expect(redacted.pieces.map(\.end) == [9, 19, 20, text.utf8.count + 2])
  }
}

extension HTTPArchive {
  /// Returns the archive without secrets, and the number of replaced values.
  func redactedAndCounted(_ redactions: [Redaction]) -> (archive: HTTPArchive, count: Int) {
    let (archive, report) = redactedAndReported(redactions)
    return (archive, report.count)
  }
}
