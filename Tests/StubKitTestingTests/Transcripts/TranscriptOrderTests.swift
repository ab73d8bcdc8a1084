import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The order of requests in a transcript")
struct TranscriptOrderTests {
  /// A request to a path, with a value in a header.
  struct Made: Sendable {
    let text: String

    static func get(_ path: String, _ value: String) -> Made { made("GET", path, value) }
    static func post(_ path: String, _ value: String) -> Made { made("POST", path, value) }
    private static func made(_ method: String, _ path: String, _ value: String) -> Made {
      Made(text: "\(method) https://a.example/\(path)\nValue: \(value)")
    }
  }

  private static func text(_ requests: [Made]) -> String { requests.map(\.text).joined(separator: "\n\n###\n") }

  /// Requests in the order that is expected, those that are made, and the orders in which they fit.
  static let ordered: [(expected: [Made], actual: [Made], fitting: [RequestOrder])] = [
    ([.get("a", "1"), .get("b", "1")], [.get("a", "1"), .get("b", "1")], [.perURL, .asMade, .any]),
    ([.get("a", "1"), .get("b", "1")], [.get("b", "1"), .get("a", "1")], [.perURL, .any]),
    ([.get("a", "1"), .get("a", "2")], [.get("a", "2"), .get("a", "1")], [.any]),
    (
      [.get("a", "{{x}}"), .get("a", "{{y}}"), .get("b", "{{x}}")], [.get("a", "1"), .get("a", "2"), .get("b", "1")],
      [.perURL, .asMade, .any]
    ),
    (
      [.get("a", "{{hex1}}"), .get("a", "{{hex2}}"), .get("b", "{{hex1}}")],
      [.get("a", "1"), .get("a", "2"), .get("b", "2")],
      [.any]
    ),
    (
      [.get("a", "{{hex1}}"), .get("a", "{{hex2}}"), .post("b", "{{hex1}}"), .post("b", "{{hex2}}")],
      [.get("a", "1"), .post("b", "1"), .get("a", "2"), .post("b", "2")], [.perURL, .any]
    ),
    (
      [.get("a", "{{hex1}}"), .get("a", "{{hex1}}"), .get("a", "{{hex2}}"), .get("a", "{{hex2}}")],
      [.get("a", "1"), .get("a", "2"), .get("a", "1"), .get("a", "2")], [.any]
    ),
    (
      [.get("a", "{{hex1}}"), .get("a", "{{hex1}}"), .get("a", "{{hex2}}"), .get("a", "{{hex2}}")],
      [.get("a", "1"), .get("a", "1"), .get("a", "1"), .get("a", "1")], []
    ),
    ([.get("a", "1"), .get("a", "1")], [.get("a", "1")], []),
    (
      [.get("{{x}}", "1"), .get("{{x}}", "2"), .get("{{y}}", "1")], [.get("a", "1"), .get("b", "1"), .get("a", "2")],
      [.perURL, .any]
    ),
    ([.get("{{x}}", "1"), .get("{{x}}", "2")], [.get("a", "2"), .get("a", "1")], [.any]),
    ([.get("{{x}}", "1"), .get("{{x}}", "2")], [.get("a", "1"), .get("b", "2")], []),
    // Names that are linked by names that are linked by names
    (
      [
        .get("a/{{uuid1}}", "{{hex1}}"), .get("a/{{uuid2}}", "{{hex2}}"), .post("b/{{uuid1}}", "{{random1}}"),
        .post("b/{{uuid2}}", "{{random2}}"), .get("c", "{{random2}}"), .get("d", "{{hex1}}"),
      ],
      [
        .get("a/\(uuid(2))", "2"), .get("a/\(uuid(1))", "1"), .post("b/\(uuid(2))", "12"), .post("b/\(uuid(1))", "11"),
        .get("c", "11"), .get("d", "2"),
      ],
      [.perURL, .asMade, .any]
    ),
    (
      [
        .get("a/{{uuid1}}", "{{hex1}}"), .get("a/{{uuid2}}", "{{hex2}}"), .post("b/{{uuid1}}", "{{random1}}"),
        .post("b/{{uuid2}}", "{{random2}}"), .get("c", "{{random2}}"), .get("d", "{{hex1}}"),
      ],
      [
        .get("a/\(uuid(2))", "2"), .get("a/\(uuid(1))", "1"), .post("b/\(uuid(2))", "12"), .post("b/\(uuid(1))", "11"),
        .get("c", "12"), .get("d", "2"),
      ],
      []
    ),
  ]

  private static func uuid(_ number: Int) -> String { "\(number)0000000-0000-4000-8000-00000000000\(number)" }

  @Test("counts only where the order asked for says so", arguments: ordered, [RequestOrder.perURL, .asMade, .any])
  func orders(row: (expected: [Made], actual: [Made], fitting: [RequestOrder]), order: RequestOrder) throws {
    let (expected, actual) = (
      try TranscriptReader(Self.text(row.expected)), try TranscriptReader(Self.text(row.actual))
    )
    let comparison = TranscriptComparison(actual.requests, with: expected.requests, order: order, testMachine)
    #expect(comparison.isEqual == row.fitting.contains(order))
    let isOrder = !comparison.isEqual && row.fitting.contains(.any)
    #expect(comparison.isOrderOnly == isOrder, "\(comparison.report("x"))")
  }

  @Test(
    "is all that differs, says the report, and what to write",
    arguments: [
      (
        RequestOrder.perURL, "GET /a\nN: 1\n###\nGET /a\nN: 2", "GET /a\nN: 2\n###\nGET /a\nN: 1",
        [
          "Only the order of the requests differs from x:", "  GET /a   is the 1. request of this method and URL",
          "- N: 1", "+ N: 2",
          "If their order is free, because they are made at the same time, write order: .any.",
        ]
      ),
      (
        .asMade, "GET /a\n###\nGET /b", "GET /b\n###\nGET /a",
        [
          "Only the order of the requests differs from x:", "  GET /b   is request 1", "- GET /a", "+ GET /b",
          "If their order is free but for those of one method and URL, leave out order: .asMade.",
        ]
      ),
    ] as [(RequestOrder, Lines, Lines, [String])])
  func orderOnly(order: RequestOrder, expected: Lines, actual: Lines, lines: [String]) throws {
    #expect(try report(expected.text, try TranscriptReader(actual.text).requests, order) == lines)
  }
}
