import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The comparison of requests with a transcript")
struct TranscriptComparisonTests {
  static func body(_ text: String, _ type: String = "text/plain") -> String {
    "PUT https://a.example/\nContent-Type: \(type)\n\n\(text)"
  }
  static func json(_ text: String) -> String { body(text, "application/json") }

  /// Transcripts, the transcripts of what is sent, and what the report says of the difference, without its first line.
  static let texts: [(String, String, [String])] = [
    ("", "", []),
    ("GET https://a.example/?a=1&b=2", "GET https://a.example/?b=2&a=1", []),
    ("GET https://a.example/?a&b&a=1", "GET https://a.example/?a=1&a&b", []),
    ("GET https://a.example/\nA: 1\nB: 2", "GET https://a.example/\nb: 2\na: 1", []),
    (json("{\"a\": 1.0, \"b\": [true]}"), json("{\"b\":[true],\"a\":1}"), []),
    // The URL is text.
    (
      "GET https://a.example/x/", "GET https://a.example/x",
      ["  GET https://a.example/x", "- GET https://a.example/x/", "+ GET https://a.example/x"]
    ),
    (
      "GET https://a.example/?q=a+b", "GET https://a.example/?q=a%20b",
      ["  GET https://a.example/?q=a%20b", "- ?q=a+b", "+ ?q=a%20b"]
    ),
    (
      "GET https://a.example/?q=a&page=1", "GET https://a.example/?q=a&page=2&x",
      ["  GET https://a.example/?x&page=2&q=a", "- ?page=1", "+ ?page=2", "+ ?x"]
    ),
    ("GET https://a.example/?", "GET https://a.example/", ["  GET https://a.example/", "- ?"]),
    (
      "POST https://a.example/", "PUT https://a.example/",
      ["- POST https://a.example/   was not made", "+ PUT https://a.example/   is a request too many, the 1. of 1"]
    ),
    // Headers
    (
      "GET https://a.example/\nAccept: a\nX: 1", "GET https://a.example/\nAccept: b\nY: 2",
      ["  GET https://a.example/", "- Accept: a", "+ Accept: b", "- X: 1", "+ Y: 2"]
    ),
    (
      "# timeout 5\nGET https://a.example/", "GET https://a.example/",
      ["  GET https://a.example/", "- # timeout 5", "+ # timeout 60, the usual one"]
    ),
    (
      "# at 3s\nGET https://a.example/", "# at 0s\nGET https://a.example/",
      ["  GET https://a.example/", "- # at 3s", "+ # at 0s"]
    ),
    ("GET https://a.example/", "# at 3s\nGET https://a.example/", []),
    // JSON by path
    (
      json("{\"address\": {\"postal_code\": \"3000\", \"a b\": 1}, \"tags\": [1, 2]}"),
      json("{\"address\": {\"postal_code\": \"3001\"}, \"tags\": [1, 3, 2], \"x\": null}"),
      [
        "  PUT https://a.example/", "- body.address[\"a b\"]: 1", "- body.address.postal_code: \"3000\"",
        "+ body.address.postal_code: \"3001\"", "+ body.tags[1]: 3", "+ body.x: null",
      ]
    ),
    (json("{\"a\": 1}"), json("{\"a\": \"1\"}"), ["  PUT https://a.example/", "- body.a: 1", "+ body.a: \"1\""]),
    (json("{\"a\": 1}"), json("[1]"), ["  PUT https://a.example/", "- body: {\"a\": 1}", "+ body: [1]"]),
    // A key twice isn't once.
    (json("{\"a\": 2}"), json("{\"a\": 1, \"a\": 2}"), ["  PUT https://a.example/", "+ body.a: 1"]),
    (json("{\"a\": 1, \"a\": 2}"), json("{\"a\":1,\"a\":2}"), []),
    (
      json("{\"a\": 1, \"a\": 2}"), json("{\"a\": 2, \"a\": 1}"),
      ["  PUT https://a.example/", "- body.a: 1", "+ body.a: 2", "- body.a: 2", "+ body.a: 1"]
    ),
    (
      json("{\"a\": 1}"), "PUT https://a.example/\nContent-Type: application/json",
      ["  PUT https://a.example/", "- body: {\"a\": 1}"]
    ),
    (json("{\"a\": 1}"), json("a"), ["  PUT https://a.example/", "- body: {\"a\": 1}", "+ body: a"]),
    (
      body("one\ntwo\nthree"), body("one\n2\nthree"),
      ["  PUT https://a.example/", "- body, line 2: two", "+ body, line 2: 2"]
    ),
    (
      body("one\ntwo\nthree"), body("one\nadded\ntwo\nthree"), ["  PUT https://a.example/", "+ body, line 2: added"]
    ),
    (
      "POST https://a.example/\n\na=1\n&b=2", "POST https://a.example/\n\nb=3\n&a=1",
      ["  POST https://a.example/", "- body: b=2", "+ body: b=3"]
    ),
    // A part that differs is told as different.
    (
      multipart(("a", "One"), ("b", "Two")), multipart(("a", "One"), ("b", "2"), ("c", "")),
      ["  PUT https://a.example/", "- part b: Two", "+ part b: 2", "+ part c: "]
    ),
    (
      multipart(("a", "One"), ("b", "Two")), multipart(("b", "Two"), ("a", "One")),
      ["  PUT https://a.example/", "- parts: a, b", "+ parts: b, a"]
    ),
    // Placeholders
    ("GET https://a.example/{{id:number}}\nA: {{id:number}}", "GET https://a.example/42\nA: 42", []),
    (
      "GET https://a.example/{{id}}\nA: {{id}}", "GET https://a.example/42\nA: 43",
      ["  GET https://a.example/42", "- A: {{id}}   ({{id}} was 42 in GET https://a.example/{{id}})", "+ A: 43"]
    ),
    ("GET https://a.example/{{_}}\nA: {{_}}", "GET https://a.example/42\nA: 43", []),
    (
      "GET https://a.example/\nA: x{{_}}", "GET https://a.example/\nA: x",
      ["  GET https://a.example/", "- A: x{{_}}", "+ A: x"]
    ),
    (
      json("{\"a\": {{_}}, \"b\": {{n:number}}, \"c\": \"{{n:number}}\"}"),
      json("{\"a\": {\"x\": [1]}, \"b\": 12, \"c\": \"12\"}"), []
    ),
    (
      json("{\"a\": \"{{n}}\"}"), json("{\"a\": 1}"),
      ["  PUT https://a.example/", "- body.a: \"{{n}}\"", "+ body.a: 1"]
    ),
    (
      json("{\"a\": {{n:number}}}"), json("{\"a\": \"1\"}"),
      ["  PUT https://a.example/", "- body.a: {{n:number}}", "+ body.a: \"1\""]
    ),
    (json("{{_}}"), json("{\"a\": 1}"), []), (body("{{_}}"), body("a\nb"), []),
    (
      body("{{_}}"), "PUT https://a.example/\nContent-Type: text/plain",
      ["  PUT https://a.example/", "- body: {{_}}"]
    ),
    // Two names of identifiers are two values. Other names can have one.
    (
      "GET https://a.example/\nK: {{hex1}}\n\n###\nGET https://a.example/\nK: {{hex2}}",
      "GET https://a.example/\nK: 1\n\n###\nGET https://a.example/\nK: 1",
      [
        "  GET https://a.example/", "- K: {{hex2}}   ({{hex1}} was 1 in GET https://a.example/)", "+ K: 1",
        "  … 1 as expected",
      ]
    ),
    (
      "GET https://a.example/\nK: {{_:hex}}\nL: {{_:hex}}", "GET https://a.example/\nK: 1\nL: 1",
      ["  GET https://a.example/", "- L: {{_:hex}}   (another request has sent this value, too)", "+ L: 1"]
    ),
    ("GET https://a.example/\nK: {{a}}\nL: {{b}}", "GET https://a.example/\nK: 1\nL: 1", []),
    (
      "GET https://a.example/{{uuid1}}", "GET https://a.example/x",
      ["  GET https://a.example/x", "- GET https://a.example/{{uuid1}}", "+ GET https://a.example/x"]
    ),
    // Requests
    (
      "GET https://a.example/\n###\nGET https://b.example/", "GET https://a.example/",
      ["- GET https://b.example/   was not made", "  … 1 as expected"]
    ),
    (
      "GET https://a.example/", "GET https://a.example/\n###\nGET https://a.example/ads",
      ["+ GET https://a.example/ads   is a request too many, the 2. of 2", "  … 1 as expected"]
    ),
    (
      "GET https://a.example/", "### ×2\nGET https://a.example/",
      ["+ GET https://a.example/   is a request too many, the 2. of 2", "  … 1 as expected"]
    ),
    (
      "POST https://a.example/1\n###\nPOST https://a.example/2\nA: 1",
      "POST https://a.example/0\n###\nPOST https://a.example/1\n###\nPOST https://a.example/2\nA: 2",
      [
        "  POST https://a.example/2", "- A: 1", "+ A: 2",
        "+ POST https://a.example/0   is a request too many, the 1. of 3", "  … 1 as expected",
      ]
    ),
    // Another URL is free of order.
    (
      "GET https://a.example/1\n###\nGET https://a.example/2", "GET https://a.example/2\n###\nGET https://a.example/1",
      []
    ),
    (
      "PUT https://a.example/{{uuid1}}\nN: a\n###\nPUT https://a.example/{{uuid2}}\nN: b",
      "PUT https://a.example/11111111-1111-4111-8111-111111111111\nN: b\n###\n"
        + "PUT https://a.example/21111111-1111-4111-8111-111111111111\nN: a", []
    ),
    // Random numbers can be equal by chance.
    (
      "PUT https://a.example/{{number1}}\nN: a\n###\nPUT https://a.example/{{number2}}\nN: b",
      "PUT https://a.example/7\nN: b\n###\nPUT https://a.example/7\nN: a", []
    ),
    ("GET https://a.example/1\n###\nGET https://a.example/{{number1}}", "### ×2\nGET https://a.example/1", []),
  ]

  static func multipart(_ parts: (String, String)...) -> String {
    let texts = parts.map { "--x\nContent-Disposition: form-data; name=\"\($0.0)\"\n\n\($0.1)\n" }.joined()
    return "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=x\n\n\(texts)--x--"
  }

  @Test("tells which values differ", arguments: texts.map { (Lines($0), Lines($1), $2) })
  func rows(expected: Lines, actual: Lines, lines: [String]) throws {
    let made = try TranscriptReader(actual.text).requests
    #expect(Array(try report(expected.text, made).dropFirst()) == lines)
  }

  // MARK: Kinds

  static let values: [(placeholder: String, sent: String, fits: Bool)] = [
    ("{{id}}", "1", true), ("{{id}}", "1/admin", false), ("{{id}}", "1?x=1", false), ("{{id}}", "", false),
    ("{{id}}/x", "1/x", true), ("{{id}}/x", "1/2/x", false), ("v{{id}}.json", "v1.2.json", true),
    ("{{id:number}}", "12", true), ("{{id:number}}", "-1.5e-05", true), ("{{id:number}}", "x", false),
    ("{{number1}}.{{number2}}", "12.34", true), ("{{number1}}x{{number2}}", "12x", false),
    ("{{uuid1}}", "0B7F3A52-9D6A-4C5E-8F00-1234567890AB", true), ("{{uuid1}}", "0B7F3A52-9D6A-4C5E-8F00", false),
    ("{{uuid1}}", "0B7F3A52-9D6A-4C5E-8F00-1234567890ABC", false), ("{{hex1}}", "0b7f", true),
    ("{{hex1}}", "0b7g", false),
    ("{{random1}}", "kJ8s_-%2B%3D", true), ("{{random1}}", "kJ8s.x", false), ("a{{random1}}b", "akJ8sb", true),
    ("{{time}}", "2026-12-01T07:38:31Z", true), ("{{time}}", "2026-12-01T07%3A38%3A31.123%2B01:00", true),
    ("{{time}}", "2026-12-01T07:38:31", false), ("{{localtime}}", "2026-12-01T07:38:31", true),
    ("{{localtime}}", "2026-12-01%2007:38", true), ("{{time}}", "1970-01-01T00:00:00Z", false),
    ("{{time}}", "2026-12-03T07:38:31Z", false), ("{{compacttime}}", "20261201T073831Z", true),
    ("{{date}}", "2026-12-01", true), ("{{date}}", "01.12.2026", true), ("{{date}}", "2026-11-01", false),
    ("{{compactdate}}", "20261201", true), ("{{httpdate}}", "Tue,%2001%20Dec%202026%2007:38:31%20GMT", false),
    ("{{seconds}}", "1796112000", true), ("{{seconds}}", "1796112000000", false),
    ("{{seconds}}", "1796112000.25", true),
    ("{{milliseconds}}", "1796112000000", true), ("{{nanoseconds}}", "1796112000000000000", true),
    ("{{process}}", "xctest", true), ("{{process}}", "App", false), ("{{system}}", "15.1.0", true),
  ]

  @Test("knows the kinds of values, and that a placeholder is one segment", arguments: values)
  func kinds(placeholder: String, sent: String, fits: Bool) throws {
    let lines = try report("GET https://a.example/\(placeholder)", [made("GET", "/\(sent)")])
    #expect(lines.isEmpty == fits, "\(lines)")
  }

  @Test("lets each time be another one, or the same", arguments: ["2026-12-01T07:38:31Z", "2026-12-01T07:38:32Z"])
  func times(second: String) throws {
    let requests = ["2026-12-01T07:38:31Z", second].map { made("GET", "/a?t=\($0)") }
    #expect(try report("GET https://a.example/a?t={{time}}\n\n###\nGET https://a.example/a?t={{time}}", requests) == [])
    #expect(try report("### ×2\nGET https://a.example/a?t={{time}}", requests) == [])
    #expect(
      try report("GET https://a.example/a?t={{time1}}\n\n###\nGET https://a.example/a?t={{time2}}", requests) == [])
  }

  @Test(
    "has the languages of this machine",
    arguments: [
      ("de-DE;q=1.0, en;q=0.9", true), ("de-DE", true), ("en;q=1", false), ("de-DE;q=1.0", false),
      ("de-DE;q=0.9, en;q=1.0", false),
      ("de-DE;q=1.0, fr;q=0.9", false),
    ])
  func languages(value: String, fits: Bool) throws {
    let lines = try report(
      "GET https://a.example/\nAccept-Language: {{languages}}", [made("GET", "/", [("Accept-Language", value)])])
    #expect(lines.isEmpty == fits)
  }

  // MARK: Redirects

  private static let ownRequest = """
    GET https://a.example/login

    ###
    POST https://a.example/callback
    Authorization: Bearer right
    Content-Type: application/json

    {"amount": 1}
    """

  @Test("compares a request whole that the client makes itself, wherever an earlier response has led")
  func ownRequests() throws {
    let wrong = made("POST", "/callback", asJSON + [("Authorization", "Bearer wrong")], "{\"amount\":999}")
    let lines = try report(Self.ownRequest, [made("GET", "/login"), wrong])
    #expect(lines.contains("- body.amount: 1") && lines.contains("- Authorization: Bearer right"), "\(lines)")
  }

  @Test(
    "leaves out what platforms send differently after a redirect",
    arguments: [
      (made("GET", "/next", [("Authorization", "x")], isRedirected: true), true),
      (made("GET", "/next", isRedirected: true), true), (made("GET", "/next"), false),
      (made("GET", "/other", isRedirected: true), false),
    ])
  func redirects(request: TranscribedRequest, fits: Bool) throws {
    let lines = try report(
      "GET https://a.example/a\n\n###\n# after a redirect\nGET https://a.example/next", [made("GET", "/a"), request])
    #expect(lines.isEmpty == fits, "\(lines)")
  }
}
