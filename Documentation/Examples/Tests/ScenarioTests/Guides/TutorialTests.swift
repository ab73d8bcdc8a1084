import Foundation
import TestSupport
import Testing

/// The package compiles and runs the tutorial's own files, as they are after each section.
@Suite("The tutorial", .inTurn)
struct TutorialTests {
  @Test("adds a test in each section and changes none, so that the code between two sections passes too")
  func additions() throws {
    let folder = Page.package.appendingPathComponent("Sources/StubKit/StubKit.docc/Tutorials/Code")
    let files = try (0...5).map {
      try String(contentsOf: folder.appendingPathComponent("FilmTests-\($0).swift"), encoding: .utf8)
    }
    for (before, after) in zip(files, files.dropFirst()) {
      let start = before.dropLast("}\n".count)
      #expect(after.hasPrefix(start) && after.dropFirst(start.count).ranges(of: "@Test").count == 1)
    }
  }
}
