import Foundation
import TestSupport
import Testing

/// The tests are to compile on macOS too. `.ci/apple` checks that, but for C functions and constants, which this looks for.
@Suite("A test's code", .inTurn)
struct PortabilityTests {
  /// All Swift files below Tests, without those that are for Linux as a whole. That includes the stand-in for Apple's URL loading
  /// system, and the copy of the library that the rehearsal builds against it.
  private static func files() throws -> [(name: String, lines: [String])] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }
      .filter {
        $0.pathExtension == "swift" && $0.lastPathComponent != "SourceTests.swift"
          && !["/.build/", "/StandIn/", "/.rewritten/"].contains(where: $0.path.contains)
      }
      .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "\n")) }
      .filter { $0.1.first != "#if os(Linux)" }
  }

  @Test("has nothing that only Linux has, unless a condition is around it")
  func portable() throws {
    for (text, conditions) in [
      ("import Glibc", ["#if canImport(Glibc)"]), ("SOCK_STREAM.rawValue", ["#if canImport(Glibc)"]),
      ("MSG_NOSIGNAL", ["#if canImport(Glibc)", "#else"]), ("epoll", []), ("\"/proc/", ["#if os(Linux)"]),
    ] {
      let files = try Self.files()
      #expect(files.count > 100, "\(text)")
      for file in files {
        for (number, line) in file.lines.enumerated() where line.contains(text) && !line.contains("///") {
          // The condition begins a few lines before, and nothing ends it in between.
          let before = file.lines[..<number].suffix(12).map { $0.trimmingCharacters(in: .whitespaces) }
          let last = before.last { $0.hasPrefix("#") } ?? ""
          let isConditional = conditions.contains { last.hasPrefix($0) }
          #expect(isConditional, "\(file.name):\(number + 1) has \(text)")
        }
      }
    }
  }
}

@Suite("A closure behind a lock", .inTurn)
struct LockedClosureTests {
  @Test("is a Closure, because a bare one is wrapped anew at each access until a call overflows the stack")
  func boxed() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let code = try String(contentsOf: file, encoding: .utf8)
      for match in code.matches(of: /\b(Protected|Awaitable)(<(?<type>.*->.*)>|\(\{)/) {
        count += 1
        let type = match.type ?? "->"
        #expect(type.hasPrefix("Closure<") || type.hasPrefix("["), "\(file.lastPathComponent): \(match.0)")
      }
    }
    #expect(count > 5)
  }
}

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
        "\(file.lastPathComponent): write require(…).")
    }
    #expect(count > 100)
  }
}
