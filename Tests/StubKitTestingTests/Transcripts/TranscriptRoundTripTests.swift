import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("A transcript that is written and read again")
struct TranscriptRoundTripTests {
  /// Requests that could be read as something else.
  static let requests: [TranscribedRequest] = [
    made("POST", "/a", asForm, "[0]=1&[1]=2"), made("POST", "/a", asForm, "###=1"), made("POST", "/a", asForm, "\\a=1"),
    made("POST", "/a", asForm, "{a=1"), made("POST", "/a", asForm, "--a=1"), made("POST", "/a", asForm, "a=1\n&b=2"),
    made("POST", "/a", [], "hello {{x}} a=b c"), made("POST", "/a", [], "{{x}}=1"), made("POST", "/a", asText, "{{x}}"),
    made("POST", "/a", asText, "{{\u{301}a}} a{{\u{200D}b}}"), made("POST", "/a", asText, "\n\na\n \n"),
    made("POST", "/a", asText, "[section]\nkey = 1"), made("POST", "/a", asText, "(3 bytes)"),
    made("POST", "/a", asText, "###\u{301}"), made("POST", "/a", asText, "\u{FEFF}{}"),
    made("POST", "/a", asText, "GET https://a.example/\n\n###"), made("POST", "/a", asText, "a\r\nb\rc"),
    made("POST", "/a", asJSON, "{\"a\":\"\u{F8FE}hello {{x}}\"}"),
    made("POST", "/a", asJSON, "{\"{{a}}\": {}, \"b\": [[], {}]}"),
    made("POST", "/a", asJSON, "{\"a\":\"\\ud800\"}"), made("POST", "/a", asJSON, "[1, 2.50, 1E400]"),
    made("GET", "/a", [("#x", "1"), ("//y", "2"), ("X{{", "3"), ("X", " {{\t")]),
    made("GET", "/{{id}}?{{a}}={{b}}&c&=&"),
    made("GET", "/?"), made("#", "/# not sent"), made("GET", "/", timeout: 5), made("GET", "/", isRedirected: true),
    made(
      "POST", "/a", [("Content-Type", "multipart/mixed; boundary=B")],
      "--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n--C\r\n\r\nhi\r\n--C--\r\n\r\n--B--\r\n"),
    made("POST", "/a", [("Content-Type", "multipart/mixed; boundary=B")], "--B\r\n\r\n--B is no line\r\n--B--"),
    made("POST", "/a", [("Content-Type", "multipart/mixed; boundary=B")], "--B\nA: 1\n\nx\n--B--\n"),
  ]

  @Test("has what was sent, whatever it looks like", arguments: requests)
  func rows(request: TranscribedRequest) throws {
    let text = TranscriptWriter.text(of: [request, request, made("GET", "/")])
    #expect(try TranscriptReader(text).requests == [request, request, made("GET", "/")], "\(text)")
    let draft = TranscriptDraft([request], hiding: .none, on: testMachine).fileText
    #expect(try report(draft, [request]) == [], "\(draft)")
  }

  @Test("has what was sent in 20,000 random requests")
  func random() throws {
    var dice = Dice(state: 7)
    for number in 0..<TestSize.of(20_000, inPart: 4_000) {
      let requests = (0...dice.below(3)).map { _ in dice.request() }
      let text = TranscriptWriter.text(of: requests)
      try #require(try TranscriptReader(text).requests == requests, "\(number)\n\(text.debugDescription)")
      guard number.isMultiple(of: 20) else { continue }
      // With placeholders, and with the line ends of Windows.
      let written = TranscriptDraft(requests, hiding: .none, on: testMachine).fileText
      let again = written.replacing("\n", with: "\r\n")
      for order in [RequestOrder.asMade, .perURL, .any] {
        let differences = try report(again, requests, order)
        try #require(differences == [], "\(number) \(order)\n\(written.debugDescription)")
      }
    }
  }

  @Test("differs from each other random request", arguments: [RequestOrder.perURL, .any, .asMade])
  func everyChange(order: RequestOrder) throws {
    var dice = Dice(state: 11)
    for _ in 0..<2_000 {
      let (one, other) = (dice.request(), dice.request())
      let text = TranscriptWriter.text(of: [one])
      try #require(try report(text, [other], order).isEmpty == (one == other), "\(text)")
    }
  }

  /// Texts of which Swift finds two equal, or which a transcript could show alike.
  static let pairs: [(String, String)] = [
    ("caf\u{e9}", "cafe\u{301}"), ("a\rb", "a\u{240D}b"), ("a\rb", "a\\rb"), ("a b", "a\u{a0}b"),
    ("\u{2126}", "\u{3A9}"),
  ]
  /// Requests with a text at each kind of place.
  static let places: [@Sendable (String) -> TranscribedRequest] = [
    { made("POST", "/a", asText, $0) }, { made("POST", "/a", asText, "1\n\($0)\n3") },
    { made("POST", "/a", asJSON, "{\"a\": \($0.quotedAsJSON)}") },
    { made("POST", "/a", asJSON, "{\($0.quotedAsJSON): 1}") },
    { made("GET", "/a", [("X-Name", $0)]) }, { made("POST", "/a", asForm, "name=\($0.filter { $0 > " " })&b=1") },
    { made("GET", "/\($0)/a") }, { made("GET", "/a?name=\($0)") }, { made("GET", "/a?\($0)=1") },
    { made("GET", "/a?\($0)") },
  ]

  @Test(
    "tells characters apart that Swift finds equal, in each order", arguments: pairs,
    [RequestOrder.perURL, .any, .asMade])
  func normalForms(pair: (String, String), order: RequestOrder) throws {
    for (number, place) in Self.places.enumerated() where place(pair.0) != place(pair.1) {
      let reports = try [(pair.0, pair.1), (pair.1, pair.0)].map {
        try report(TranscriptWriter.text(of: [place($0)]), [place($1)], order)
      }
      try #require(!reports.contains([]), "\(number)")
      let lines = reports[0].filter { $0.hasPrefix("- ") || $0.hasPrefix("+ ") }
      try #require(Set(lines.map { $0.dropFirst() }).count > 1, "\(number): \(lines)")
    }
  }
}

extension TranscribedRequest: CustomTestStringConvertible {
  /// The request on one line.
  public var testDescription: String { TranscriptWriter.text(of: [self]).debugDescription }
}
