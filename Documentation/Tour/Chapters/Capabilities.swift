import StubKit

extension Chapter {
  static let capabilities = Chapter(
    "The mechanisms of this platform",
    code: #"""
      let mechanisms = StubKitCapabilities.current.mechanisms
      """#
  ) { page in
    let mechanisms = StubKitCapabilities.current.mechanisms

    for mechanism in mechanisms {
      let verdict = mechanism.isActive ? "✓ " : "✗ "
      page.show(Terminal.column(verdict + mechanism.name, 24) + mechanism.meaning, hanging: 24)
    }
    page.expect(Set(mechanisms.map(\.name)).count == mechanisms.count, "each mechanism to be listed once")
    page.expect(!mechanisms.isEmpty, "at least one mechanism")
  }
}
