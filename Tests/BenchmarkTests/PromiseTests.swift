import Foundation
import Testing

@testable import StubKitBenchmarks

@Suite("A promise of the benchmark")
struct PromiseTests {
  /// What an earlier run measured, what this one does, and whether that is worse by more than noise.
  typealias Row = (earlier: Double, value: Double, isWorse: Bool)

  @Test(
    "is worse than in the earlier run by more than 15 % of it, or a twentieth of the limit if that is more",
    arguments: [(20, 22.9, false), (20, 23.1, true), (20, 3, false), (1, 1.4, false), (1, 1.6, true)] as [Row])
  func atMost(row: Row) {
    #expect(Promise("x-over-y", 10).isWorse(row.value, than: row.earlier) == row.isWorse)
  }

  @Test(
    "is worse where less is worse",
    arguments: [(20, 17.1, false), (20, 16.9, true), (20, 90, false)] as [Row])
  func atLeast(row: Row) {
    #expect(Promise("x-over-y", 10, bound: .atLeast).isWorse(row.value, than: row.earlier) == row.isWorse)
  }

  private static func run(after earlier: Double) throws -> Run {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"promises": {"match-flatness": \#(earlier)}}"#.utf8).write(to: file)
    return Run(effort: .quick, report: try Report(on: Machine(isQuick: true), comparedWith: file.path))
  }

  /// What the earlier run measured of a promise whose limit is 1.2, what this one measures in turn, and how often it
  /// measures.
  @Test(
    "is measured again if it isn't kept, or if it is worse than in the earlier run, three times at most",
    arguments: [
      (1.1, [1.15], 1), (1.1, [1.3, 1.15], 2), (0.9, [1.15, 0.95], 2), (0.9, [1.15, 1.15, 1.15], 3),
      (1.1, [1.3, 1.3, 1.3], 3),
    ] as [(Double, [Double], Int)])
  func again(earlier: Double, values: [Double], count: Int) throws {
    var measured = 0
    try Self.run(after: earlier).measureUntilKept {
      defer { measured += 1 }
      return ((), [.init(promise: "match-flatness", value: values[measured])])
    }
    #expect(measured == count)
  }
}
