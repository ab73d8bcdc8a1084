import Foundation
import Testing

/// What `.ci/fuzz` begins with.
@Suite("A seed of the fuzzer")
struct SeedTests {
  private static let folder = URL(fileURLWithPath: #filePath + "/../Fuzzing/Seeds").standardizedFileURL

  /// Each is the name of a target, and of a file.
  private static let seeds = fuzzTargets.keys.sorted().flatMap { target in
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: target).path)
    return (names ?? ["is missing"]).sorted().map { "\(target)/\($0)" }
  }

  @Test("meets what its target demands", arguments: seeds)
  func seed(path: String) throws {
    let target = try #require(fuzzTargets[String(path.prefix { $0 != "/" })])
    target.check(try Data(contentsOf: Self.folder.appending(path: path)))
  }
}

/// In place of that of the fuzzer, which ends the process.
func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { Issue.record(Comment(rawValue: sentence())) }
}
