import StubKit
import TestSupport
import Testing

@Suite("The guide to platforms", .inTurn, .enabled(if: !HTTPStubs.capabilities.isEmpty))
struct PlatformsExamples {
  #if canImport(Darwin)
    private let rows = Self.entries(after: "## Apple platforms")
  #else
    private let rows = Self.entries(after: "### Mechanisms")
  #endif

  @Test("names the mechanisms that HTTPStubs.capabilities lists, in the same words")
  func mechanisms() {
    print(HTTPStubs.capabilities)
    let mechanisms = HTTPStubs.capabilities.split(separator: "\n")
    #expect(rows.count == mechanisms.count)
    for (row, line) in zip(rows, mechanisms) {
      #expect(line == "active   \(row.name): \(row.active)" || line == "refused  \(row.name): \(row.refused)")
    }
  }

  /// The entries of the first list of this form in a section.
  private static func entries(after heading: String) -> [(name: String, active: String, refused: String)] {
    let lines = Page.guide("Platforms").text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != heading }.drop { !$0.hasPrefix("- **") }.prefix { $0.hasPrefix("- **") }.compactMap {
      line in
      line.wholeMatch(of: #/- \*\*(.+?)\*\*: (.+)\. \*Refused:\* (.+)\./#).map {
        (String($0.1), String($0.2), String($0.3))
      }
    }
  }
}
