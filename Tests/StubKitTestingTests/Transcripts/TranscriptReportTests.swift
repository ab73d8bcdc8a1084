import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The report about a transcript")
struct TranscriptReportTests {
  private func transcript(_ count: Int, level: String?) -> String {
    (0..<count).map { "GET https://a.example/\($0)\n\(level.map { "X-Api-Level: \($0)" } ?? "X: 1")" }.joined(
      separator: "\n\n###\n")
  }

  @Test(
    "has one line for a header that each of 34 requests has now",
    arguments: [
      (nil, "34 requests differ only by + X-Api-Level: 7"),
      ("6", "34 requests differ only by - X-Api-Level: 6, + X-Api-Level: 7"),
    ])
  func oneHeader(earlier: String?, line: String) throws {
    let requests = (0..<34).map { made("GET", "/\($0)", [("X-Api-Level", "7")] + (earlier == nil ? [("X", "1")] : [])) }
    #expect(
      try report(transcript(34, level: earlier), requests) == ["The requests differ from x in 34 of 34:", "  \(line)"])
  }

  @Test("lists what else differs beside what many requests have in common")
  func someMore() throws {
    var requests = (0..<4).map { made("GET", "/\($0)", [("X", "1"), ("X-Api-Level", "7")]) }
    requests[2] = made("GET", "/2", [("X", "2")])
    requests[3] = made("GET", "/3", [("X", "1")])
    #expect(
      try report(transcript(4, level: nil), requests) == [
        "The requests differ from x in 3 of 4:", "  2 requests differ only by + X-Api-Level: 7",
        "  GET https://a.example/2",
        "- X: 1", "+ X: 2", "  … 1 as expected",
      ])
  }

  /// Bytes that are sent instead of others, and how the report tells where they differ.
  static let bytes: [(expected: [UInt8], sent: [UInt8], place: String)] = [
    ([0, 1, 2, 255], [0, 1, 3, 255], "the first that differs is byte 3"),
    ([0, 1, 2], [0, 1, 2, 255], "it goes on after byte 3"),
    ([0, 1, 2, 255], [0, 1], "it ends after byte 2"),
    (
      [UInt8](repeating: 0, count: 1_600),
      [UInt8](repeating: 0, count: 250) + [1] + [UInt8](repeating: 0, count: 1_349),
      "the first that differs is among bytes 201 to 300"
    ),
    ([UInt8](repeating: 0, count: 1_600), [UInt8](repeating: 0, count: 1_000), "it ends after byte 1000"),
  ]

  @Test("tells bytes by their length and the first that differs", arguments: bytes)
  func bytesThatDiffer(expected: [UInt8], sent: [UInt8], place: String) throws {
    func request(_ bytes: [UInt8]) -> TranscribedRequest {
      TranscribedRequest(SentParts(method: "PUT", url: "https://a.example/", body: Data(bytes)))
    }
    #expect(
      try report(TranscriptWriter.text(of: [request(expected)]), [request(sent)]) == [
        "The requests differ from x in 1 of 1:", "  PUT https://a.example/", "- body: \(expected.count) bytes",
        "+ body: \(sent.count) bytes, \(place)",
      ])
  }

  @Test("cuts long texts around the first character that differs, so that it shows no line of Base64")
  func longTexts() throws {
    let photo = String(repeating: "QUJD", count: 300)
    let lines = try report(
      "PUT https://a.example/\nContent-Type: application/json\n\n{\"photo\": \"\(photo)\"}",
      [made("PUT", "/", asJSON, "{\"photo\": \"\(photo.prefix(600))x\(photo.suffix(599))\"}")])
    #expect(
      Array(lines.dropFirst(2)) == [
        "- body.photo: 1202 characters: …QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD…",
        "+ body.photo: 1202 characters, the first that differs is 602: …QUJDQUJDQUJDxUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD…",
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

  @Test("pairs each of a thousand requests with one like it, in at most 90 lines", arguments: LargeDifference.allCases)
  func thousand(difference: LargeDifference) throws {
    let lines = try report(LargeDifference.transcript, try TranscriptReader(difference.requests).requests)
    #expect(lines.first == "The requests differ from x in \(difference.count):" && lines.count <= 90)
  }

  /// Texts that can't be read, and the error.
  static let unreadable: [(String, String)] = [
    ("\n\nhttps://a.example/", "line 3: expected a method and a URL, as in GET https://api.example.com/users."),
    ("GET https://a.example/a b", "line 1: expected no blank in a URL. Write %20."),
    (
      "GET https://a.example/\nAccept",
      "line 2: expected a header of the request, such as Accept: text/plain, a blank line before the body, or ### before the next request."
    ),
    (
      "GET https://a.example/1\nGET https://a.example/2\nA",
      "line 3: expected a header of the request, such as Accept: text/plain, a blank line before the body, or ### before the next request."
    ),
    ("### ×0\nGET https://a.example/", "line 1: expected a number of equal requests, as in ### ×4."),
    ("### ×999999999999\nGET https://a.example/", "line 1: expected a number of equal requests, as in ### ×4."),
    ("# timeout soon\nGET https://a.example/", "line 1: expected a number of seconds, as in # timeout 60."),
    (
      "GET https://a.example/\nA: {{id", "line 2: expected }} after {{id. Two braces themselves are {{\\x7b}}{."
    ),
    (
      "GET https://a.example/\nA: {{}}",
      "line 2: expected a name of letters and digits, or _, in {{}}. Two braces themselves are {{\\x7b}}{."
    ),
    ("GET https://a.example/\n{{a}}: 1", "line 2: {{a}} is a name, which can't have a placeholder."),
    ("GET https://a.example/\nA: {{a}}{{b}}", "line 2: two placeholders touch. Write one for both."),
    (
      "GET https://a.example/\nA: {{a:[0-9]*}}",
      "line 2: [0-9]* is no kind of value. Write one of uuid, time, localtime, compacttime, httpdate, date, compactdate, seconds, milliseconds, microseconds, nanoseconds, number, hex, random, secret, boundary, languages, process, system, text."
    ),
    ("GET https://a.example/\nA: {{\\xq}}", "line 2: {{\\xq}} is no character. Write one as {{\\x7b}}."),
    ("PUT https://a.example/\n\n{\n  \"a\": 1,\n}", "line 5: expected a key in quotation marks in the JSON."),
    ("PUT https://a.example/\n\n{\n  \"a\": {{b\n}", "line 4: expected }} at the end of a placeholder in the JSON."),
    (
      "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=b\n\n--b\nA: 1\n\nx",
      "line 7: expected --b-- at the end of the parts."
    ),
    (
      "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=b\n\n--b\nno head\n--b--",
      "line 5: expected a header of a part, such as Accept: text/plain, a blank line before the body, or ### before the next request."
    ),
  ]

  @Test(
    "names the line of a transcript that can't be read, and what was expected there",
    arguments: unreadable.map { (Lines($0), $1) })
  func mistakes(lines: Lines, error: String) {
    let thrown = #expect(throws: TranscriptError.self) { try TranscriptReader(lines.text) }
    #expect(thrown?.description == error)
  }

  @Test("names the line of a file that isn't UTF-8")
  func noUTF8() {
    let data = Data("GET /\nA: é".utf8) + [0xFF]
    let thrown = #expect(throws: TranscriptError.self) { try TranscriptText(data, without: []) }
    #expect(thrown?.description == "line 2: expected UTF-8.")
  }
}
