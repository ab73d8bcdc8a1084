import Foundation
import TestSupport
import Testing

/// The tests named FirstTestsAfterSection… contain the code of the tutorial as it is after each section, and run it.
@Suite("The tutorial", .inTurn)
struct TutorialTests {
  private static let folder = Page.package.appendingPathComponent("Sources/StubKit/StubKit.docc/Tutorials")
  private static let twins = Page.package.appendingPathComponent("Documentation/Examples/Tests/TestingExamples")

  private static func text(_ folder: URL, _ name: String) -> String {
    try! String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The code without its imports, which are at the top of a twin, and without white space.
  private static func code(_ name: String) -> String {
    let lines = text(folder, "Code/\(name).swift").split(separator: "\n")
    return lines.filter { !$0.contains("import ") && !$0.contains("#if canImport") && !$0.hasPrefix("#endif") }
      .joined().filter { !$0.isWhitespace }
  }

  @Test("shows code that is compiled and run", arguments: 1...5)
  func code(section: Int) {
    let twin = Self.text(Self.twins, "FirstTestsAfterSection\(section).swift").filter { !$0.isWhitespace }
    let client = min(section, 4)
    #expect(twin.contains(Self.code("FilmClient-\(client)")), "FilmClient-\(client).swift")
    #expect(twin.contains(Self.code("FilmTests-\(section)")), "FilmTests-\(section).swift")
    #expect(section < 5 || twin.contains(Self.code("FilmModel-1")), "FilmModel-1.swift")
  }

  @Test(
    "adds a test in each section and changes none, so that the code between two sections passes too", arguments: 1...5)
  func additions(section: Int) {
    let before = Self.code("FilmTests-\(section - 1)").dropLast()
    let after = Self.code("FilmTests-\(section)")
    #expect(after.hasPrefix(before))
    #expect(after.dropFirst(before.count).ranges(of: "@Test").count == 1)
  }

  @Test("shows every file of its code")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent("Code").path)
    let page = Self.text(Self.folder, "FirstTests.tutorial")
    #expect(names.count == 11)
    for name in names { #expect(page.contains("file: \"\(name)\""), "\(name)") }
  }
}
