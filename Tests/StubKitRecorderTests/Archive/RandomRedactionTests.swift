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
    let left = try Self.members(Self.archive.redacted(.standard + [.random]))
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
    let left = try Self.members(Self.archive.redacted(.standard + [.random]))
    #expect(left["cursor"] == Self.randomCursor)
    #expect(left["id"] == Self.randomUUID.uppercased())
    #expect(left["word"] == "blue-kettle")
  }

  @Test("replaces a value by the same placeholder in a body and in the URL of a later request")
  func everywhere() throws {
    let redacted = Self.archive.redacted(.standard + [.random])
    let left = try Self.members(redacted)
    let url = redacted.entries[1].request.url?.absoluteString ?? ""
    #expect(url.contains(left["upload"] ?? "none"))
    #expect(url.contains(left["mark"] ?? "none"))
  }

  @Test("reports what it replaces by the look, and nothing as kept")
  func report() {
    let report = Self.archive.redactedAndReported(.standard + [.random]).report
    #expect(report.summary.contains("by their look"))
    #expect(report.keptSummary == nil)
  }

  @Test("leaves each request able to find its entry, and changes nothing a second time")
  func proof() {
    let (redacted, report) = Self.archive.redactedAndReported(.standard + [.random])
    let proof = RedactionProof(of: redacted, against: Self.archive, .standard + [.random], report)
    #expect(proof.problem?.sentence == nil)
    #expect(redacted.redacted(.standard + [.random]) == redacted)
  }

  @Test("replaces identifiers, too, with .random(identifiers: true), but no words")
  func identifiers() throws {
    let left = try Self.members(Self.archive.redacted(.standard + [.random(identifiers: true)]))
    #expect(left["cursor"] != Self.randomCursor)
    #expect(left["id"] != Self.randomUUID.uppercased())
    #expect(left["word"] == "blue-kettle")
  }

  @Test("is none of the standard rules, and needs none of them to know an identifier")
  func apart() throws {
    #expect(Self.archive.redacted(.standard) == Self.archive)
    let left = try Self.members(Self.archive.redacted([.random]))
    #expect(left["upload"] != Self.randomUpload)
    #expect(left["cursor"] == Self.randomCursor)
  }

  @Test("prints as it is written")
  func description() {
    #expect(Redaction.random.description == ".random")
    #expect(Redaction.random(identifiers: true).description == ".random(identifiers: true)")
  }

  @Test("leaves digests in Base64, unless it is to replace identifiers, too")
  func digests() {
    let digest = PlantedSecret.random(933, 44) + PlantedSecret.random(934, 20)
    let entry = RedactionTests.entry("/", answer: #"{"sha256": "\#(digest)", "upload": "x"}"#, "application/json")
    #expect(HTTPArchive(entry).redacted(.standard + [.random]).entries == [entry])
    #expect(HTTPArchive(entry).redacted(.standard + [.random(identifiers: true)]).entries != [entry])
  }

  @Test("keeps what a rule of the user keeps")
  func kept() throws {
    let left = try Self.members(Self.archive.redacted(.standard + [.random, .keep("upload")]))
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
    let body = try #require(archive.redacted([.secret("birthday")]).entries[0].response?.body)
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

  @Test("of one month stay in it, if they have a time")
  func month() throws {
    let values = (0..<200).map { "2026-02-01T00:\(10 + $0 / 60):\(10 + $0 % 50)Z" }
    let archive = HTTPArchive(RedactionTests.entry("/", answer: #"{"seenAt": \#(values)}"#, "application/json"))
    let body = try #require(archive.redacted([.secret("seenAt")]).entries[0].response?.body)
    let left = try #require(StubJSON(parsing: body)["seenAt"]?.texts)
    #expect(left.allSatisfy { $0.hasPrefix("2026-02-") && !values.contains($0) })
    #expect(Set(left).count == Set(values).count)
  }
}

extension StubJSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var texts: [String]? { if case .array(let elements) = self { elements.compactMap(\.text) } else { nil } }
}
