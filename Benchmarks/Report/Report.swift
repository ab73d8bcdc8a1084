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

  struct Ratio: Codable {
    let name: String
    let value: Double
    let limit: Double
    let bound: Promise.Bound
  }

  private(set) var results: [Result] = []
  private var values: [String: Double] = [:]

  init() {}

  /// Creates the report of a run that was kept. Its promises are those of today.
  init(kept results: [Result], _ ratios: [Ratio]) {
    self.results = results
    values = Dictionary(ratios.map { ($0.name, $0.value) }) { first, _ in first }
  }

  func add(_ suite: String, _ case: String, _ contender: String, stubs: Int, unit: String, _ samples: [Double]) {
    let statistics = Statistics(samples)
    results.append(
      Result(
        suite: suite, case: `case`, contender: contender, stubs: stubs, unit: unit, median: statistics.median,
        p99: statistics.p99))
  }

  /// Adds all contenders of a comparison.
  func add(_ suite: String, _ case: String, _ comparison: Comparison, unit: String = "ns") {
    for (index, contender) in comparison.contenders.enumerated() {
      add(suite, `case`, contender.name, stubs: contender.stubs, unit: unit, comparison.samples(index))
    }
  }

  /// Adds a measurement for a promise. The worst one counts.
  func measured(_ name: String, _ value: Double) {
    guard let promise = Promise.all.first(where: { $0.name == name }) else {
      fatalError("\(name) is no promise: add it to Promise.all.")
    }
    values[name] = values[name].map { promise.worse($0, value) } ?? value
  }

  /// The promises that were tested.
  var ratios: [(promise: Promise, value: Double)] {
    Promise.all.compactMap { promise in values[promise.name].map { (promise, $0) } }
  }

  /// The promises that were tested and not kept.
  var broken: [Promise] { ratios.filter { !$0.promise.isKept(by: $0.value) }.map(\.promise) }
}
