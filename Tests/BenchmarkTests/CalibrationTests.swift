import Testing

@testable import StubKitBenchmarks

@Suite("A batch of the benchmark is long enough for the clock")
struct CalibrationTests {
  /// The nanoseconds of an operation, those of each interruption, and the attempts in a row that are interrupted before
  /// one isn't.
  private typealias Row = (operation: Double, interruption: Double, inARow: Int)

  private static let batch = 200_000.0

  private static let rows: [Row] = [
    // What one interrupted attempt made a row of 19,616 ns.
    (390, 0, 0), (390, 19_000, 1), (390, 30_000, 1), (390, 100_000, 3), (390, 4_000_000, 5), (390, 1_000_000_000, 1),
    (45, 1_000_000, 5), (9_000, 1_000_000, 5), (150_000, 10_000_000, 5),
  ]

  @Test("whatever interrupts its calibration", arguments: rows.indices)
  func interrupted(_ number: Int) {
    let row = Self.rows[number]
    var attempts = 0
    let count = Calibration(batch: Self.batch).count { count in
      defer { attempts += 1 }
      let isInterrupted = attempts % (row.inARow + 1) < row.inARow
      return Double(count) * row.operation + (isInterrupted ? row.interruption : 0)
    }
    let time = Double(count) * row.operation
    #expect((0.7...1.01).contains(time / Self.batch), "\(count) operations of \(row.operation) ns")
  }

  @Test("or is one operation, tried twice, if that takes longer")
  func slow() {
    var attempts = 0
    let count = Calibration(batch: Self.batch).count { count in
      attempts += 1
      return Double(count) * 1_000_000_000
    }
    #expect(count == 1 && attempts == 2)
  }
}
