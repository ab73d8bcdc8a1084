import StubKit

extension Chapter {
  static let capabilities = Chapter(
    "The mechanisms of this platform",
    code: #"""
      let report = HTTPStubs.capabilities
      """#
  ) { page in
    let report = HTTPStubs.capabilities
    let mechanisms = report.split(separator: "\n").map(String.init)
    for mechanism in mechanisms { page.show(mechanism, hanging: 9) }
    page.expect(Set(mechanisms).count == mechanisms.count, "each mechanism to be listed once")
    page.expect(!mechanisms.isEmpty, "at least one mechanism")
  }
}
