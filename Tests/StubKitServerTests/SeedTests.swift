import Foundation
import TestSupport
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

  @Test("meets what its target demands, whole and cut off at any byte", arguments: seeds)
  func seed(path: String) throws {
    let target = try #require(fuzzTargets[String(path.prefix { $0 != "/" })])
    let bytes = try Data(contentsOf: Self.folder.appending(path: path))
    target.check(bytes)
    // A plain run takes a part of the places.
    let step = TestSize.of(1, inPart: bytes.count / 4 + 1)
    for count in stride(from: 0, to: bytes.count, by: step) { target.check(bytes.prefix(count)) }
  }
}

/// In place of that of the fuzzer, which ends the process.
func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { Issue.record(Comment(rawValue: sentence())) }
}
