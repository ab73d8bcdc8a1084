import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The comparison of requests with a transcript")
struct TranscriptComparisonTests {
  static func comparison(
    _ expected: String, _ actual: String, _ order: RequestOrder = .perURL
  ) throws -> TranscriptComparison {
    TranscriptComparison(
      try TranscriptText(parsing: actual).requests, with: try TranscriptText(parsing: expected).requests, order: order)
  }

  static func body(_ text: String) -> String { "PUT https://a.example/\n\n\(text)" }

  /// What is expected, what is sent, and what the report says of the difference, without its first line.
  static let texts: [(String, String, [String])] = [
    ("", "", []),
    ("GET https://a.example/?a=1&b=2", "GET https://a.example/?b=2&a=1", []),
    ("GET https://a.example/\nA: 1\nB: 2", "GET https://a.example/\nb: 2\na: 1", []),
    (body("{\"a\": 1.0, \"b\": [true]}"), body("{\"b\":[true],\"a\":1}"), []),
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
      ["  GET https://a.example/?q=a&page=2&x", "- ?page=1", "+ ?page=2", "+ ?x"]
    ),
    (
      "POST https://a.example/", "PUT https://a.example/",
      ["  PUT https://a.example/", "- POST https://a.example/", "+ PUT https://a.example/"]
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
    // JSON by path
    (
      body("{\"address\": {\"postal_code\": \"3000\", \"a b\": 1}, \"tags\": [1, 2]}"),
      body("{\"address\": {\"postal_code\": \"3001\"}, \"tags\": [1, 3, 2], \"x\": null}"),
      [
        "  PUT https://a.example/", "- body.address[\"a b\"]: 1", "- body.address.postal_code: \"3000\"",
        "+ body.address.postal_code: \"3001\"", "+ body.tags[1]: 3", "+ body.x: null",
      ]
    ),
    (body("{\"a\": 1}"), body("{\"a\": \"1\"}"), ["  PUT https://a.example/", "- body.a: 1", "+ body.a: \"1\""]),
    (body("{\"a\": 1}"), body("[1]"), ["  PUT https://a.example/", "- body: {\"a\": 1}", "+ body: [1]"]),
    (body("{\"a\": 1}"), "PUT https://a.example/", ["  PUT https://a.example/", "- body: {\"a\": 1}"]),
    (body("{\"a\": 1}"), body("a"), ["  PUT https://a.example/", "- body: {\"a\": 1}", "+ body: a"]),
    (
      body("one\ntwo\nthree"), body("one\n2\nthree"),
      ["  PUT https://a.example/", "- body, line 2: two", "+ body, line 2: 2"]
    ),
    (
      body("<5 bytes, 00>"), body("<6 bytes, 01>"),
      ["  PUT https://a.example/", "- body: <5 bytes, 00>", "+ body: <6 bytes, 01>"]
    ),
    (
      "POST https://a.example/\n\na=1\n&b=2", "POST https://a.example/\n\nb=3\n&a=1",
      ["  POST https://a.example/", "- body: b=2", "+ body: b=3"]
    ),
    (
      multipart(("a", "One"), ("b", "Two")), multipart(("a", "One"), ("b", "2"), ("c", "")),
      ["  PUT https://a.example/", "- part b: Two", "+ part b: 2", "+ part c: "]
    ),
    (
      multipart(("a", "One"), ("b", "Two")), multipart(("b", "Two"), ("a", "One")),
      ["  PUT https://a.example/", "- parts: a, b", "+ parts: b, a"]
    ),
    // Placeholders
    ("GET https://a.example/{{id:[0-9]+}}\nA: {{id}}", "GET https://a.example/42\nA: 42", []),
    (
      "GET https://a.example/{{id}}\nA: {{id}}", "GET https://a.example/42\nA: 43",
      ["  GET https://a.example/42", "- A: {{id}}   ({{id}} was 42 before)", "+ A: 43"]
    ),
    ("GET https://a.example/{{_}}\nA: {{_}}", "GET https://a.example/42\nA: 43", []),
    (
      "GET https://a.example/\nA: x{{_}}", "GET https://a.example/\nA: x",
      ["  GET https://a.example/", "- A: x{{_}}", "+ A: x"]
    ),
    (
      body("{\"a\": {{_}}, \"b\": {{n:[0-9]{2}}}, \"c\": \"{{n}}\"}"), body("{\"a\": [1], \"b\": 12, \"c\": \"12\"}"),
      []
    ),
    (
      body("{\"a\": \"{{n}}\"}"), body("{\"a\": 1}"),
      ["  PUT https://a.example/", "- body.a: \"{{n}}\"", "+ body.a: 1"]
    ),
    (body("{{_}}"), body("{\"a\": 1}"), []),
    (body("{{_}}"), "PUT https://a.example/", ["  PUT https://a.example/", "- body: {{_}}"]),
    // Two names of StubKit's own are two values, and other names needn't be.
    (
      "GET https://a.example/\nK: {{key1}}\n\n###\nGET https://a.example/\nK: {{key2}}",
      "GET https://a.example/\nK: 1\n\n###\nGET https://a.example/\nK: 1",
      [
        "  GET https://a.example/", "- K: {{key2}}   ({{key2}} must differ from {{key1}})", "+ K: 1",
        "  … 1 as expected",
      ]
    ),
    (
      "GET https://a.example/\nK: {{date1}}\n\n###\nGET https://a.example/\nK: {{date2}}",
      "GET https://a.example/\nK: 1\n\n###\nGET https://a.example/\nK: 1", []
    ),
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
    // Another URL free of order
    ("GET https://a.example/1\nGET https://a.example/2", "GET https://a.example/2\nGET https://a.example/1", []),
    (
      "PUT https://a.example/{{uuid1}}\nN: a\n###\nPUT https://a.example/{{uuid2}}\nN: b",
      "PUT https://a.example/11111111-1111-4111-8111-111111111111\nN: b\n###\n"
        + "PUT https://a.example/21111111-1111-4111-8111-111111111111\nN: a", []
    ),
  ]

  static func multipart(_ parts: (String, String)...) -> String {
    let texts = parts.map { "--x\nContent-Disposition: form-data; name=\"\($0.0)\"\n\n\($0.1)\n" }.joined()
    return "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=x\n\n\(texts)--x--"
  }

  @Test("tells which values differ", arguments: texts)
  func rows(expected: String, actual: String, lines: [String]) throws {
    let comparison = try Self.comparison(expected, actual)
    #expect(comparison.isEqual == lines.isEmpty)
    if !comparison.isEqual { #expect(Array(comparison.report("x").dropFirst()) == lines) }
  }

  /// A request to a URL, with a value in a header.
  struct Made: Sendable {
    let text: String

    static func get(_ path: String, _ value: String) -> Made { made("GET", path, value) }
    static func post(_ path: String, _ value: String) -> Made { made("POST", path, value) }
    private static func made(_ method: String, _ path: String, _ value: String) -> Made {
      Made(text: "\(method) https://a.example/\(path)\nValue: \(value)")
    }
  }

  /// Requests in the order that is expected, those that are made, and the orders in which they fit.
  static let ordered: [(expected: [Made], actual: [Made], fitting: [RequestOrder])] = [
    ([.get("a", "1"), .get("b", "1")], [.get("a", "1"), .get("b", "1")], [.perURL, .asMade, .any]),
    ([.get("a", "1"), .get("b", "1")], [.get("b", "1"), .get("a", "1")], [.perURL, .any]),
    ([.get("a", "1"), .get("a", "2")], [.get("a", "2"), .get("a", "1")], [.any]),
    (
      [.get("a", "{{x}}"), .get("a", "{{y}}"), .get("b", "{{x}}")], [.get("a", "1"), .get("a", "2"), .get("b", "2")],
      [.any]
    ),
    (
      [.get("a", "{{key1}}"), .get("a", "{{key2}}"), .post("b", "{{key1}}"), .post("b", "{{key2}}")],
      [.get("a", "1"), .post("b", "1"), .get("a", "2"), .post("b", "2")], [.perURL, .any]
    ),
    (
      [.get("a", "{{key1}}"), .get("a", "{{key1}}"), .get("a", "{{key2}}"), .get("a", "{{key2}}")],
      [.get("a", "1"), .get("a", "2"), .get("a", "1"), .get("a", "2")], [.any]
    ),
    (
      [.get("a", "{{key1}}"), .get("a", "{{key1}}"), .get("a", "{{key2}}"), .get("a", "{{key2}}")],
      [.get("a", "1"), .get("a", "1"), .get("a", "1"), .get("a", "1")], []
    ),
    ([.get("a", "1"), .get("a", "1")], [.get("a", "1")], []),
    (
      [.get("{{x}}", "1"), .get("{{x}}", "2"), .get("{{y}}", "1")], [.get("a", "1"), .get("b", "1"), .get("a", "2")],
      [.perURL, .any]
    ),
    ([.get("{{x}}", "1"), .get("{{x}}", "2")], [.get("a", "2"), .get("a", "1")], [.any]),
    ([.get("{{x}}", "1"), .get("{{x}}", "2")], [.get("a", "1"), .get("b", "2")], []),
  ]

  @Test("accepts requests in another order only where the order asked for allows it", arguments: ordered)
  func orders(expected: [Made], actual: [Made], fitting: [RequestOrder]) throws {
    func text(_ requests: [Made]) -> String { requests.map(\.text).joined(separator: "\n") }
    for order in [RequestOrder.perURL, .asMade, .any] {
      let comparison = try Self.comparison(text(expected), text(actual), order)
      #expect(comparison.isEqual == fitting.contains(order), "\(order)")
      if !comparison.isEqual, fitting.contains(.any) { #expect(comparison.isOrderOnly, "\(comparison.report("x"))") }
    }
  }

  @Test("says that only the order differs, and what to write")
  func orderOnly() throws {
    let (expected, actual) = ("GET /a\nN: 1\n###\nGET /a\nN: 2", "GET /a\nN: 2\n###\nGET /a\nN: 1")
    let comparison = try Self.comparison(expected, actual)
    #expect(
      comparison.report("the transcript") == [
        "Only the order of the requests differs from the transcript:",
        "  GET /a   is the 1. request of this method and URL", "- N: 1", "+ N: 2",
        "If their order is free, because they are made at the same time, write order: .any.",
      ])
    let asMade = try Self.comparison("GET /a\n###\nGET /b", "GET /b\n###\nGET /a", .asMade)
    #expect(
      asMade.report("the transcript") == [
        "Only the order of the requests differs from the transcript:", "  GET /b   is request 1", "- GET /a",
        "+ GET /b",
        "If their order is free but for those of one method and URL, leave out order: .asMade.",
      ])
  }

  /// What differs between a thousand requests and those of a transcript, as if a client had changed.
  enum LargeDifference: CaseIterable, Sendable {
    case aHeaderOfEach, aHeaderOfEachHundredth, oneMoreAtTheBeginning, everything

    /// Requests to 50 URLs, with their number in the query and the body.
    private static func requests(_ numbers: Range<Int>, header: (Int) -> String) -> String {
      numbers.map { "POST https://a.example/items/\($0 % 50)?page=\($0)\n\(header($0))\n\n{\"n\": \($0)}" }
        .joined(separator: "\n\n###\n")
    }

    static let transcript = requests(0..<1_000) { _ in "A: 1" }

    var requests: String {
      switch self {
      case .aHeaderOfEach: Self.requests(0..<1_000) { _ in "A: 2" }
      case .aHeaderOfEachHundredth: Self.requests(0..<1_000) { $0 % 100 == 0 ? "A: 2" : "A: 1" }
      case .oneMoreAtTheBeginning: "GET https://a.example/ads\n###\n" + Self.transcript
      case .everything: Self.requests(1_000..<2_000) { _ in "B: 1" }
      }
    }

    /// How many requests differ, in the words of the report.
    var count: String {
      switch self {
      case .aHeaderOfEach, .everything: "1000 of 1000"
      case .aHeaderOfEachHundredth: "10 of 1000"
      case .oneMoreAtTheBeginning: "1 of 1001"
      }
    }
  }

  @Test("pairs each of a thousand requests with the one that is most like it", arguments: LargeDifference.allCases)
  func thousand(difference: LargeDifference) throws {
    let comparison = try Self.comparison(LargeDifference.transcript, difference.requests)
    #expect(comparison.report("x").first == "The requests differ from x in \(difference.count):")
  }

  @Test("of a thousand requests takes less than ten seconds", arguments: LargeDifference.allCases)
  func time(difference: LargeDifference) throws {
    let expected = try TranscriptText(parsing: LargeDifference.transcript).requests
    let actual = try TranscriptText(parsing: difference.requests).requests
    // It takes a fifth of a second, and the machine can be busy.
    let time = ContinuousClock().measure { _ = TranscriptComparison(actual, with: expected).report("x") }
    #expect(time < .seconds(10))
  }

  @Test("of a thousand requests has a report of 90 lines at most", arguments: LargeDifference.allCases)
  func length(difference: LargeDifference) throws {
    #expect(try Self.comparison(LargeDifference.transcript, difference.requests).report("x").count <= 90)
  }
}
