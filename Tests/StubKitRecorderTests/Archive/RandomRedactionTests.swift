import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("The redaction of what looks random", .inTurn)
struct RandomRedactionTests {
  private static let randomUUID = "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"
  private static let randomHexadecimal = "33a64df551425fcc55e433a64df551425fcc55e4"
  private static let (randomUpload, randomCursor) = (PlantedSecret.random(931), PlantedSecret.random(932))

  /// Two entries with values that look random: in the members of a body, of which `cursor` and `id` are identifiers,
  /// and in the URL of a later request.
  private static let archive: HTTPArchive = {
    let body =
      #"{"upload": "\#(randomUpload)", "hint": "\#(randomUUID)", "mark": "\#(randomHexadecimal)", "cursor": "\#(randomCursor)", "id": "\#(randomUUID.uppercased())", "word": "blue-kettle", "n": 1234567890123}"#
    return HTTPArchive(
      RedactionTests.entry("/items", answer: body, "application/json"),
      RedactionTests.entry("/items/\(randomUpload)?mark=\(randomHexadecimal)", answer: "{}", "application/json"))
  }()

  /// The members of the first entry's body.
  private static func members(_ archive: HTTPArchive) throws -> [String: String] {
    let body = try #require(archive.entries[0].response?.body)
    let names = ["upload", "hint", "mark", "cursor", "id", "word"]
    let json = try StubJSON(parsing: body)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try #require(json[$0]?.text)) })
  }

  @Test("replaces random-looking values, each by a placeholder of its kind")
  func kinds() throws {
    let left = try Self.members(Self.archive.redactedAndReported(.standard).archive)
    #expect(left["upload"] != Self.randomUpload)
    #expect(left["upload"]?.contains("REDACTED") == true)
    #expect(left["hint"] != Self.randomUUID)
    #expect(UUID(uuidString: left["hint"] ?? "") != nil)
    #expect(left["mark"] != Self.randomHexadecimal)
    #expect(left["mark"]?.utf8.count == 40)
    #expect(left["mark"]?.allSatisfy(\.isHexDigit) == true)
  }

  @Test("leaves identifiers, such as a cursor, the member id and words")
  func others() throws {
    let left = try Self.members(Self.archive.redactedAndReported(.standard).archive)
    #expect(left["cursor"] == Self.randomCursor)
    #expect(left["id"] == Self.randomUUID.uppercased())
    #expect(left["word"] == "blue-kettle")
  }

  @Test("replaces a value by the same placeholder in a body and in the URL of a later request")
  func everywhere() throws {
    let redacted = Self.archive.redactedAndReported(.standard).archive
    let left = try Self.members(redacted)
    let url = redacted.entries[1].request.url?.absoluteString ?? ""
    #expect(url.contains(left["upload"] ?? "none"))
    #expect(url.contains(left["mark"] ?? "none"))
  }

  @Test("is told at the end by the names of the values, with the rule that keeps one of them")
  func review() {
    let report = Self.archive.redactedAndReported(.standard).report
    #expect(report.summary.contains("by look"))
    #expect(
      report.review() == [
        #"Replaced 3 values only because they look random: upload, hint, mark. Keep one with .keep("mark")."#
      ])
    #expect(
      report.review(isInTool: true) == [
        "Replaced 3 values only because they look random: upload, hint, mark. Keep one with --keep mark."
      ])
    let kept = Self.archive.redactedAndReported(.standard + [.keep("mark"), .keep("hint")]).report
    #expect(
      kept.review() == [#"Replaced 1 value only because it looks random: upload. Keep it with .keep("upload")."#])
  }

  @Test("names at most five values, each once, and counts the others")
  func manyValues() {
    let members = (0..<7).map { #""n\#($0)": "\#(PlantedSecret.random(910 + $0))""# }.joined(separator: ", ")
    let archive = HTTPArchive(RedactionTests.entry("/", answer: "{\(members)}, {\(members)}", "application/json"))
    #expect(
      archive.redactedAndReported(.standard).report.review() == [
        "Replaced 7 values only because they look random: n0, n1, n2, n3, n4 and 2 more. "
          + #"Keep one with .keep("n6")."#
      ])
  }

  @Test(
    "replaces a value of up to 8,192 characters, and tells of a longer one, which it keeps",
    arguments: [513, 8_192, 8_193])
  func longValues(count: Int) {
    let value = PlantedSecret.random(935, count)
    let entry = RedactionTests.entry("/", answer: #"{"blob": "\#(value)"}"#, "application/json")
    let (archive, report) = HTTPArchive(entry).redactedAndReported(.standard)
    #expect((archive.entries == [entry]) == (count > 8_192))
    let line = report.review().first ?? ""
    #expect(line.hasPrefix(count > 8_192 ? "Kept 1 value that looks random: blob." : "Replaced 1 value"), "\(line)")
    let named = HTTPArchive(entry).redactedAndReported(.named).report.review()
    #expect(named == [#"Kept 1 value that looks random: blob. Redact it with .secret("blob")."#])
  }

  @Test(
    "replaces the name of a member that looks random, unless it is an identifier",
    arguments: [
      (#"{"users": {"NAME": 1}}"#, true), (#"{"revisions": {"NAME": 1}}"#, false),
      (#"{"users": {"NAME": 1}, "id": "NAME"}"#, false),
    ])
  func memberNames(body: String, isReplaced: Bool) {
    let text = body.replacing("NAME", with: Self.randomUpload)
    let entry = RedactionTests.entry("/", answer: text, "application/json")
    #expect((HTTPArchive(entry).redactedAndReported(.standard).archive.entries != [entry]) == isReplaced)
  }

  @Test("changes nothing a second time where the name of a member looks random and ends like one of an identifier")
  func randomNames() {
    let body = "{\"users\": {\"\(Self.randomUpload)Id\": \"\(Self.randomCursor)\"}}"
    let archive = HTTPArchive(RedactionTests.entry("/", answer: body, "application/json"))
    let redacted = archive.redactedAndReported(.standard).archive
    #expect(redacted.entries[0].response?.body.text.contains(Self.randomCursor) == false)
    #expect(redacted.redactedAndReported(.standard).archive == redacted)
  }

  @Test("leaves a value that is an identifier elsewhere in the archive, so that a path and its id stay equal")
  func equalIdentifiers() {
    let archive = HTTPArchive(
      RedactionTests.entry(
        "/orders/\(Self.randomUpload)", answer: #"{"id": "\#(Self.randomUpload)"}"#, "application/json"),
      RedactionTests.entry("/", answer: #"{"order": "\#(Self.randomUpload)"}"#, "application/json"))
    #expect(archive.redactedAndReported(.standard).archive == archive)
    #expect(archive.redactedAndReported(.standard + [.identifiers]).archive != archive)
  }

  @Test(
    "leaves an identifier in a path, unless the segment before it speaks of a link or a secret",
    arguments: [("/items/VALUE", false), ("/invite/VALUE", true), ("/tokens/VALUE", true), ("/a/VALUE.jpg", false)])
  func paths(path: String, isReplaced: Bool) {
    let entry = RedactionTests.entry(path.replacing("VALUE", with: Self.randomUpload))
    #expect((HTTPArchive(entry).redactedAndReported(.standard).archive.entries != [entry]) == isReplaced)
  }

  @Test("keeps a token of a path with the name of the segment before it")
  func keptPath() {
    let entry = RedactionTests.entry("/invite/\(Self.randomUpload)")
    #expect(HTTPArchive(entry).redactedAndReported(.standard + [.keep("invite")]).archive.entries == [entry])
  }

  @Test(
    "leaves certificates and public keys in Base64, and no private keys",
    arguments: [
      ("MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJRTESMBAGA1UEChMJ", false),
      ("MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7x9Qm2Tz8vB4nL6pR1sW3yK5jH0dF", false),
      ("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9x2Vb7Tq4Lm8Zr1Ws6Kp3Nj5Hd0F", false),
      ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7x9Qm2Tz8vB4nL6pR", true),
    ])
  func keys(value: String, isReplaced: Bool) {
    let entry = RedactionTests.entry("/", answer: #"{"material": "\#(value)"}"#, "application/json")
    #expect((HTTPArchive(entry).redactedAndReported(.standard).archive.entries != [entry]) == isReplaced)
  }

  @Test("leaves each request able to find its entry, and changes nothing a second time")
  func proof() {
    let (redacted, report) = Self.archive.redactedAndReported(.standard)
    let proof = RedactionProof(of: redacted, against: Self.archive, .standard, report)
    #expect(proof.problem?.sentence == nil)
    #expect(redacted.redactedAndReported(.standard).archive == redacted)
  }

  @Test("replaces identifiers, too, with .identifiers, but no words")
  func identifiers() throws {
    let left = try Self.members(Self.archive.redactedAndReported(.standard + [.identifiers]).archive)
    #expect(left["cursor"] != Self.randomCursor)
    #expect(left["id"] != Self.randomUUID.uppercased())
    #expect(left["word"] == "blue-kettle")
  }

  @Test("is none of the named rules")
  func apart() throws {
    #expect(Self.archive.redactedAndReported(.named).archive == Self.archive)
  }

  @Test("prints as it is written")
  func description() {
    #expect(
      ([Redaction].standard + .named + [.identifiers]).map(\.description) == [".standard", ".named", ".identifiers"])
  }

  @Test("leaves digests in Base64, unless it is to replace identifiers, too")
  func digests() {
    let digest = PlantedSecret.random(933, 44) + PlantedSecret.random(934, 20)
    let entry = RedactionTests.entry("/", answer: #"{"sha256": "\#(digest)", "upload": "x"}"#, "application/json")
    #expect(HTTPArchive(entry).redactedAndReported(.standard).archive.entries == [entry])
    #expect(HTTPArchive(entry).redactedAndReported(.standard + [.identifiers]).archive.entries != [entry])
  }

  @Test("keeps what a rule of the user keeps")
  func kept() throws {
    let left = try Self.members(Self.archive.redactedAndReported(.standard + [.keep("upload")]).archive)
    #expect(left["upload"] == Self.randomUpload && left["hint"] != Self.randomUUID)
  }
}

@Suite("Dates whose name the user declares a secret", .inTurn)
struct RedactedDateTests {
  @Test(
    "are replaced by dates, each by another one",
    arguments: ["", "T12:30:00Z", "T12:30:00.123+02:00", " 12:30:00"])
  func dates(time: String) throws {
    let count = 1_000
    let values = (0..<count).map { number -> String in
      let day = 1 + number % 28
      let month = 1 + number / 28 % 12
      let year = 1990 + number / 336
      return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)\(time)"
    }
    let archive = HTTPArchive(RedactionTests.entry("/", answer: #"{"birthday": \#(values)}"#, "application/json"))
    let body = try #require(archive.redactedAndReported([.secret("birthday")]).archive.entries[0].response?.body)
    let left = try #require(StubJSON(parsing: body)["birthday"]?.texts)
    #expect(left.count == count && Set(left).count == count)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyy-MM-dd"
    formatter.isLenient = false
    for (old, new) in zip(values, left) {
      #expect(
        new != old && new.utf8.count == old.utf8.count && formatter.date(from: String(new.prefix(10))) != nil, "\(new)")
    }
  }

  @Test("end in placeholders without a shape where all dates of a month are used up", .timeLimit(.minutes(10)))
  func usedUp() throws {
    let values = (0..<2_900).map { number in
      let (hour, minute) = (number / 60 % 24, number % 60)
      return "2026-02-\(10 + number / 1_440)T\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)Z"
    }
    let archive = HTTPArchive(RedactionTests.entry("/", answer: #"{"birthday": \#(values)}"#, "application/json"))
    let body = try #require(
      archive.redactedAndReported([.secret("birthday")]).archive.entries[0].response?.body)
    let left = try #require(StubJSON(parsing: body)["birthday"]?.texts)
    #expect(Set(left).count == 2_900)
    #expect(left.last?.hasPrefix("REDACTED-") == true)
  }

  @Test("of one month stay in it, if they have a time")
  func month() throws {
    let values = (0..<200).map { "2026-02-01T00:\(10 + $0 / 60):\(10 + $0 % 50)Z" }
    let archive = HTTPArchive(RedactionTests.entry("/", answer: #"{"seenAt": \#(values)}"#, "application/json"))
    let body = try #require(archive.redactedAndReported([.secret("seenAt")]).archive.entries[0].response?.body)
    let left = try #require(StubJSON(parsing: body)["seenAt"]?.texts)
    #expect(left.allSatisfy { $0.hasPrefix("2026-02-") && !values.contains($0) })
    #expect(Set(left).count == Set(values).count)
  }
}

extension StubJSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var texts: [String]? { if case .array(let elements) = self { elements.compactMap(\.text) } else { nil } }
}
