import Foundation
import TestSupport
import Testing

/// Takes all issues of a test, and compares them with those that `Fixtures/issues.txt` has under the test's name.
struct IssuesInFile: TestTrait, TestScoping {
  private static let sections = Result { try sectionsOfFile("issues") }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.check(test.displayName ?? test.name, in: test, function)
  }

  /// - Parameter line: The line from which those of this target's files are counted.
  static func check(
    _ name: String, in test: Test, from line: Int? = nil, _ body: @Sendable () async throws -> Void
  ) async {
    let line = line ?? test.sourceLocation.line
    let (_, issues) = await takingIssues(body)
    let texts = issues.map { issue in
      let place = issue.sourceLocation.map { "\($0.fileID):\($0.line):\($0.column)" } ?? "nowhere"
      let isAtTest = issue.sourceLocation == test.sourceLocation
      return "[\(isAtTest ? "the test" : place)]\n\(issue.text.withoutOtherScopes)"
        .replacing(/StubKitTestingTests\/(\w+\.swift):(\d+)/) { "\($0.1):+\((Int($0.2) ?? 0) - line)" }
    }
    let expected = try? sections.get()[name]
    #if compiler(>=6.3)
      #expect(texts.joined(separator: "\n") == expected, "\(name)")
    #else
      // Before Swift 6.3, warnings are printed.
      #expect(texts.allSatisfy { expected?.contains($0) == true }, "\(name)")
    #endif
  }
}

extension Trait where Self == IssuesInFile {
  /// It comes before the traits whose issues are expected.
  static var issuesInFile: Self { IssuesInFile() }
}

extension String {
  /// Without what a report says of the scopes of the tests that run at the same time.
  fileprivate var withoutOtherScopes: String {
    guard let start = range(of: "A stub of another scope"), let end = range(of: "install(in:).\n") else { return self }
    return replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
  }
}

/// The sections of a file in Fixtures: each has a line with its name after `# `, its text, and a blank line. What comes
/// before the first one is about the file.
func sectionsOfFile(_ name: String) throws -> [String: String] {
  let file = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "txt"))
  let sections = "\n\n\(try String(contentsOf: file, encoding: .utf8))".components(separatedBy: "\n\n# ").dropFirst()
  return Dictionary(
    uniqueKeysWithValues: sections.map { section in
      let lines = section.split(separator: "\n", maxSplits: 1)
      return (String(lines[0]), (lines.dropFirst().first ?? "").trimmingCharacters(in: .newlines))
    })
}
