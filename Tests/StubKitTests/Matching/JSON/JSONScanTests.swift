import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub that is known by a place in JSON finds what the parsed body has there", .inTurn)
struct JSONScanTests {
  private typealias Row = (path: String, value: StubJSON, body: String, isMet: Bool)

  private static let rows: [Row] = [
    ("a", 1, #"{"b":2,"a":1}"#, true), ("a", 1, #"{"b":{"a":1}}"#, false), ("", 1, "1", true), ("", 1, "[1]", false),
    // A key can be an index, and an index is no key.
    ("a.0", 5, #"{"a":{"0":5}}"#, true), ("a[0]", 5, #"{"a":{"0":5}}"#, false), ("/a/0", 5, #"{"a":[5]}"#, true),
    ("a[0]", 5, #"{"a":[5]}"#, true), ("a[1]", 5, #"{"a":[5]}"#, false), ("a.00", 5, #"{"a":[5]}"#, false),
    ("[1].a", 5, #"[{"a":4},{"a":5}]"#, true), ("a.b", 5, #"{"a":{"c":[{"b":5}],"b":5}}"#, true),
    // The last of two members counts.
    ("a", 1, #"{"a":1,"a":2}"#, false), ("a", 2, #"{"a":1,"a":2}"#, true), ("a", 1, #"{"a":1,"a":{}}"#, false),
    ("a.b", 1, #"{"a":{"b":1},"a":{}}"#, false), ("a.b", 1, #"{"a":{},"a":{"b":1}}"#, true),
    ("a.b", 1, #"{"a":{"b":1},"a":2}"#, false), ("a.b", 1, #"{"a":{"b":1},"\u0061":{"c":1}}"#, false),
    ("a.b", 1, #"{"a":[1],"a":{"b":1}}"#, true),
    // Of keys that Swift finds equal, too: a letter and its accent, and the sign of a kelvin.
    ("é", 1, #"{"é":1}"#, true), ("é", 1, #"{"e\u0301":1}"#, false), ("é", 1, #"{"é":1,"e\u0301":2}"#, false),
    ("K", 1, "{\"K\":1,\"\u{212A}\":2}", false), ("K", 1, "{\"\u{212A}\":2,\"K\":1}", true),
    ("a", "é", #"{"a":"é"}"#, true), ("a", "é", #"{"a":"e\u0301"}"#, false),
    // Escapes and surrogates.
    ("a", 1, #"{"\u0061":1}"#, true), ("a", "b", #"{"a":"\u0062"}"#, true),
    (#"["a/b"]"#, 1, #"{"a\/b":1}"#, true), ("a", "😀", #"{"a":"\ud83d\ude00"}"#, true),
    ("a", 1, #"{"a":1,"b":"\ud83d"}"#, false), ("a", 1, #"{"a":1,"\ud83d":2}"#, false),
    ("a", 1, #"{"a":1,"b":"\ud83d\ude00"}"#, true),
    // A number is the decimal that it is written as, and fits into a Double.
    ("a", 1, #"{"a":1.0}"#, true), ("a", 1.0, #"{"a":10e-1}"#, true), ("a", 1, #"{"a":"1"}"#, false),
    ("a", 1, #"{"a":1.00000000000000000001}"#, false), ("a", 0, #"{"a":-0}"#, true),
    ("a", 1, #"{"a":1,"b":1e400}"#, false), ("a", 1, #"{"a":1,"b":[1E308]}"#, true),
    ("a", 1, #"{"a":1,"b":\#(String(repeating: "9", count: 400))}"#, false), ("a", true, #"{"a":1}"#, false),
    ("a", nil, #"{"a":null}"#, true), ("a", nil, "{}", false),
    // Arrays and objects.
    ("a", [], #"{"a":[]}"#, true), ("a", [:], #"{"a":[]}"#, false), ("a", ["b": 1], #"{"a":{"b":1}}"#, true),
    ("a", ["b": 1], #"{"a":{"b":1,"c":2}}"#, false),
    // What isn't JSON.
    ("a", 1, #"{"a":1"#, false), ("a", 1, #"{"a":1} x"#, false), ("a", 1, #"{"a":1,"b":01}"#, false),
    ("a", 1, "\u{FEFF}{\"a\":1}", true), ("a", 1, "", false),
    ("a", 1, #"{"a":1,"b":\#(nested(127))}"#, true), ("a", 1, #"{"a":1,"b":\#(nested(128))}"#, false),
  ]

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test("where the two could differ", arguments: rows.indices)
  func row(_ number: Int) {
    let (path, value, body, isMet) = Self.rows[number]
    let condition = hasJSON(at: path, equals: value)
    let registry = StubRegistry()
    let stub = stub(condition: condition, response: .status(204), in: registry)
    // Another one, so that more than one place is looked for.
    StubKit.stub(condition: hasJSON(at: "a.c.d", equals: "none"), response: .status(204), in: registry)
    #expect(condition.isMetByTree(of: post(body)) == isMet, "the tree: \(condition) \(body)")
    #expect(condition.matches(post(body)) == isMet, "the place: \(condition) \(body)")
    #expect((registry.search(for: post(body)) === stub) == isMet, "the index: \(condition) \(body)")
  }

  @Test("for a body that is no UTF-8, which is none")
  func notUTF8() {
    let registry = StubRegistry()
    stub(condition: hasJSON(at: "a", equals: 1), response: .status(204), in: registry)
    var request = post("")
    request.httpBody = Data(#"{"a":1,"b":""#.utf8) + [0xFF] + Data(#""}"#.utf8)
    #expect(registry.search(for: request) == nil)
  }

  @Test("for a body that is a slice, whose indices don't begin at zero")
  func slice() {
    let registry = StubRegistry()
    stub(condition: hasJSON(at: "a", equals: 1), response: .status(204), in: registry)
    var request = post("")
    request.httpBody = Data(#"xx{"a":1}"#.utf8).dropFirst(2)
    #expect(registry.search(for: request) != nil)
  }

  /// `STUBKIT_EQUIVALENCE_SEED` and `STUBKIT_EQUIVALENCE_CASES` change the run.
  @Test("for random stubs and bodies")
  func everyCase() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_EQUIVALENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999_999)
    let wanted = environment["STUBKIT_EQUIVALENCE_CASES"].flatMap(Int.init) ?? 5_000
    let (cases, matched) = try await onOwnThread {
      var (cases, matched, roundSeed) = (0, 0, seed)
      while cases < wanted {
        var round = JSONRound(seed: roundSeed)
        let found = try round.run()
        (cases, matched, roundSeed) = (cases + found.cases, matched + found.matched, roundSeed &+ 1)
      }
      return (cases, matched)
    }
    print("JSON: seed \(seed), \(cases) cases, of which \(matched) matched")
    #expect((3...50).contains(matched * 100 / cases), "the generator is off: \(matched) of \(cases) match a stub")
  }
}

extension RequestMatcher {
  /// Returns whether a request meets the condition if its JSON has been parsed before a place in it is looked for.
  fileprivate func isMetByTree(of request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    _ = facts.json
    return isMet(by: &facts)
  }
}

/// Some stubs that are known by places in JSON, and bodies of the same few keys and values.
private struct JSONRound {
  private struct Fault: Error, CustomStringConvertible { let description: String }

  private static let keys = ["a", "b", "0", "1"]
  private static let oddKeys = [#"\u0061"#, "é", #"e\u0301"#, #"\u0030"#, "K", "\u{212A}", "c", "a key", #"\ud83d"#]
  private static let scalars = [
    "1", "1", "1", "1.0", "1e0", "10e-1", "2", "true", "null", #""a""#, #""a""#, #""\u0061""#,
  ]
  private static let oddScalars = [
    "-0", "0", "1e400", "1.00000000000000000001", "12345678901234567890", #""é""#, #""e\u0301""#, #""\ud83d\ude00""#,
    #""\ud83d""#, #""a text of some length""#, "[]", "{}", "[ ]", "{ }",
  ]

  private let seed: UInt64
  private var random: SplitMix64

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  mutating func run() throws -> (cases: Int, matched: Int) {
    let registry = StubRegistry()
    let conditions = (0...random.below(6)).map { _ in condition() }
    let stubs = conditions.map { stub(condition: $0, response: .status(204), in: registry) }
    var matched = 0
    for _ in 0..<40 {
      let body = random.chance(percent: 6) ? broken(value(3)) : value(3)
      let request = post(body)
      let expected = stubs.last { $0.condition.isMetByTree(of: request) }
      guard registry.search(for: request) === expected else {
        throw Fault(
          description: """
            seed \(seed): \(body)
            the tree meets \(expected.map { "\($0.condition)" } ?? "none") of \(conditions)
            """)
      }
      if expected != nil { matched += 1 }
    }
    return (40, matched)
  }

  private mutating func condition() -> RequestMatcher {
    let one = criterion()
    return switch random.below(6) {
    case 0: one && criterion()
    case 1: one || criterion()
    case 2: isMethod(.post) && one
    default: one
    }
  }

  private mutating func criterion() -> RequestMatcher {
    if random.chance(percent: 15) {
      let part = StubJSON.object([random.pick(Self.keys): literal()])
      return random.chance(percent: 50) ? hasJSONBody(containing: part) : hasJSONBody(part)
    }
    let path = (0..<1 + random.below(2)).map { _ in
      random.chance(percent: 25) ? "[\(random.below(2))]" : #"["\#(key(["é", "e\u{301}", "K", "c"]))"]"#
    }
    return hasJSON(at: path.joined(), equals: literal())
  }

  /// One of the common keys, or seldom another one.
  private mutating func key(_ others: [String]) -> String {
    random.pick(random.chance(percent: 90) ? Self.keys : others)
  }

  private mutating func literal() -> StubJSON {
    if random.chance(percent: 75) { return random.pick([1, 1, 1, 2, "a", true, nil]) }
    return random.pick([0, "1", "é", "e\u{301}", "😀", [], [:], [1], ["a": 1]])
  }

  /// The text of a value. The outermost one is mostly an object.
  private mutating func value(_ depth: Int) -> String {
    let isOutermost = depth == 3
    switch random.below(100) {
    case 0..<(isOutermost ? 5 : 55): return scalar()
    case 0..<(isOutermost ? 20 : 75) where depth > 0:
      return "[\((0..<random.below(4)).map { _ in value(depth - 1) }.joined(separator: ","))]"
    case _ where depth > 0:
      let members = (0..<1 + random.below(5)).map { _ in
        "\"\(random.chance(percent: 98) ? key(["c"]) : random.pick(Self.oddKeys))\": \(value(depth - 1))"
      }
      return "{\(members.joined(separator: ", "))}"
    default: return scalar()
    }
  }

  private mutating func scalar() -> String {
    random.pick(random.chance(percent: 96) ? Self.scalars : Self.oddScalars)
  }

  /// The text without a byte, or with another one.
  private mutating func broken(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let place = random.below(bytes.count)
    if random.chance(percent: 50) {
      bytes.remove(at: place)
    } else {
      bytes.insert(random.pick([0x2C, 0x7D, 0x22, 0x31]), at: place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
