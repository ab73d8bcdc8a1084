import Foundation
import Testing

@Suite("The guide to parallel tests")
struct ParallelTestsGuideTests {
  @Test("shows no Swift but what is compiled and run here")
  func snippets() throws {
    let folder = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
    let guide = folder.appendingPathComponent("../../Documentation/StubKit.docc/ParallelTests.md").standardizedFileURL
    let source = try String(contentsOf: folder.appendingPathComponent("ParallelTestsGuide.swift"), encoding: .utf8)
    let snippets = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(snippets.count == 9)
    for snippet in snippets {
      #expect(source.withoutWhitespace.contains(snippet.withoutWhitespace), "\(snippet)")
    }
  }
}

extension String {
  /// The formatter breaks lines where a guide need not.
  fileprivate var withoutWhitespace: String { filter { !$0.isWhitespace } }
}
