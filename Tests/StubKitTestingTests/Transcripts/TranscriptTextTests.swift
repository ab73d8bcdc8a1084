import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The text of a transcript")
struct TranscriptTextTests {
  /// Texts as they are written, and what is printed of them, or `nil` if it is the same.
  static let texts: [(String, String?)] = [
    ("", nil),
    ("GET https://a.example/", nil),
    ("# A comment\n\nGET https://a.example/\n// another one\nAccept: a/b\n\n", "GET https://a.example/\nAccept: a/b"),
    ("GET https://a.example/ HTTP/1.1", "GET https://a.example/"),
    ("GET https://a.example/1\nGET https://a.example/2", "GET https://a.example/1\n\n###\nGET https://a.example/2"),
    ("GET https://a.example/1\n\n\nGET https://a.example/2", "GET https://a.example/1\n\n###\nGET https://a.example/2"),
    ("GET https://a.example/s\n  ?q=a\n  &page=2", "GET https://a.example/s?q=a&page=2"),
    ("GET https://a.example/\nz: 1\nA: 2", "GET https://a.example/\nA: 2\nz: 1"),
    ("GET https://a.example/\nHost: a.example\nContent-Length: 3", "GET https://a.example/"),
    ("GET https://a.example/\nCookie: b=2;a=1", "GET https://a.example/\nCookie: a=1; b=2"),
    ("### ×3\nGET https://a.example/", nil),
    ("### x2\nGET https://a.example/\n### the second\nGET https://a.example/", "### ×3\nGET https://a.example/"),
    ("# timeout 60\nGET https://a.example/", nil),
    ("# after a redirect\nGET https://a.example/", nil),
    ("GET https://a.example/\r\nAccept: a\r\n", "GET https://a.example/\nAccept: a"),
    ("\u{FEFF}GET https://a.example/", "GET https://a.example/"),
    ("PROPFIND https://a.example/", nil),
    ("GET /users", nil),
    // Bodies
    (
      "PUT https://a.example/\n\n{\"b\":[1,{\"c\":null}],\"a\":[], \"d\": {}}",
      """
      PUT https://a.example/

      {
        "a": [],
        "b": [
          1,
          {
            "c": null
          }
        ],
        "d": {}
      }
      """
    ),
    ("PUT https://a.example/\n\nOne line\n\nand another", nil),
    ("PUT https://a.example/\n\n\n\nText\n\n\n", "PUT https://a.example/\n\nText"),
    ("PUT https://a.example/\n\n\\\n\\  \nText\n\\", nil),
    ("PUT https://a.example/\n\n\\### no end", nil),
    ("PUT https://a.example/\n\n\\GET https://a.example/", nil),
    ("PUT https://a.example/\n\n\\{ no JSON", nil),
    ("PUT https://a.example/\n\n\\\\frac", nil),
    ("PUT https://a.example/\n\n<20 bytes, 0123456789abcdef>", nil),
    (
      "POST https://a.example/\n\na=1\n&b=%20",
      "POST https://a.example/\n"
        + "Content-Type: application/x-www-form-urlencoded\n\na=1\n&b=%20"
    ),
    (
      "POST https://a.example/\n\nhello there",
      "POST https://a.example/\nContent-Type: application/x-www-form-urlencoded\n\nhello there"
    ),
    // Placeholders
    ("GET https://a.example/{{id:[0-9]{3}}}?a={{_}}&b={{x:[?&]}}\nA: {{b}} and \\{{b}}", nil),
    ("PUT https://a.example/\n\n{\n  \"a\": {{_}},\n  \"b\": \"x{{id:\\d+}}\",\n  \"c\": \"\\\\{{d}}\"\n}", nil),
    (
      "PUT https://a.example/\n\n{\"a\":{\"b\":{{n}}}, \"c\": \"\\{{d}}\"}",
      "PUT https://a.example/\n\n{\n  \"a\": {\n    \"b\": {{n}}\n  },\n  \"c\": \"\\\\{{d}}\"\n}"
    ),
    ("PUT https://a.example/\n\n{{_}}", nil),
    (
      """
      PUT https://a.example/
      Content-Type: multipart/form-data; boundary={{boundary1}}

      --{{boundary1}}
      # the line after it ends with LF, not with CR LF
      Content-Disposition: form-data; name="a"

      One
      \\
      --{{boundary1}}
      Content-Disposition: form-data; name="b"
      Content-Type: application/json

      {
        "x": 1
      }
      --{{boundary1}}
      Content-Type: image/png

      <3 bytes, 0123456789abcdef>
      --{{boundary1}}--
      # the closing line is missing
      """, nil
    ),
  ]

  @Test("is printed in one form, which is read as the same requests", arguments: texts)
  func rows(text: String, printed: String?) throws {
    let read = try TranscriptText(parsing: text)
    #expect(TranscriptText.text(of: read.requests) == printed ?? text)
    let again = try TranscriptText(parsing: TranscriptText.text(of: read.requests))
    #expect(again.requests.map(\.identity) == read.requests.map(\.identity))
  }

  /// Texts that can't be read, and the error.
  static let unreadable: [(String, String)] = [
    (
      "GTE https://a.example/",
      "line 1, column 1: expected a method and a URL, as in GET https://api.example.com/users, and \"GTE\" is no method."
    ),
    (
      "\n\nhttps://a.example/",
      "line 3, column 1: expected a method and a URL, as in GET https://api.example.com/users, and \"https://a.example/\" is no method."
    ),
    ("GET", "line 1, column 4: expected a URL after GET."),
    ("GET https://a.example/a b", "line 1, column 24: expected no blank in a URL. Write %20."),
    (
      "GET https://a.example/\nAccept",
      "line 2, column 1: expected a header such as Accept: text/plain, a blank line before the body, or the next request."
    ),
    (
      "GET https://a.example/\n{\"a\": 1}",
      "line 2, column 1: expected a header such as Accept: text/plain, a blank line before the body, or the next request."
    ),
    ("### ×0\nGET https://a.example/", "line 1, column 6: expected a number of equal requests, as in ### ×4."),
    (
      "### ×999999999999\nGET https://a.example/",
      "line 1, column 6: expected a number of equal requests, as in ### ×4."
    ),
    ("# timeout soon\nGET https://a.example/", "line 1, column 11: expected a number of seconds, as in # timeout 60."),
    (
      "GET https://a.example/\nÄ-b: é{{id",
      "line 2, column 7: expected }} after {{id, or a colon and a regular expression. Two braces themselves are \\{{."
    ),
    ("GET https://a.example/\nA: {{id:[0-9]", "line 2, column 4: expected }} at the end of {{id: on the same line."),
    (
      "GET https://a.example/\nA: {{}}",
      "line 2, column 6: expected a name of letters and digits, or _, after the braces {{. Two braces themselves are \\{{."
    ),
    (
      "GET https://a.example/\nA: {{a:(.)\\1}}",
      "line 2, column 8: a regular expression here can't refer to a group. Give the second value the name of the first one."
    ),
    ("PUT https://a.example/\n\n{\n  \"a\": 1,\n}", "line 5, column 1: expected JSON: "),
    (
      "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=b\n\n--b\nA: 1\n\nx",
      "line 7, column 1: expected --b-- at the end of the parts."
    ),
    (
      "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=b\n\n--b\nno head\n--b--",
      "line 5, column 1: expected a header of the part, or a blank line before its body."
    ),
  ]

  @Test("that can't be read has an error with the place, and what was expected there", arguments: unreadable)
  func mistakes(text: String, error: String) {
    let thrown = #expect(throws: TranscriptError.self) { try TranscriptText(parsing: text) }
    let description = thrown?.description ?? "none"
    #expect(description.hasPrefix(error), "\(description)")
  }

  @Test("with a wrong regular expression says what is wrong")
  func wrongExpression() {
    let error = #expect(throws: TranscriptError.self) {
      try TranscriptText(parsing: "GET https://a.example/\nA: {{id:[0-9}}")
    }
    #expect(error?.line == 2 && error?.column == 9)
    #expect(error?.problem.hasPrefix("[0-9 is not a regular expression: ") == true)
  }

  @Test("that isn't UTF-8 says where")
  func noUTF8() {
    let data = Data("GET /\nA: é".utf8) + [0xFF]
    let error = #expect(throws: TranscriptError.self) { try TranscriptText(data, methods: [], without: []) }
    #expect(error?.description == "line 2, column 5: expected UTF-8.")
  }

  @Test("can have a method that the test has used")
  func ownMethod() throws {
    let text = try TranscriptText(parsing: "FOO https://a.example/", methods: ["FOO"])
    #expect(text.requests.map(\.method) == ["FOO"])
  }

  @Test("leaves out headers that each request must have anyway")
  func untranscribed() throws {
    let untranscribed = NamedValue(name: "accept-language", value: "de")
    let text = try TranscriptText(
      parsing: "GET /\nAccept-Language: de\nA: 1\n###\nGET /\nAccept-Language: fr", without: [untranscribed])
    #expect(text.requests.map { $0.fields.map(\.line) } == [["A: 1"], ["Accept-Language: fr"]])
  }

  @Test(
    "keeps a body of any text, which is read as it was sent",
    arguments: [
      "", "text", "a\nb\n", "\n", "\n\n\nx", "###", "### ×3", "# no comment", "\\", "\\###", "{{", "\\{{x}}",
      "a {{b}} c",
      "{", "{{x", "[section]\nkey = 1", "<5 bytes>", "<html>", "GET https://a.example/", "GET /x\nGET /y", "--b",
      " indented",
      "a=b&c=d", "a=b\n&c=d", "a=b\n&c=d\n", "{\"a\": \"{{b}}\", \"{{c}}\": \"\\\\{{d}}\"}", "[1, 2.50, \"\\u0000\"]",
      "a\r\nb", "\u{F8FE}x",
      "é", "e\u{301}", "\u{1F600}", "null", "\"x\"",
    ], ["text/plain", "application/x-www-form-urlencoded", "application/json", nil])
  func bodies(text: String, type: String?) throws {
    var request = TranscribedRequest(method: "PUT", url: "https://a.example/")
    if let type { request.fields = [.init(name: "Content-Type", value: type)] }
    request.body = TranscribedBody(Data(text.utf8), type: type)
    let printed = TranscriptText.text(of: [request, request, TranscribedRequest(url: "/")])
    let read = try TranscriptText(parsing: printed)
    #expect(read.requests.map(\.identity) == [request.identity, request.identity, "GET /"], "\(printed)")
    let comparison = TranscriptComparison([request, request, TranscribedRequest(url: "/")], with: read.requests)
    #expect(comparison.isEqual, "\(printed)")
  }

  @Test("of 5,000 requests is read")
  func largest() throws {
    let text = (0..<5_000).map { Self.request($0) }.joined(separator: "\n\n###\n")
    #expect(try TranscriptText(parsing: text).requests.count == 5_000)
  }

  /// What is sent instead of the requests that are expected.
  static let differences: [(String, RequestOrder, @Sendable (Int, Int) -> String)] = [
    ("nothing else", .perURL, { number, _ in request(number) }),
    ("another body each", .perURL, { number, _ in request(number, body: "b") }),
    ("the other way round", .perURL, { number, count in request(count - 1 - number) }),
    ("the other way round, in any order", .any, { number, count in request(count - 1 - number) }),
    ("the other way round, at one URL", .perURL, { number, count in request(count - 1 - number, at: "x") }),
    ("the other way round, at one URL, in any order", .any, { request($1 - 1 - $0, at: "x") }),
    ("the other way round, as made", .asMade, { number, count in request(count - 1 - number) }),
    ("other URLs, with other keys", .perURL, { number, _ in request(number + 5_000) }),
  ]

  private static func request(_ number: Int, at path: String? = nil, body: String = "a") -> String {
    let key = "\(1_000_000 + number)f-7b2d-4c58-9e61-0d4b8a5f7c21"
    return "POST https://a.example/\(path ?? "\(number)")\nA: {{_}}\nX-Key: \(key)\n\n{\"\(body)\": \"\(key)\"}"
  }

  /// A plain run takes every third.
  @Test(
    "of many requests is read, compared, reported and written anew in about linear time",
    arguments: TestSize.of(differences, inPart: [differences[1], differences[4], differences[7]]))
  func large(name: String, order: RequestOrder, sent: @Sendable (Int, Int) -> String) throws {
    func time(_ count: Int) throws -> Duration {
      func text(_ request: (Int) -> String) -> String { (0..<count).map(request).joined(separator: "\n\n###\n") }
      let path = name.contains("at one URL") ? "x" : nil
      let expected = text { Self.request($0, at: path) }
      let actual = text { sent($0, count).replacing("{{_}}", with: "1") }
      return try ContinuousClock().measure {
        let made = try TranscriptText(parsing: actual).requests
        let earlier = try TranscriptText(parsing: expected)
        #expect(made.count == count && earlier.requests.count == count)
        let comparison = TranscriptComparison(made, with: earlier.requests, order: order)
        #expect(comparison.isEqual || comparison.report("x").count <= 90)
        _ = TranscriptPlaceholders(made, of: made).text
        _ = TranscriptPlaceholders(made, of: made, after: earlier, expected, comparison).text
      }
    }
    // 5,000 with STUBKIT_TESTS=whole. Four times as many take sixteen times as long if each is compared with each.
    let count = TestSize.of(5_000, inPart: 1_000)
    let (small, large) = (try time(count / 4), try time(count))
    #expect(large < small * 9 + .seconds(1), "\(small), \(large)")
  }
}
