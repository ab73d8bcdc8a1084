import Foundation
import TestSupport
import Testing

@Suite("The source code", .inTurn)
struct SourceTests {
  /// The Swift files below a folder beside this one, without those that were built.
  private static func files(below folder: String) throws -> [(path: String, lines: [Substring])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: folder).standardized
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" && !["/.build/", "/.rewritten/"].contains(where: $0.path.contains) }
      .map {
        ($0.path, try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false))
      }
  }

  /// `.ci/apple` checks that the tests compile on macOS, but for C functions and constants, which this looks for.
  @Test("of the tests uses what only Linux has behind a condition only")
  func portable() throws {
    // Without those for Linux as a whole. That includes the stand-in for Apple's URL loading system.
    let files = try Self.files(below: "..").filter {
      $0.lines.first != "#if os(Linux)" && !$0.path.contains("/StandIn/") && !$0.path.hasSuffix("/SourceTests.swift")
    }
    #expect(files.count > 100)
    for (text, conditions) in [
      ("import Glibc", ["#if canImport(Glibc)"]), ("SOCK_STREAM.rawValue", ["#if canImport(Glibc)"]),
      ("MSG_NOSIGNAL", ["#if canImport(Glibc)", "#else"]), ("epoll", []), ("\"/proc/", ["#if os(Linux)"]),
    ] {
      for (path, lines) in files {
        for (number, line) in lines.enumerated() where line.contains(text) && !line.contains("///") {
          // The condition begins a few lines before, and nothing ends it in between.
          let before = lines[..<number].suffix(12).map { $0.trimmingCharacters(in: .whitespaces) }
          let last = before.last { $0.hasPrefix("#") } ?? ""
          #expect(conditions.contains { last.hasPrefix($0) }, "\(path):\(number + 1) has \(text)")
        }
      }
    }
  }

  /// Swift adds a thunk to a bare closure at each access, until a call overflows the stack.
  @Test("has no bare closure behind a lock, but a Closure")
  func boxed() throws {
    let matches = try Self.files(below: "../../Sources").flatMap { path, lines in
      lines.joined(separator: "\n").matches(of: /\b(Protected|Awaitable)(<(?<type>.*->.*)>|\(\{)/).map { (path, $0) }
    }
    #expect(matches.count > 3)
    for (path, match) in matches {
      let type = match.type ?? "->"
      #expect(type.hasPrefix("Closure<") || type.hasPrefix("["), "\(path): \(match.0)")
    }
  }

  /// It would end the process, and with it all tests. `require` throws instead.
  @Test("has no precondition with a message, which would end the process")
  func preconditions() throws {
    let files = try Self.files(below: "../../Sources")
    #expect(files.count > 100)
    for (path, lines) in files {
      let code = lines.map { $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex) }.joined(
        separator: "\n")
      // One with a sentence, here or in the next lines; one without is an invariant of StubKit's own.
      let found = code.firstMatch(of: /\b(precondition|preconditionFailure)\([^"{};]*"/)
      #expect(found == nil, "\(path): write require(…).")
    }
  }
}
