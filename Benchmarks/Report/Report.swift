import Foundation

/// The findings of a run, in order.
final class Report {
  struct Result: Codable {
    let suite: String
    let `case`: String
    let contender: String
    let stubs: Int
    let unit: String
    let median: Double
    let p99: Double
  }

  /// A run as it is stored in a file.
  private struct Kept: Codable {
    struct Ratio: Codable {
      let name: String
      let value: Double
      let limit: Double
      let bound: Promise.Bound
    }

    let machine: Machine
    let results: [Result]
    let ratios: [Ratio]
  }

  let machine: Machine
  private(set) var results: [Result] = []
  private var values: [String: Double] = [:]

  init(on machine: Machine) { self.machine = machine }

  /// Reads the report of a run that was kept. Its promises are those of today.
  init(contentsOf path: String) throws {
    let kept = try JSONDecoder().decode(Kept.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    machine = kept.machine
    results = kept.results
    values = Dictionary(kept.ratios.map { ($0.name, $0.value) }) { first, _ in first }
  }

  func write(to path: String) throws {
    let ratios = ratios.map { promise, value in
      Kept.Ratio(name: promise.name, value: value, limit: promise.limit, bound: promise.bound)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(Kept(machine: machine, results: results, ratios: ratios)).write(to: URL(fileURLWithPath: path))
  }

  func add(_ suite: Suite, _ case: String, _ contender: String, stubs: Int, unit: String, _ samples: [Double]) {
    results.append(
      Result(
        suite: suite.rawValue, case: `case`, contender: contender, stubs: stubs, unit: unit,
        median: Statistics.median(samples), p99: Statistics.quantile(0.99, of: samples)))
  }

  /// Adds all contenders of a comparison.
  func add(_ suite: Suite, _ case: String, _ comparison: Comparison) {
    for (index, contender) in comparison.contenders.enumerated() {
      add(suite, `case`, contender.name, stubs: contender.stubs, unit: "ns", comparison.samples(index))
    }
  }

  /// Adds all requesters of blocks.
  func add(_ suite: Suite, _ case: String, _ blocks: Blocks, stubs: Int) {
    for (index, name) in blocks.names.enumerated() {
      add(suite, `case`, name, stubs: stubs, unit: "µs", blocks.samples(index).map { $0 / 1_000 })
    }
  }

  /// Adds a measurement for a promise. The worst one counts.
  func measured(_ name: String, _ value: Double) {
    guard let promise = Promise.all.first(where: { $0.name == name }) else {
      fatalError("\(name) is no promise: add it to Promise.all.")
    }
    guard promise.isOfDebugBuild != Machine.isOptimised else { return }
    values[name] = values[name].map { promise.worse($0, value) } ?? value
  }

  /// The promises that were tested.
  private var ratios: [(promise: Promise, value: Double)] {
    Promise.all.compactMap { promise in values[promise.name].map { (promise, $0) } }
  }

  /// The promises that were tested and not kept.
  var broken: [Promise] { ratios.filter { !$0.promise.isKept(by: $0.value) }.map(\.promise) }

  /// Prints the median and the 99th percentile of each result of one suite.
  func printResults(of suite: Suite) {
    Terminal.print("\n\(suite)")
    let results = results.filter { $0.suite == suite.rawValue }
    Self.print(
      [["case", "contender", "stubs", "median", "p99", "unit"]]
        + results.map { [$0.case, $0.contender, $0.stubs.grouped, $0.median.brief, $0.p99.brief, $0.unit] })
  }

  /// Prints the promises and the measured values.
  func printRatios() {
    Terminal.print("")
    Self.print(
      [["promise", "value", "limit", " "]]
        + ratios.map { promise, value in
          [
            promise.name, value.brief, (promise.bound == .atMost ? "≤ " : "≥ ") + promise.limit.brief,
            promise.isKept(by: value) ? "✓" : "✗",
          ]
        })
  }

  /// Prints aligned columns: texts to the left, numbers to the right.
  private static func print(_ rows: [[String]]) {
    let texts: Set = ["case", "contender", "unit", "promise"]
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        guard texts.contains(rows[0][column]) else { return padding + row[column] }
        return row[column] + (column + 1 == row.count ? "" : padding)
      }
      Terminal.print(cells.joined(separator: "  "))
    }
  }
}

extension Double {
  /// The number with three significant digits, or more before the point: 0.941, 12.3, 104,000.
  var brief: String {
    guard isFinite else { return "–" }
    let digits = abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : abs(self) >= 1 ? 2 : 3
    return formatted(
      .number.precision(.fractionLength(digits)).grouping(.automatic).locale(Locale(identifier: "en_US")))
  }
}

extension Int {
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
