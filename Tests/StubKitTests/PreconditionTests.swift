import Foundation
import TestSupport
import Testing

/// What each mistake says is shown by Tests/PackageFixture, in debug and in release.
@Suite("A mistake of the caller's", .inTurn)
struct MistakeTests {
  @Test("never goes through a precondition, which says nothing in release")
  func preconditions() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex) }.joined(separator: "\n")
      // One with a sentence, here or in the next lines; one without is an invariant of StubKit's own.
      #expect(
        code.firstMatch(of: /\b(precondition|preconditionFailure)\([^"{};]*"/) == nil,
        "\(file.lastPathComponent): write require(…) or mistake(…).")
    }
    #expect(count > 100)
  }
}
