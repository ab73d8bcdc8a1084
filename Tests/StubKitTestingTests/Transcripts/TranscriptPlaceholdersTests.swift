import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("A transcript that is written")
struct TranscriptPlaceholdersTests {
  static let now = Date(timeIntervalSince1970: 1_796_000_000)
  static let ids = (1...9).map { "\($0)f3a9c1e-7b2d-4c58-9e61-0d4b8a5f7c2\($0)" }

  static func printed(_ text: String) throws -> String {
    let requests = try TranscriptText(parsing: text).requests
    return TranscriptPlaceholders(requests, of: requests, now: now).text
  }

  /// What is sent in a header, in an item, and in JSON, and what is written of it.
  static let written: [(String, String)] = [
    ("plain", "plain"), ("42", "42"), ("1234567890", "1234567890"), ("1796000123", "{{time1}}"),
    ("1796000123456", "{{time1}}"), ("1796000123.25", "{{time1}}"), ("a1796000123", "a1796000123"),
    (ids[0], "{{uuid1}}"), (ids[0].uppercased(), "{{uuid1}}"), ("v1/\(ids[0])/x", "v1/{{uuid1}}/x"),
    ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000001"),
    ("2026-11-30T08:00:00Z", "{{date1}}"), ("2026-11-30T08:00:00.123+01:00", "{{date1}}"),
    ("2026-11-30T08%3A00%3A00Z", "{{date1}}"), ("2025-11-30T08:00:00Z", "2025-11-30T08:00:00Z"),
    ("2026-11-30", "{{date1}}"), ("2026-10-30", "2026-10-30"), ("kJ8sQ2vX9zL4mN7pR1tY", "{{random1}}"),
    ("9b74c9897bac770ffc029102a200c5de", "{{random1}}"),
    ("a-long-name-of-something-2024", "a-long-name-of-something-2024"),
    ("InternationalizationSettings", "InternationalizationSettings"), ("00000000000000000000", "00000000000000000000"),
  ]

  @Test("has placeholders for what differs from run to run, and nothing else", arguments: written)
  func values(value: String, written: String) throws {
    let text = try Self.printed("PUT https://a.example/?a=\(value)\nX: \(value)\n\n{\"a\": \"\(value)\"}")
    #expect(text == "PUT https://a.example/?a=\(written)\nX: \(written)\n\n{\n  \"a\": \"\(written)\"\n}")
  }

  @Test("has one name for one value, wherever it is")
  func names() throws {
    let text = try Self.printed(
      """
      POST https://a.example/items
      Idempotency-Key: first
      X-Request-ID: \(Self.ids[0])

      {"id": "\(Self.ids[1])", "at": 1796000123}

      ###
      GET https://a.example/items/\(Self.ids[1])
      Idempotency-Key: second
      Authorization: Bearer kJ8sQ2vX9zL4mN7pR1tY
      """)
    #expect(
      text == """
        POST https://a.example/items
        Content-Type: application/x-www-form-urlencoded
        Idempotency-Key: {{key1}}
        X-Request-ID: {{uuid1}}

        {
          "at": {{time1}},
          "id": "{{uuid2}}"
        }

        ###
        GET https://a.example/items/{{uuid2}}
        Authorization: Bearer kJ8sQ2vX9zL4mN7pR1tY
        Idempotency-Key: {{key2}}
        """)
  }

  /// Writes a text as runs do, one after another, with what each of them sends.
  static func write(_ runs: [String], first: String? = nil) throws -> String {
    var file = first
    for run in runs {
      let actual = try TranscriptText(parsing: run).requests
      guard let text = file else {
        file = TranscriptPlaceholders(actual, of: actual, now: now).fileText
        continue
      }
      let earlier = try TranscriptText(parsing: text)
      let comparison = TranscriptComparison(actual, with: earlier.requests)
      if comparison.isEqual, earlier.once.isEmpty { continue }
      file = TranscriptPlaceholders(actual, of: actual, after: earlier, text, comparison, now: now).fileText
    }
    return file ?? ""
  }

  /// A request as a run sends it: a PUT whose URL and body have an id, with a header that has a key.
  static func sent(id: String, key: String = "k", extra: String = "") -> String {
    "PUT https://a.example/\(id)\nX-Key: \(key)\n\n{\"id\": \"\(id)\"\(extra)}"
  }

  /// That request as a transcript has it.
  static func written(id: String, key: String, extra: [String] = []) -> String {
    let members = (["\"id\": \"\(id)\""] + extra).map { "  \($0)" }.sorted().joined(separator: ",\n")
    return "PUT https://a.example/\(id)\nX-Key: \(key)\n\n{\n\(members)\n}\n"
  }

  @Test("by one run has placeholders for all that may differ, and says at its head that it saw one run")
  func once() throws {
    let once = try Self.write([Self.sent(id: Self.ids[0])])
    #expect(once.hasPrefix(TranscriptText.onceHeading))
    #expect(once.hasSuffix("\n" + Self.written(id: "{{uuid1}}", key: "{{key1}}")))
  }

  @Test("by two runs or more has placeholders for what differs, and values for what was the same")
  func twice() throws {
    // Each run has the key k.
    #expect(
      try Self.write([Self.sent(id: Self.ids[0]), Self.sent(id: Self.ids[1])])
        == Self.written(id: "{{uuid1}}", key: "k"))
    #expect(
      try Self.write([Self.sent(id: Self.ids[0]), Self.sent(id: Self.ids[0])])
        == Self.written(id: Self.ids[0], key: "k"))
  }

  @Test("stays as two runs have decided it, whatever a later run has")
  func decided() throws {
    let different = [0, 1, 2, 1].map { Self.sent(id: Self.ids[$0]) }
    #expect(try Self.write(different) == Self.written(id: "{{uuid1}}", key: "k"))
    let same = [0, 0, 0].map { Self.sent(id: Self.ids[$0]) }
    #expect(try Self.write(same) == Self.written(id: Self.ids[0], key: "k"))
  }

  @Test("anew keeps the placeholders that fit, and the values that two runs had in common")
  func anew() throws {
    let own = Self.written(id: "{{item:[0-9a-f-]{36}}}", key: "{{_}}")
    let new = try Self.write([Self.sent(id: Self.ids[0], extra: ", \"x\": 1")], first: own)
    #expect(new == Self.written(id: "{{item:[0-9a-f-]{36}}}", key: "{{_}}", extra: ["\"x\": 1"]))
    let decided = try Self.write(
      [0, 0].map { Self.sent(id: Self.ids[$0]) } + [Self.sent(id: Self.ids[0], extra: ", \"x\": 1")])
    #expect(decided == Self.written(id: Self.ids[0], key: "k", extra: ["\"x\": 1"]))
    // What a person wrote and what fits stays as it is written.
    let byHand = "PUT https://a.example/{{a}}\nX-Key: k\n\n{\"id\": {{a}}}"
    #expect(try Self.write([Self.sent(id: Self.ids[0])], first: byHand) == byHand)
  }

  @Test("has a boundary as a placeholder")
  func boundary() throws {
    let text = try Self.printed(
      "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=\"b1\"\n\n--b1\nA: 1\n\nx\n--b1--")
    #expect(
      text == "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=\"{{boundary1}}\"\n\n"
        + "--{{boundary1}}\nA: 1\n\nx\n--{{boundary1}}--")
  }

  @Test(
    "fits the requests that it was written from", arguments: [sent(id: ids[0]), sent(id: "x", key: "")])
  func fits(text: String) throws {
    let written = try Self.write([text])
    let requests = try TranscriptText(parsing: text).requests
    #expect(TranscriptComparison(requests, with: try TranscriptText(parsing: written).requests).isEqual)
  }
}
