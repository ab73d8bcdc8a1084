import StubKit
import TestSupport
import Testing

@Suite("The guide to Linux", .inTurn, .enabled(if: !StubKitCapabilities.current.mechanisms.isEmpty))
struct LinuxExamples {
  #if canImport(Darwin)
    private let rows = Self.entries(after: "## Apple platforms")
  #else
    private let rows = Self.entries(after: "## Mechanisms")
  #endif

  @Test("names the mechanisms that there are, and says of each what it says of itself")
  func mechanisms() {
    let mechanisms = StubKitCapabilities.current.mechanisms
    print(StubKitCapabilities.current)
    #expect(rows.map(\.name) == mechanisms.map(\.name))
    for (row, mechanism) in zip(rows, mechanisms) {
      #expect((mechanism.isActive ? row.active : row.refused) == mechanism.meaning)
    }
  }

  /// The entries of the first list of this form in a section.
  private static func entries(after heading: String) -> [(name: String, active: String, refused: String)] {
    let lines = Page.guide("Linux").text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != heading }.drop { !$0.hasPrefix("- **") }.prefix { $0.hasPrefix("- **") }.compactMap {
      line in
      line.wholeMatch(of: #/- \*\*(.+?)\*\*: (.+)\. \*Refused:\* (.+)\./#).map {
        (String($0.1), String($0.2), String($0.3))
      }
    }
  }
}
