import StubKit
import Testing

@Suite("The guide to Linux", .enabled(if: !StubKitCapabilities.current.mechanisms.isEmpty))
struct LinuxExamples {
  /// Name, and what holds when it is active and when it is not.
  #if canImport(Darwin)
    private let rows = Page.guide("Linux").table(after: "| mechanism on Apple platforms |")
  #else
    private let rows = Page.guide("Linux").table(after: "| mechanism |")
  #endif

  @Test("names the mechanisms that there are, and says of each what it says of itself")
  func mechanisms() {
    let mechanisms = StubKitCapabilities.current.mechanisms
    print(StubKitCapabilities.current)
    #expect(rows.map(\.[0]) == mechanisms.map(\.name))
    for (row, mechanism) in zip(rows, mechanisms) { #expect(row[mechanism.isActive ? 1 : 2] == mechanism.meaning) }
  }
}
