import Foundation

/// The findings of a run, in order.
final class Report {
  struct Result {
    let suite: Suite
    let `case`: String
    let contender: String
    let stubs: Int
    let unit: String
    let median: Double
  }

  /// A run as it is stored in a file: a line for each promise, and for each median that a page shows.
  private struct Kept: Encodable {
    /// The commit of the code that was measured.
    let commit: String?
    let machine: Machine
    let medians: [String: Double]
    let promises: [String: Double]
  }

  let machine: Machine
  private(set) var results: [Result] = []
  private var values: [String: Double] = [:]
  /// The promises of an earlier run, to compare this one with.
  private let earlier: [String: Double]

  /// - Parameter earlier: The file of an earlier run, if there is one.
  init(on machine: Machine, comparedWith earlier: String? = nil) throws {
    struct Earlier: Decodable { let promises: [String: Double] }
    self.machine = machine
    self.earlier =
      try earlier.map { file in
        try JSONDecoder().decode(Earlier.self, from: Data(contentsOf: URL(fileURLWithPath: file))).promises
      } ?? [:]
  }

  /// - Parameter commit: The commit of the code that was measured, if it is known.
  func write(to path: String, commit: String?) throws {
    let shown = results.filter {
      ["one at a time", "path, hit oldest"].contains($0.case) && ["StubKit", "floor", "scan"].contains($0.contender)
        && [1, 10_000].contains($0.stubs)
    }
    let medians = shown.map {
      ("\($0.suite), \($0.contender), \($0.stubs) stubs, \($0.unit)", $0.median.rounded(to: 4))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let kept = Kept(
      commit: commit, machine: machine, medians: Dictionary(uniqueKeysWithValues: medians),
      promises: values.mapValues { $0.rounded(to: 4) })
    try encoder.encode(kept).write(to: URL(fileURLWithPath: path))
  }

  func add(_ suite: Suite, _ case: String, _ contender: String, stubs: Int, unit: String, _ samples: [Double]) {
    results.append(
      Result(
        suite: suite, case: `case`, contender: contender, stubs: stubs, unit: unit,
        median: Statistics.median(samples)))
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

  /// Returns whether a value keeps a promise and isn't worse than in the earlier run, or whether nothing is promised.
  func isKept(_ name: String, by value: Double) -> Bool {
    Promise.all.first { $0.name == name }.map { isKept($0, by: value) } ?? true
  }

  private func isKept(_ promise: Promise, by value: Double) -> Bool {
    promise.isKept(by: value) && !isWorse(promise, value)
  }

  /// The promises that were tested.
  private var ratios: [(promise: Promise, value: Double)] {
    Promise.all.compactMap { promise in values[promise.name].map { (promise, $0) } }
  }

  /// The promises that were tested and not kept.
  var broken: [Promise] { ratios.filter { !$0.promise.isKept(by: $0.value) }.map(\.promise) }

  /// The promises of which the value is worse than in the earlier run.
  var worse: [Promise] { ratios.filter { isWorse($0.promise, $0.value) }.map(\.promise) }

  private func isWorse(_ promise: Promise, _ value: Double) -> Bool {
    earlier[promise.name].map { promise.isWorse(value, than: $0) } ?? false
  }

  /// Prints the median of each result of one suite.
  func printResults(of suite: Suite) {
    print("\n\(suite)")
    let results = results.filter { $0.suite == suite }
    Self.printTable(
      [["case", "contender", "stubs", "median", "unit"]]
        + results.map { [$0.case, $0.contender, $0.stubs.grouped, $0.median.brief, $0.unit] })
  }

  /// Prints the promises and the measured values.
  func printRatios() {
    print("")
    Self.printTable(
      [["promise", "value", "limit", "earlier", " "]]
        + ratios.map { promise, value in
          [
            promise.name, value.brief, (promise.bound == .atMost ? "≤ " : "≥ ") + promise.limit.brief,
            earlier[promise.name]?.brief ?? "–", isKept(promise, by: value) ? "✓" : "✗",
          ]
        })
  }

  /// Prints aligned columns: texts to the left, numbers to the right.
  private static func printTable(_ rows: [[String]]) {
    let texts: Set = ["case", "contender", "unit", "promise"]
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        guard texts.contains(rows[0][column]) else { return padding + row[column] }
        return row[column] + (column + 1 == row.count ? "" : padding)
      }
      print(cells.joined(separator: "  "))
    }
  }
}

extension Double {
  /// The number with so many significant digits.
  func rounded(to digits: Int) -> Double { Double(String(format: "%.\(digits)g", self)) ?? self }

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
