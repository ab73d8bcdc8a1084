import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("A transcript that is written")
struct TranscriptDraftTests {
  static let ids = (1...9).map { "\($0)f3a9c1e-7b2d-4c58-9e61-0d4b8a5f7c2\($0)" }

  static func printed(_ requests: TranscribedRequest...) -> String {
    TranscriptDraft(requests, hiding: .none, on: testMachine).text
  }

  // MARK: Kinds

  /// Values that are sent in an item, a header and JSON, and what is written of them.
  static let written: [(String, String)] = [
    ("plain", "plain"), ("42", "42"), ("1234567890", "1234567890"), ("1796000123", "1796000123"),
    ("1796112123", "{{seconds}}"), ("1796112123456", "{{milliseconds}}"), ("1796112123.25", "{{seconds}}"),
    ("1796112123456789", "{{microseconds}}"), ("a1796112123", "a1796112123"), ("3.1796112123", "3.1796112123"),
    (ids[0], "{{uuid1}}"), (ids[0].uppercased(), "{{uuid1}}"), ("v1/\(ids[0])/x", "v1/{{uuid1}}/x"),
    ("session-\(ids[0])", "session-{{uuid1}}"),
    ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000001"),
    ("2026-12-01T08:00:00Z", "{{time}}"), ("2026-12-01T08:00:00.123+01:00", "{{time}}"),
    ("2026-12-01T08%3A00%3A00Z", "{{time}}"), ("2025-12-01T08:00:00Z", "2025-12-01T08:00:00Z"),
    ("2026-12-01T08:00", "{{localtime}}"), ("20261201T080000Z", "{{compacttime}}"), ("20261201", "{{compactdate}}"),
    ("2026-12-01", "{{date}}"), ("2026-10-30", "2026-10-30"), ("01.12.2026", "{{date}}"),
    ("kJ8sQ2vX9zL4mN7pR1tY", "{{random1}}"), ("9b74c9897bac770ffc029102a200c5de", "{{hex1}}"),
    ("kJ8sQ/vX9zL4+N7pR1t=", "{{random1}}"), ("kJ8sQ%2FvX9zL4%2BN7pR1t%3D", "{{random1}}"),
    ("a-long-name-of-something-2024", "a-long-name-of-something-2024"),
    ("InternationalizationSettings", "InternationalizationSettings"), ("00000000000000000000", "00000000000000000000"),
    ("film-1", "film-1"), ("2", "2"),
  ]

  @Test("has placeholders for values that the next run may have others of, and nothing else", arguments: written)
  func values(value: String, written: String) {
    let text = Self.printed(made("PUT", "/?a=\(value)", asJSON + [("X-Key", value)], "{\"a\": \"\(value)\"}"))
    #expect(
      text
        == "PUT https://a.example/?a=\(written)\nContent-Type: application/json\nX-Key: \(written)\n\n{\n  \"a\": \"\(written)\"\n}"
    )
  }

  @Test("has a name for a value of a query without a name, and for a time in JSON without quotation marks")
  func names() {
    let text = Self.printed(
      made("POST", "/items?\(Self.ids[0])", asJSON, "{\"id\": \"\(Self.ids[1])\", \"at\": 1796112123}"),
      made("GET", "/items/\(Self.ids[1])", [("X-Request-ID", Self.ids[0])]))
    #expect(
      text == """
        POST https://a.example/items?{{uuid1}}
        Content-Type: application/json

        {
          "at": {{seconds}},
          "id": "{{uuid2}}"
        }

        ###
        GET https://a.example/items/{{uuid2}}
        X-Request-ID: {{uuid1}}
        """)
  }

  @Test("has the values of the machine as placeholders, which each machine checks")
  func machine() throws {
    let right = made(
      "GET", "/a", [("Accept-Language", "de-DE;q=1, en;q=0.9"), ("User-Agent", "xctest/RIGHT (macOS 15.1.0)")])
    let text = Self.printed(right)
    #expect(text.contains("Accept-Language: {{languages}}\nUser-Agent: {{process}}/RIGHT ({{system}})"))
    var elsewhere = testMachine
    (elsewhere.languages, elsewhere.process, elsewhere.systems) = (["fr", "de"], "App", ["Linux 6.1.0", "6.1.0"])
    func lines(_ language: String, _ agent: String) throws -> [String] {
      try report(text, [made("GET", "/a", [("Accept-Language", language), ("User-Agent", agent)])], on: elsewhere)
    }
    #expect(try lines("fr;q=1, de;q=0.5", "App/RIGHT (Linux 6.1.0)") == [])
    #expect(
      try lines("fr;q=1, de;q=0.5", "App/WRONG (Linux 6.1.0)").contains("- User-Agent: {{process}}/RIGHT ({{system}})"))
    #expect(try lines("fr;q=1, de;q=0.5", "xctest/RIGHT (Linux 6.1.0)") != [])
    #expect(try lines("xx;q=1", "App/RIGHT (Linux 6.1.0)").contains("+ Accept-Language: xx;q=1"))
  }

  @Test("counts requests in a row that differ only in an identifier of their own")
  func equalRequests() throws {
    func requests(_ ids: [Int]) -> [TranscribedRequest] {
      ids.map { made("PUT", "/a", asJSON, "{\"id\": \"\(Self.ids[$0])\"}") }
    }
    let text = Self.printed(made("GET", "/b"), requests([0])[0], requests([1])[0], requests([2])[0])
    #expect(text.contains("### ×3\nPUT https://a.example/a\n") && text.contains("\"id\": \"{{_:uuid}}\""))
    #expect(try report(text, [made("GET", "/b")] + requests([5, 3, 4])) == [])
    // Each must be another one.
    #expect(try report(text, [made("GET", "/b")] + requests([5, 3, 3])) != [])
    // A name that another request has, too, stays.
    let linked = Self.printed(requests([0])[0], requests([1])[0], made("GET", "/\(Self.ids[1])"))
    #expect(linked.contains("{{uuid1}}") && linked.contains("GET https://a.example/{{uuid2}}"))
  }

  @Test("has a boundary as a placeholder")
  func boundary() {
    let text = Self.printed(
      made("PUT", "/", [("Content-Type", "multipart/form-data; boundary=\"b1\"")], "--b1\r\nA: 1\r\n\r\nx\r\n--b1--"))
    #expect(
      text == "PUT https://a.example/\nContent-Type: multipart/form-data; boundary=\"{{boundary1}}\"\n\n"
        + "--{{boundary1}}\nA: 1\n\nx\n--{{boundary1}}--")
  }

  // MARK: Runs

  /// A run: when it was, in seconds after the first one, and what it sends.
  struct Run: Sendable {
    let time: TimeInterval
    let requests: [TranscribedRequest]

    init(_ time: TimeInterval, _ requests: TranscribedRequest...) {
      self.time = time
      self.requests = requests.map { request in
        var request = request
        request.madeAt.value = testMachine.now + time
        return request
      }
    }
  }

  /// Writes a file as runs do, one after another.
  static func file(_ runs: [Run], first: String? = nil) throws -> String {
    try runs.reduce(first) { text, run in
      var machine = testMachine
      machine.now += run.time
      guard let text else { return TranscriptDraft(run.requests, hiding: .none, on: machine).fileText }
      let earlier = try TranscriptText(text)
      machine.seenOnce = Set(earlier.note.digests.keys)
      let comparison = TranscriptComparison(run.requests, with: earlier.requests, machine)
      if comparison.isEqual, earlier.note.isEmpty { return text }
      return TranscriptDraft(run.requests, hiding: .none, after: earlier.note, comparison, on: machine).fileText
    } ?? ""
  }

  /// A request with a value in a header.
  static func sent(_ value: String, page: Int = 1) -> TranscribedRequest {
    made("GET", "/?page=\(page)", [("X", value)])
  }

  /// Values that runs have, with their times, and what the file has of them, and whether it is done.
  static let runs: [(runs: [(time: TimeInterval, value: String)], written: String, isDone: Bool)] = [
    ([(0, ids[0])], "{{uuid1}}", false), ([(0, ids[0]), (60, ids[1])], "{{uuid1}}", true),
    ([(0, ids[0]), (60, ids[0])], ids[0], true), ([(0, ids[0]), (60, ids[0]), (120, ids[0])], ids[0], true),
    // No time has passed.
    ([(0, ids[0]), (0.5, ids[0])], "{{uuid1}}", false), ([(0, ids[0]), (0.5, ids[0]), (60, ids[0])], ids[0], true),
    // Any value that differs becomes a placeholder.
    ([(0, "17"), (60, "33")], "{{_}}", true),
    ([(0, "session 17 of me"), (60, "session 33 of me")], "session {{_}} of me", true),
    ([(0, "1234567890123"), (60, "998877665544")], "{{number1}}", true), ([(0, "17"), (60, "17")], "17", true),
    ([(0, "true"), (60, "false")], "{{_}}", true),
    ([(0, "kettleBlueGarden"), (60, "garden1Kettle2")], "{{random1}}", true),
    ([(0, "deadbeefcafebabe1234"), (60, "zzzzbeefcafebabe1234")], "{{hex1:random}}", true),
    // A change after two runs is on purpose.
    ([(0, "17"), (60, "17"), (120, "33")], "33", false),
    ([(0, "17"), (60, "17"), (120, "33"), (180, "33")], "33", true),
    ([(0, ids[0]), (60, ids[1]), (120, "none")], "none", false),
    // A fixed date of today is a value as soon as runs on two days agree.
    ([(0, "2026-12-01")], "{{date}}", false), ([(0, "2026-12-01"), (60, "2026-12-01")], "{{date}}", false),
    ([(0, "2026-12-01"), (60, "2026-12-01"), (86_400, "2026-12-01")], "2026-12-01", true),
    ([(0, "2026-12-01"), (86_400, "2026-12-02")], "{{date}}", true),
    ([(0, "2026-12-01T08:00:00Z"), (0.2, "2026-12-01T08:00:00Z"), (90_000, "2026-12-02T08:00:00Z")], "{{time}}", true),
    ([(0, "2026-12-01T08:00:00Z"), (3_600, "2026-12-01T08:00:00Z")], "{{time}}", false),
    ([(0, "2026-12-01T08:00:00Z"), (90_000, "2026-12-01T08:00:00Z")], "2026-12-01T08:00:00Z", true),
  ]

  @Test("by several runs has placeholders for what differed, and values for what was the same", arguments: runs)
  func severalRuns(runs: [(time: TimeInterval, value: String)], written: String, isDone: Bool) throws {
    let text = try Self.file(runs.map { Run($0.time, Self.sent($0.value)) })
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.filter { !$0.hasPrefix("#") } == ["GET https://a.example/?page=1", "X: \(written)"], "\(text)")
    #expect(lines.contains { $0.hasPrefix("#") } == !isDone, "\(text)")
    // The last run passes.
    let last = runs[runs.count - 1]
    var machine = testMachine
    machine.now += last.time
    machine.seenOnce = Set(RunNote(in: text).digests.keys)
    #expect(try report(text, [Self.sent(last.value)], on: machine) == [])
  }

  @Test(
    "reddens nothing for a fixed date of today, on whatever day the next run is",
    arguments: [0.1, 60, 90_000, 9_000_000])
  func fixedDates(later: TimeInterval) throws {
    let text = try Self.file([Run(0, Self.sent("2026-12-01"))])
    var machine = testMachine
    machine.now += later
    machine.seenOnce = Set(RunNote(in: text).digests.keys)
    #expect(try report(text, [Self.sent("2026-12-01")], on: machine) == [])
    #expect(try report(text, [Self.sent("2026-08-01")], on: machine) != [])
  }

  @Test("keeps the placeholders that fit, and what was written by hand, if something else changes")
  func anew() throws {
    let own = "PUT https://a.example/{{item:uuid}}\nX: {{_}}\n\nhello {{name}}\n"
    let text = try Self.file(
      [
        Run(0, made("PUT", "/\(Self.ids[0])", [("X", "k"), ("Y", "1")], "hello Ann")),
        Run(60, made("PUT", "/\(Self.ids[1])", [("X", "l"), ("Y", "1")], "hello Bob")),
      ],
      first: own)
    #expect(text == "PUT https://a.example/{{item:uuid}}\nX: {{_}}\nY: 1\n\nhello {{name}}\n")
  }

  @Test("shows a change of the client that comes between the two runs as it is")
  func changed() throws {
    let text = try Self.file([
      Run(0, Self.sent("17")), Run(60, Self.sent("33"), made("GET", "/ads")),
      Run(120, Self.sent("33"), made("GET", "/ads")),
    ])
    #expect(text == "GET https://a.example/?page=1\nX: 33\n\n###\nGET https://a.example/ads\n")
  }

  /// A client with times, identifiers and random numbers.
  private static func client(_ dice: inout Dice, at time: TimeInterval) -> [TranscribedRequest] {
    func id() -> String {
      let digits = (0..<32).map { _ in String(dice.below(16), radix: 16) }.joined()
      return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(digits)[$0]) }.joined(separator: "-")
    }
    func word(_ count: Int) -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
      return String((0..<count).map { _ in letters[dice.below(62)] })
    }
    let now = Date(timeIntervalSince1970: time)
    let later = Date(timeIntervalSince1970: time + Double(dice.below(3)))
    let (session, order) = (id(), id())
    var requests = [
      made(
        "POST", "/sessions",
        asJSON + [("X-Trace", "\(dice.below(Int.max))"), ("X-Nonce", Data(word(17).utf8).base64EncodedString())],
        "{\"id\":\"\(session)\",\"at\":\"\(now.formatted(.iso8601))\",\"ms\":\(Int(time * 1_000)),\"day\":\"\(now.formatted(.iso8601).prefix(10))\",\"dice\":\(dice.below(1_000_000)),\"jitter\":\(Double(dice.below(10_000_000)) / 10_000_000)}"
      ),
      made(
        "GET", "/orders/\(order)?_=\(Int(time))&k=\(word(24))&born=1990-01-01",
        [("X-Session", session), ("X-Coin", "\(dice.below(1_000_000))")]),
      made(
        "PUT", "/log", asText,
        "\(now.formatted(.iso8601)) begin\n\(later.formatted(.iso8601)) took \(dice.below(900_000)) ms\nend \(word(8))"),
      made("GET", "/orders/\(order)/\(dice.below(1_000_000))"),
    ]
    for _ in 0..<10 { requests.append(made("POST", "/events", asJSON, "{\"id\":\"\(id())\",\"n\":\(dice.below(50))}")) }
    return requests.map { request in
      var request = request
      request.madeAt.value = time
      return request
    }
  }

  @Test(
    "by two runs of a client with times, identifiers and random numbers fits each other run, on any day",
    arguments: 1...40)
  func rightClient(seed: Int) throws {
    var dice = Dice(state: UInt64(seed))
    var text = ""
    for time in [0, 30] as [TimeInterval] {
      var machine = testMachine
      machine.now += time
      let requests = Self.client(&dice, at: machine.now)
      let earlier = try TranscriptText(text)
      machine.seenOnce = Set(earlier.note.digests.keys)
      let comparison = TranscriptComparison(requests, with: earlier.requests, machine)
      text =
        TranscriptDraft(requests, hiding: .none, after: earlier.note, text.isEmpty ? nil : comparison, on: machine)
        .fileText
    }
    for run in 0..<20 {
      var machine = testMachine
      machine.now += Double(run) * 90_000
      machine.seenOnce = Set(RunNote(in: text).digests.keys)
      let lines = try report(text, Self.client(&dice, at: machine.now), on: machine)
      try #require(lines == [], "\(run): \(text)")
    }
    #expect(text.contains("### ×10\nPOST https://a.example/events"), "\(text)")
    #expect(text.contains("born=1990-01-01") && text.contains("{{time}} begin"), "\(text)")
  }
}
