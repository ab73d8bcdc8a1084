import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("The named redactions", .inTurn)
struct KeptValueTests {
  private static let (hint, cursor) = (PlantedSecret.random(901), PlantedSecret.random(902))

  /// The report about an entry with a value in three places, another one in two, and a token, which is redacted.
  private static func reportOfRandomValues(_ rules: [Redaction]) -> Replacements {
    let answer =
      #"{"upload": "\#(hint)", "cursor": "\#(cursor)", "again": "\#(hint)", "id": "12", "token": "\#(RedactionTests.secret)"}"#
    let entry = RedactionTests.entry("/items/\(cursor)?hint=\(hint)", answer: answer, "application/json")
    return HTTPArchive(entries: [entry]).redactedAndReported(rules).report
  }

  @Test("reports by name and place the random-looking values that it keeps, and sums up those that aren't identifiers")
  func kept() {
    let report = Self.reportOfRandomValues(.named)
    #expect(
      report.review() == [#"Kept 3 values that look random: hint, upload, again. Redact one with .secret("again")."#])
    #expect(report.lines.contains("entry 1, request URL: kept path (looks random)"))
    #expect(report.lines.contains("entry 1, response body: kept cursor (looks random)"))
  }

  @Test("reports no value as kept that a rule of your own keeps or replaces")
  func keptByRule() {
    let keeping = Self.reportOfRandomValues(.named + [.keep("hint"), .keep("upload"), .keep("again")])
    #expect(keeping.review() == [])
    let replacing = Self.reportOfRandomValues(.named + [.secret("hint"), .secret("cursor")])
    #expect(replacing.review() == [])
  }

  @Test("reports a random-looking value that it keeps, in each place where a name can be")
  func keptEverywhere() {
    for (container, template) in PlantedSecret.containers where container != "header" {
      let entry = PlantedSecret.entry(template, "hint", PlantedSecret.random(903))
      let (redacted, report) = HTTPArchive(entries: [entry]).redactedAndReported(.named)
      #expect(redacted.entries == [entry], "\(container)")
      #expect(report.review().first?.hasPrefix("Kept 1 value that looks random: ") == true, "\(container)")
    }
  }

  @Test(
    "reports a random-looking value that it keeps, in texts with names and without",
    arguments: [
      "hint: VALUE", "--hint VALUE", "export HINT=VALUE", "data: {\"hint\": \"VALUE\"}\n\n", "a VALUE b", "VALUE",
    ] as [Lines])
  func keptInTexts(lines: Lines) {
    let entry = RedactionTests.entry(
      "/", answer: lines.text.replacing("VALUE", with: PlantedSecret.random(903)), "text/plain")
    let report = HTTPArchive(entries: [entry]).redactedAndReported(.named).report
    #expect(report.review().first?.hasPrefix("Kept 1 value that looks random") == true)
  }
}
