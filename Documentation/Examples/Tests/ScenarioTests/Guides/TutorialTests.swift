import Foundation
import TestSupport
import Testing

/// The tests named FirstTestsAfterSection… contain the code of the tutorial as it is after the first section, the third and
/// the last, and run it. The code of the second and the fourth is part of the next one.
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

  @Test("shows code that is compiled and run")
  func code() {
    for (section, files) in [
      (1, ["FilmClient-1", "FilmTests-1"]), (3, ["FilmClient-3", "FilmTests-3"]),
      (5, ["FilmClient-4", "FilmTests-5", "FilmModel-1"]),
    ] {
      let twin = Self.text(Self.twins, "FirstTestsAfterSection\(section).swift").filter { !$0.isWhitespace }
      for file in files { #expect(twin.contains(Self.code(file)), "\(file).swift") }
    }
    #expect(Self.code("FilmClient-3").hasPrefix(Self.code("FilmClient-2").dropLast()))
  }

  @Test("adds a test in each section and changes none, so that the code between two sections passes too")
  func additions() {
    for section in 1...5 {
      let before = Self.code("FilmTests-\(section - 1)").dropLast()
      let after = Self.code("FilmTests-\(section)")
      #expect(after.hasPrefix(before), "section \(section)")
      #expect(after.dropFirst(before.count).ranges(of: "@Test").count == 1, "section \(section)")
    }
  }

  @Test("shows every file of its code")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent("Code").path)
    let page = Self.text(Self.folder, "FirstTests.tutorial")
    #expect(names.count == 11)
    for name in names { #expect(page.contains("file: \"\(name)\""), "\(name)") }
  }
}
