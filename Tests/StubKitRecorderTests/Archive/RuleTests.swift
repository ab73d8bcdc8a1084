import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// The tables of rules, row by row, and the table of decisions.
@Suite("The rules of the standard redactions", .inTurn)
struct RuleTests {
  private static let random = PlantedSecret.random(990)

  /// Whether anything is replaced in an example: a request if it begins as that of `asked(_:)` does, or the body of a
  /// response.
  private static func isReplaced(_ example: String) -> Bool {
    let isAsked = ["< ", "/", "@", "form < ", "parts:"].contains(where: example.hasPrefix)
    let entry =
      isAsked
      ? RedactionTests.entry(example)
      : RedactionTests.entry("/", answer: example, example.hasPrefix("{") ? "application/json" : "text/html")
    return HTTPArchive(entries: [entry]).redacted(.standard + [.secret("own")]).entries != [entry]
  }

  /// A value below a name, where the name counts.
  private static func example(_ name: String, _ place: String) -> String {
    switch place {
    case "header": "@\(name)=\(random)"
    case let place where place.hasPrefix("query"):
      "/?\(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)=\(random)"
    case "form": "form < \(name)=\(random)"
    case "word": "< Use \(name) \(random)"
    case "sent": "< {\"\(name)\": \"\(random)\"}"
    default: "{\"\(name)\": \"\(random)\", \"other\": 1}"
    }
  }

  @Test("replace the example of a row of names or words, and leave its other one")
  func examples() {
    for row in NameRules.rows.rows + WordRules.rows.rows {
      #expect(Self.isReplaced(row[row.count - 2]), "\(row)")
      #expect(!Self.isReplaced(row[row.count - 1]), "\(row)")
    }
  }

  @Test("replace the random value of each name")
  func names() {
    for row in NameRules.rows.rows {
      guard row.count == 6, !row[3].isEmpty, SecretName.Sureness(rawValue: row[1]) != nil else {
        Issue.record("A row has six columns, how sure it is, and a source: \(row)")
        continue
      }
      for name in row[0].split(separator: " ") {
        let form = name.first
        let text = name.drop { "*~=+".contains($0) }
        let isPublic = row[1] == "public" || row[1] == "described"
        // What says least needs a word before it.
        let example = Self.example((form == "+" ? "my_" : "") + text, row[2])
        if row[2] != "header" || text.allSatisfy(\.isASCII) {
          #expect(Self.isReplaced(example) != isPublic, "\(name): \(example)")
        }
      }
    }
  }

  @Test(
    "replace the value of a name in each place in which it counts",
    arguments: [
      "/?nonce=\(random)", "/#nonce=\(random)", "form < nonce=\(random)", "{\"nonce\": \"\(random)\"}",
      "parts:b < nonce=\(random)", "< {\"code_confirmation\": \"39207714\"}",
    ])
  func places(_ example: String) {
    #expect(Self.isReplaced(example))
  }

  @Test("replace the random value of a header of an answer that has the name after X-")
  func headersOfAnswers() {
    for name in ["X-Nonce", "X-Refresh", "X-Access", "Nonce"] {
      var entry = RedactionTests.entry("/")
      entry.response?.headers = [name: Self.random]
      #expect(HTTPArchive(entry).redacted(.standard).entries != [entry], "\(name)")
    }
  }

  @Test("replace what begins like the key of a service, and leave words in its place")
  func shapes() {
    let words = "some-words-which-name-things-that-services-document-without"
    let texts = ShapeRules.rows.rows.flatMap { $0[0].split(separator: " ").map(String.init) }
    for row in ShapeRules.rows.rows {
      guard row.count == 4, !row[3].isEmpty, row[1].contains(" ") else {
        Issue.record("A row has four columns, a set with a number, and a source: \(row)")
        continue
      }
      let after = row[1].split(separator: " ").map(String.init)
      let before = row[2].split(separator: " ").map(String.init)
      func random(_ set: String, _ count: Int, _ seed: Int) -> String {
        let isHexadecimal = ["hexadecimal", "uuid"].contains(set)
        let alphabet = isHexadecimal ? "0a1b2c3d4e5f" : ["upper": "A2B3C4D5E6F7", "digit": "1029384756"][set] ?? ""
        if alphabet.isEmpty { return String(PlantedSecret.random(seed, max(2, count)).prefix(count)) }
        return String((0..<count).map { Array(alphabet)[($0 * 7 + seed) % alphabet.count] })
      }
      for (seed, text) in row[0].split(separator: " ").map(String.init).enumerated() {
        // What it begins has to have a full stop, or another line.
        if text == "eyJ" || text == "-----BEGIN" { continue }
        let start = before.count == 3 ? random(before[0], Int(before[1])!, seed + 1) : ""
        let end = random(after[0], Int(after[1])!, seed + 500)
        #expect(Self.isReplaced("<p>Use \(start)\(text)\(end) here</p>"), "\(text): \(row)")
        // One that begins like another one, such as `sk-or-v1-` like `sk-`, has that one's words.
        if texts.contains(where: { text != $0 && text.hasPrefix($0) }) { continue }
        #expect(!Self.isReplaced("<p>Use \(before.isEmpty ? "" : "a")\(text)\(words) here</p>"), "\(text): \(row)")
      }
    }
  }

  @Test("decide as the guide's table says")
  func decisions() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Sources/StubKit/StubKit.docc/RecordingAndReplaying.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains(SecretDecision.table))
    // Its head has two lines.
    #expect(SecretDecision.table.rows.count == SecretValue.allCases.count + 2)
    let rows: [(SecretValue, String)] = [
      (.constant, "null"), (.constant, "***"), (.pair, "12"), (.three, "417"), (.digits, "493817"),
      (.digits, "493 817"), (.longDigits, "12345678"), (.word, "2026-03-01"),
      (.word, "https://a.example/b"), (.uuid, "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"), (.word, "blue-kettle"),
      (.numbered, "blue-kettle-77"), (.sentence, "is too short"), (.passphrase, "correct horse battery staple"),
      (.other, "a1b2"), (.other, "x9-zk2q7"), (.other, "IAgul9[OnH29]B]5H"), (.random, "k7Rw2xQ9Zt4Vb8Nm"),
      (.random, "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"),
    ]
    for (kind, text) in rows { #expect(SecretValue(text) == kind, "\(text)") }
    #expect(SecretValue("493817", isNumber: true) == .number)
    #expect(SecretValue("41", isNumber: true) == .pair)
  }
}
