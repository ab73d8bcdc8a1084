import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// What the reader of structure makes of texts, whatever they are.
@Suite("The structure of a text", .inTurn)
struct StructureTests {
  /// A random JSON text, with the path of one of its strings.
  private struct RandomJSON {
    var random: SplitMix64
    private(set) var paths: [(path: String, value: String)] = []

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private static let texts = [
      "", "a", "x9-zk2q7", "{", "}", "[1,", "a: b", "\"", "\\", "Ünal", "🙂", "</a>", "&amp;", "a=b&c=d", "\n", "// x",
      "# x", "'", "`", "<a>", "12", "true", "- x", "%7B", "http://a.example/b?c=d", "\u{1}", ",", ":", "(", "a\tb",
      "a\u{A0}b",
      "“a”", "│", "a：b", "\u{200B}",
    ]
    private static let names = ["a", "b c", "d\"e", "", "f:g", "{", "h-i", "é", "j,k", "l]", "m\u{A0}n", "│", "o=p"]

    private mutating func quoted(_ text: String) -> String {
      let isEscaped = pick(3) == 0
      let characters = text.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case "/" where isEscaped: "\\/"
        case _ where scalar.value < 0x20 || isEscaped && scalar.value > 0x7F:
          String(scalar).utf16.map { "\\u" + String(Int($0) | 0x10000, radix: 16).dropFirst() }.joined()
        default: String(scalar)
        }
      }
      return "\"\(characters.joined())\""
    }

    private mutating func space() -> String { ["", "", "", " ", "\n  ", "\r\n"][pick(6)] }

    mutating func value(at path: String, depth: Int) -> String {
      let kind = depth > 4 ? 2 + pick(4) : pick(6)
      switch kind {
      case 0:
        var names = Set<String>()
        let members = (0..<pick(4)).compactMap { _ -> String? in
          let name = Self.names[pick(Self.names.count)]
          guard names.insert(name).inserted else { return nil }
          let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
          return space() + quoted(name) + space() + ":" + space() + value(at: "\(path)/\(escaped)", depth: depth + 1)
        }
        return "{\(members.joined(separator: "\(space()),"))\(space())}"
      case 1:
        let elements = (0..<pick(4)).map { space() + value(at: "\(path)/\($0)", depth: depth + 1) }
        return "[\(elements.joined(separator: "\(space()),"))\(space())]"
      case 2: return ["true", "false", "null"][pick(3)]
      case 3: return ["0", "-1.5", "12e+3", "1234567", "0.1"][pick(5)]
      default:
        let text = Self.texts[pick(Self.texts.count)]
        if !text.isEmpty { paths.append((path, text)) }
        return quoted(text)
      }
    }
  }

  @Test("of JSON is what a parser says: a path leads to the same values in each of many random texts")
  func json() async throws {
    try await onOwnThread {
      for number in 0..<TestSize.of(10_000, inPart: 1_500) {
        var random = RandomJSON(random: SplitMix64(seed: UInt64(number)))
        let text = random.value(at: "", depth: 0)
        guard let (path, value) = random.paths.last, !path.isEmpty else { continue }
        let body = Data(text.utf8)
        let archive = HTTPArchive(RedactionTests.entry("/", answer: text, "application/json"))
        let (redacted, report) = archive.redactedAndReported([.json(at: path)])
        let left = try #require(redacted.entries[0].response?.body)
        let (before, after) = (try StubJSON(parsing: body), try StubJSON(parsing: left))
        let steps = try JSONPath(parsing: path)
        #expect(report.count == 1, "\(path) of \(text)")
        #expect(steps.value(in: before) == .string(value), "\(path) of \(text)")
        #expect(steps.value(in: after) != steps.value(in: before), "\(path) of \(text)")
        // All else is as it was, byte by byte: the text differs by as much as its value and the placeholder do.
        let placeholder = try #require(redacted.entries[0].redacted?.first)
        #expect(steps.value(in: after) == .string(placeholder), "\(path) of \(text)")
        let removedCount = body.count - (left.count - placeholder.utf8.count)
        #expect(Self.lengths(of: value).contains(removedCount), "\(path) of \(text)")
      }
    }
  }

  @Test(
    "of JSON tells a member with an empty name from an element, which has none",
    arguments: [
      // The body, a JSON Pointer, and what redacting the value there leaves. "/" is the member named "", "/0" the
      // first element. The "a" and "b" of rows 1 and 2 look like the beginning of a list.
      (#"{"a":"[1,","":":"}"#, "/", #"{"a":"[1,","":"REDACTED"}"#),
      (#"{"b":"- x","":"x9-zk2q7"}"#, "/", #"{"b":"- x","":"REDACTED"}"#),
      (#"["x9-zk2q7"]"#, "/", #"["x9-zk2q7"]"#),
      (#"["x9-zk2q7"]"#, "/0", #"["REDACTED"]"#),
      (#"{"":"x9-zk2q7"}"#, "/0", #"{"":"x9-zk2q7"}"#),
    ])
  func emptyNames(body: String, path: String, left: String) throws {
    let archive = HTTPArchive(RedactionTests.entry("/", answer: body, "application/json"))
    let (redacted, _) = archive.redactedAndReported([.json(at: path)])
    #expect(redacted.entries[0].response?.body.text == left)
  }

  /// The texts of JSON in the tables of bodies, and in archives that other tools have recorded.
  private static func texts() throws -> [String] {
    let rows = try ["bodies", "containers", "ordinary"].flatMap { try PlantedSecret.rows("Redaction/\($0)") }
    let marked = (rows.compactMap(\.last) + SecretPlace.all.map(\.text)).map { text in
      text.replacing(#/«([^»→]*)(?:→[^»]*)?»/#) { String($0.1) }
    }
    let bodies = try ["charles", "chrome", "firefox", "mitmproxy", "safari"].flatMap { name in
      let file = Bundle.module.url(forResource: "Fixtures/Archives/\(name)", withExtension: "har")
      return try HTTPArchive(contentsOf: try #require(file)).entries.flatMap { entry in
        [entry.request.httpBody, entry.response?.body].compactMap { $0?.text }
      }
    }
    return (marked + bodies).unique
  }

  /// The strings and the numbers of a value, by their paths.
  private static func leaves(of value: StubJSON, at path: String = "") -> [(path: String, value: StubJSON)] {
    switch value {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, member in
        leaves(of: member, at: "\(path)/\(name.replacing("~", with: "~0").replacing("/", with: "~1"))")
      }
    case .array(let elements): elements.enumerated().flatMap { leaves(of: $1, at: "\(path)/\($0)") }
    case .string(""), .bool, .null: []
    case .string, .number: [(path, value)]
    }
  }

  @Test("of JSON is what a parser says in bodies as they are sent: paths lead to their own values alone")
  func bodies() async throws {
    let count = try await onOwnThread {
      var count = 0
      for text in try Self.texts() {
        guard let before = try? StubJSON(parsing: Data(text.utf8)) else { continue }
        let leaves = Self.leaves(of: before).filter { !$0.path.isEmpty }
        for isOdd in leaves.isEmpty ? [] : [false, true] {
          let chosen = Set(leaves.enumerated().filter { $0.offset.isMultiple(of: 2) != isOdd }.map(\.element.path))
          let archive = HTTPArchive(RedactionTests.entry("/", answer: text, "application/json"))
          let redacted = archive.redactedAndReported(chosen.sorted().map { .json(at: $0) }).archive
          let after = try StubJSON(parsing: try #require(redacted.entries[0].response?.body))
          // What is replaced somewhere is so elsewhere, and JSON in a text has paths of its own.
          let values = leaves.filter { chosen.contains($0.path) }.map { "\($0.value)".trimmingCharacters(in: ["\""]) }
          for (path, value) in leaves {
            let left = try JSONPath(parsing: path).value(in: after)
            count += 1
            if chosen.contains(path) {
              #expect(left != value, "\(path) of \(text)")
            } else if !values.contains(where: "\(value)".contains), !"\(value)".contains("{") {
              #expect(left == value, "\(path) of \(text)")
            }
          }
        }
      }
      return count
    }
    #expect(count > 500)
  }

  /// How many bytes a value has with few escapes, and with many.
  private static func lengths(of value: String) -> [Int] {
    [false, true].map { isEscaped in
      value.unicodeScalars.reduce(0) { length, scalar in
        switch scalar {
        case "\"", "\\", "\n", "\t": length + 2
        case "/" where isEscaped: length + 2
        case _ where scalar.value < 0x20 || isEscaped && scalar.value > 0x7F: length + 6 * String(scalar).utf16.count
        default: length + String(scalar).utf8.count
        }
      }
    }
  }

  @Test("stays as it is if nothing is replaced", arguments: SecretPlace.all)
  func same(_ place: SecretPlace) {
    let entry = RedactionTests.entry("/", answer: place.text, place.type)
    #expect(HTTPArchive(entry).redactedAndReported([.secret("none of these")]).archive.entries == [entry])
  }

  /// What repeats, and could make a search begin again at each place, or end the process.
  private static let parts = [
    "a=", "- ", "\\\"", "{", "[", "(", "{\"", "[\"a\",", "<a>", "<a", "</a>", "<!--", "<![CDATA[", "a: ", "a:\n",
    "- a\n",
    "\"a\":", "\"", "'", "`", "\"\"\"", "//", "/*", "# ", "a,", "a|", "|", "a,b\n", "[a]\n", "]", "}{", "%7B", "%25",
    "&amp;", "QUJD",
    "eyJ.", "a[b]", "a[b]=", "a=b&", "a:b ", "key=\"", "password: ", "password=", "<key>a</key>", "\\", "\\u0022",
    "x: |\n  a\n",
    "--a ", "a: {", "\u{FEFF}", "token(", "a::", "://", "http://a/?b=", "\t", "\n", "7B22", "::", "&", "?", "a\u{0}",
    "<script>", "<table><tr><th>token</th>", "password,b\n", "\"token\",", "[[\"token\",", "eyJhIjoi", "\r", "▿ ",
    "data:", "data:{\ndata:\n", "41 ", "41:", "\\x41", "&amp;quot;", "\u{1B}[0m", "? a\n: ", "a=“", "a=/*", "a /**/",
    "token  b\n",
    "password:\nx9-zk2q7\n", "a: b\n\n", "－", "│", "x \"a\" {", "-ua:", "token|b\n",
  ]

  @Test("with one part thousands of times is read without a crash", arguments: parts.map(Lines.init(_:)))
  func repeated(_ part: Lines) async throws {
    let ended = try await onOwnThread {
      for count in [1, 2, 3, 50, TestSize.of(20_000, inPart: 2_000)] {
        let text = String(repeating: part.text, count: count)
        for (type, body) in [("text/plain", text), ("application/json", text + #""secret": "x9-zk2q7""#)] {
          let entry = RedactionTests.entry("/", answer: body, type)
          _ = HTTPArchive(entry).redactedAndReported(.standard).archive.entries.count
        }
      }
      return true
    }
    #expect(ended)
  }
}
