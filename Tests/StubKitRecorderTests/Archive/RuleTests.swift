import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// The tables of rules, row by row, and the table of decisions.
@Suite("The rules of the standard redactions", .inTurn)
struct RuleTests {
  private static let random = PlantedSecret.random(990)

  /// Whether anything is replaced in an example.
  private static func isReplaced(_ example: RuleExample.Exchange) -> Bool {
    let entry =
      switch example {
      case .answer(let body):
        RedactionTests.entry("/", answer: body, body.hasPrefix("{") ? "application/json" : "text/html")
      case .request(let body): RedactionTests.entry("< \(body)")
      case .form(let body): RedactionTests.entry("form < \(body)")
      case .address(let address): RedactionTests.entry(address)
      case .field(let name, let value): RedactionTests.entry("@\(name)=\(value)")
      }
    return HTTPArchive(entries: [entry]).redactedAndReported(.named + [.secret("own")]).archive.entries != [entry]
  }

  /// Whether anything is replaced in a request, which begins as that of `asked(_:)` does.
  private static func isReplaced(asked request: String) -> Bool {
    let entry = RedactionTests.entry(request)
    return HTTPArchive(entries: [entry]).redactedAndReported(.named).archive.entries != [entry]
  }

  @Test(
    "replace an example for each rule about a name or a word, and leave its counterexample", arguments: RuleExample.all)
  func examples(_ example: RuleExample) {
    #expect(Self.isReplaced(example.hides))
    #expect(!Self.isReplaced(example.keeps))
  }

  @Test("have a row of words for each role")
  func roles() { #expect(SecretFinder.Role.allCases.filter { WordRules.roles[$0] == nil } == []) }

  /// A value below a name, in a place.
  private static func example(_ name: String, in place: Leaf.Place, isSent: Bool) -> RuleExample.Exchange {
    switch place {
    case .header: .field(name, random)
    case .query: .address("/?\(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)=\(random)")
    case .form: .form("\(name)=\(random)")
    case .word: .request("Use \(name) \(random)")
    case .cookie: .field("Cookie", "\(name)=\(random)")
    default: isSent ? .request("{\"\(name)\": \"\(random)\"}") : .answer("{\"\(name)\": \"\(random)\", \"other\": 1}")
    }
  }

  @Test("replace the random value of each name in each place in which it counts")
  func names() {
    for rule in NameRules.all {
      let isPublic = rule.sureness == .public || rule.sureness == .described
      // What says least needs a word before it.
      let after = rule.afterWord.map { "my_\($0)" }
      for name in rule.names + rule.endings + rule.words + rule.wholes + after {
        for place in (rule.places ?? [.member]).subtracting([.part]) {
          if place == .header || place == .cookie, !name.allSatisfy(\.isASCII) { continue }
          let example = Self.example(name, in: place, isSent: rule.isOnlyInRequests)
          #expect(Self.isReplaced(example) != isPublic, "\(name): \(example)")
        }
      }
    }
  }

  private static func isKnown(_ name: String) -> Bool { name.withUTF8Bytes { KnownNames.all.contain($0) } }

  @Test("know each of their names, however it is written")
  func known() {
    for rule in NameRules.all {
      for name in rule.names + rule.endings + rule.words + rule.wholes + rule.afterWord {
        let words = name.split(separator: "_")
        let camel = words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        for form in [name, name.uppercased(), name.replacing("_", with: "-"), camel, "my_\(name)", "\(name)s"] {
          #expect(Self.isKnown(form), "\(form)")
        }
      }
    }
  }

  @Test("know no ordinary words", arguments: ["banana", "street", "created_at", "lorem", "items", "total", "unit"])
  func ordinaryWords(word: String) { #expect(!Self.isKnown(word)) }

  @Test(
    "replace the value of a name in each place in which it counts",
    arguments: [
      "/?nonce=\(random)", "/#nonce=\(random)", "form < nonce=\(random)", "{\"nonce\": \"\(random)\"}",
      "parts:b < nonce=\(random)", "< {\"code_confirmation\": \"39207714\"}",
    ])
  func places(_ example: String) {
    #expect(example.hasPrefix("{") ? Self.isReplaced(.answer(example)) : Self.isReplaced(asked: example))
  }

  @Test("replace the random value of a header of an answer that has the name after X-")
  func headersOfAnswers() {
    for name in ["X-Nonce", "X-Refresh", "X-Access", "Nonce"] {
      var entry = RedactionTests.entry("/")
      entry.response?.headers = [name: Self.random]
      #expect(HTTPArchive(entry).redactedAndReported(.named).archive.entries != [entry], "\(name)")
    }
  }

  @Test("replace the key of each service, and leave words that begin like one", arguments: ServiceKey.all)
  func shapes(_ key: ServiceKey) {
    let words = "some-words-which-name-things-that-services-document-without"
    let text = "<p>Use \(key.example) here</p>"
    #expect(Self.isReplaced(.answer(text)), "\(key)")
    // No other row finds it.
    #expect(text.withUTF8Bytes { SecretShapes.findings(in: $0).map(\.name) } == ["\(key.text)…"])
    // One that begins like another one, such as `sl.u.` like `sl.`, has that one's words.
    if ServiceKey.all.contains(where: { key.text != $0.text && key.text.hasPrefix($0.text) }) { return }
    #expect(!Self.isReplaced(.answer("<p>Use \(key.text)\(words) here</p>")), "\(key)")
  }

  @Test(
    "know the key of each service, which without them stays, because it doesn't look random", arguments: ServiceKey.all)
  func looks(_ key: ServiceKey) {
    #expect(!key.example.looksRandom())
    let entry = RedactionTests.entry("/", answer: "{\"hint\": \"\(key.example)\"}", "application/json")
    // All values that look random, and nothing by name or by shape.
    #expect(HTTPArchive(entry).redactedAndReported([.identifiers]).archive.entries == [entry])
  }

  @Test("have an example and a source for the keys of each service")
  func keys() {
    let texts = ShapeRule.all.flatMap(\.texts).filter { $0 != "eyJ" && $0 != "-----BEGIN" }
    #expect(Set(texts) == Set(ServiceKey.all.map(\.text)) && texts.count == ServiceKey.all.count)
    #expect(Set(ShapeRule.all.map(\.texts[0])) == Set(RuleExample.sourcesOfShapes.keys))
  }

  /// The reasons and the sources of all rules.
  private static let reasons = RuleExample.all.map(\.because) + RuleExample.sourcesOfShapes.values

  /// The rows of NOTICE, in columns.
  private static func notice() throws -> [[String]] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../NOTICE")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.contains("https://") }
      .map { row in row.split(separator: #/ {2,}/#).map(String.init) }
  }

  @Test("have a NOTICE with a project, its address and its licence in each row")
  func rowsOfNotice() throws {
    let rows = try Self.notice()
    #expect(rows.allSatisfy { $0.count == 3 && $0[1].hasPrefix("https://") }, "\(rows)")
  }

  @Test("take facts from each project that NOTICE names")
  func projectsOfNotice() throws {
    for project in try Self.notice().compactMap({ $0.first?.split(separator: " ").first.map(String.init) }) {
      #expect(Self.reasons.contains { $0.contains(project) }, "\(project)")
    }
  }

  @Test("take facts about services from projects that NOTICE names, or from documents")
  func sources() throws {
    let projects = try Self.notice().compactMap { $0.first?.split(separator: " ").first.map(String.init) }
    // What follows the services is where they were looked up: a project, or a document, which has a capital letter.
    for reason in RuleExample.sourcesOfShapes.values {
      guard let semicolon = reason.firstIndex(of: ";") else { continue }
      for source in reason[semicolon...].dropFirst().split(separator: ",").map({ $0.drop { $0 == " " } }) {
        let isDocument = source.hasPrefix("its ") || source.contains(/^[A-Z]|documents|\./)
        #expect(projects.contains(String(source)) || isDocument, "\(reason)")
      }
    }
  }

  // The scanners of those projects are lists of regular expressions with descriptions.
  @Test("state facts as plain texts: no pattern, and no sentence as a reason")
  func facts() throws {
    let names = NameRules.all.flatMap { $0.names + $0.endings + $0.words + $0.wholes + $0.afterWord }
    for text in names + ShapeRule.all.flatMap(\.texts) {
      // Some have a bracket, a plus or a bar of their own: `card[number]`, `+ASt`, `==|`.
      #expect(!text.contains(#/[\\(){}*?^]/#), "\(text)")
    }
    for reason in Self.reasons {
      // A sentence of another project would be about the service that it names, and end with a period.
      #expect(!reason.contains(#/[\\\[\]{}*+?|^$]|\.$|\. /#) && reason.count < 200, "\(reason)")
    }
    let pattern = #/\[(a-z|A-Z|0-9)|\\[wdbsSWDB]|\(\?|Regex|NSRegular|\{[0-9]+(,[0-9]*)?\}|\.\*/#
    #expect("AKIA[0-9A-Z]{16}".contains(pattern) && #"\b(ghp_\w+)"#.contains(pattern))
    for file in ["Rules/NameRules", "SecretShapes", "Rules/WordRules"] {
      let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/StubKitArchive/Redaction/\(file).swift")
      for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where line.contains(pattern) {
        Issue.record("\(file): \(line)")
      }
    }
  }

  @Test(
    "decide by the kind of a value and by how sure its name is",
    arguments: [
      (SecretValue.constant, SecretDecision.kept, SecretDecision.kept), (.digits, .replaced, .kept),
      (.number, .fields, .kept), (.short, .kept, .kept), (.words, .sent, .kept), (.random, .replaced, .fields),
      (.other, .fields, .kept),
    ])
  func decisions(value: SecretValue, sure: SecretDecision, weak: SecretDecision) {
    #expect(SecretDecision(value, below: .sure) == sure)
    #expect(SecretDecision(value, below: .weak) == weak)
    #expect(SecretDecision(value, below: .own) == .replaced)
    #expect(SecretDecision(value, below: .public) == .kept)
  }

  @Test(
    "tell the kind of a value, such as a number, words or a random text",
    arguments: [
      (SecretValue.constant, ["null", "***", "{{token}}"]), (.short, ["1", "12"]),
      (.digits, ["417", "493817", "493 817", "12345678"]),
      (
        .words,
        [
          "2026-03-01", "https://a.example/b", "it", "blue-kettle", "is too short", "projects/12/secrets/db-pass",
          "1.2.3",
        ]
      ),
      (.random, ["8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b", "k7Rw2xQ9Zt4Vb8Nm", "FuIKXeybDjuwHurviyCKYgGWtiAAnCsy"]),
      (
        .other,
        [
          "blue-kettle-77", "correct horse battery staple", "a1b2", "x9-zk2q7", "IAgul9[OnH29]B]5H", "WDJB-MJHT",
          "changeme",
        ]
      ),
    ])
  func values(kind: SecretValue, texts: [String]) {
    #expect(texts.map { SecretValue($0) } == texts.map { _ in kind })
  }

  @Test("tell a number of JSON from a text of digits")
  func numbers() {
    #expect(SecretValue("493817", isNumber: true) == .number)
    #expect(SecretValue("41", isNumber: true) == .short)
  }
}
