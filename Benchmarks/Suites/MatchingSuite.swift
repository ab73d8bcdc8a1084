import Foundation
import StubKit

/// Finding the stub for a request in the only way that there is: a request searches like this, and captures what its
/// response closure receives. All numbers of stubs take turns in one comparison, so that their ratios don't depend on the
/// time of the measurement.
struct MatchingSuite {
  let effort: Effort
  let report: Report

  func run() {
    for (style, flatness) in Self.styles {
      Terminal.progress("matching: \(style.name)")
      let registries = counts(of: style).map { (stubs: $0, registry: style.registry(stubs: $0)) }
      for target in style.name == Style.closure.name ? [.miss] : Target.allCases {
        let comparison = compare(style, target, registries)
        report.add(Suite.matching.rawValue, "\(style.name), \(target.rawValue)", comparison)
        judge(comparison, style, target, flatness: flatness)
      }
    }
  }

  /// The request to make.
  enum Target: String, CaseIterable {
    case newest = "hit newest"
    case oldest = "hit oldest"
    case miss = "miss"
    case random = "hit any"
  }

  private static let styles: [(Style, flatness: String?)] = [
    (.path, "match-flatness"), (.query, "match-flatness-query"), (.queryName, "match-flatness-query-name"),
    (.header, "match-flatness-header"), (.json, "match-flatness-json"), (.template, "match-flatness-template"),
    (.prefix, "match-flatness-prefix"), (.mixed, nil), (.closure, nil),
  ]

  private func counts(of style: Style) -> [Int] {
    style.name == Style.closure.name ? effort.stubCounts.filter { $0 <= 10_000 } : effort.stubCounts
  }

  private func compare(
    _ style: Style, _ target: Target, _ registries: [(stubs: Int, registry: StubRegistry)]
  ) -> Comparison {
    let finds = target != .miss
    var contenders: [Contender] = []
    for (stubs, registry) in registries {
      let numbers = numbers(target, stubs: stubs)
      let requests = numbers.map(style.request)
      check(registry, numbers, requests, finds: finds)
      contenders.append(.extract(stubs: stubs, requests: requests))
      contenders.append(.stubKit(registry, stubs: stubs, requests: requests, finds: finds))
      if style.name == Style.path.name, stubs <= 10_000 {
        contenders.append(.scan(ScanStubs(count: stubs), stubs: stubs, requests: requests, finds: finds))
      }
    }
    return Comparison(contenders, effort: effort)
  }

  private func numbers(_ target: Target, stubs: Int) -> [Int] {
    switch target {
    case .newest: return [stubs - 1]
    case .oldest: return [0]
    // Beyond all counts, and a multiple of nine, so that the request has the shape of the first stub's and the last's.
    case .miss: return [300_006]
    case .random:
      var generator = SplitMix64(seed: UInt64(stubs))
      return (0..<8_192).map { _ in Int.random(in: 0..<stubs, using: &generator) }
    }
  }

  /// The result must be the very stub of the request.
  private func check(_ registry: StubRegistry, _ numbers: [Int], _ requests: [URLRequest], finds: Bool) {
    let stubs = registry.stubs
    for (number, request) in zip(numbers, requests).prefix(3) {
      let found = registry.stub(matching: request)
      guard found === (finds ? stubs[number] : nil) else {
        fatalError("\(request) found \(found?.description ?? "no stub"), not number \(number) of \(stubs.count).")
      }
    }
  }

  private func judge(_ comparison: Comparison, _ style: Style, _ target: Target, flatness: String?) {
    func stubKit(_ stubs: Int) -> Int? { comparison.index("StubKit", stubs: stubs) }
    let counts = counts(of: style)
    guard let fewest = counts.first, let most = counts.last, let one = stubKit(fewest), let many = stubKit(most) else {
      return
    }
    if style.name == Style.closure.name {
      report.measured("closure-stub-ns", slope(comparison, from: one, to: many))
    }
    // Random requests test the memory too, so there is a promise only for all styles together.
    guard target != .random else {
      guard style.name == Style.mixed.name else { return }
      report.measured("match-mixed-any-flatness", comparison.ratio(many, over: one))
      return
    }
    if let flatness { report.measured(flatness, comparison.ratio(many, over: one)) }
    if let promise = Self.overExtract[style.name] {
      for stubs in counts {
        guard let match = stubKit(stubs), let extract = comparison.index("extract", stubs: stubs) else { continue }
        report.measured(promise, comparison.ratio(match, over: extract))
      }
    }
    if target == .oldest { judge(comparison, against: "scan") }
  }

  private static let overExtract = [
    Style.path.name: "match-over-extract", Style.mixed.name: "match-mixed-over-extract",
    Style.query.name: "match-query-over-extract", Style.template.name: "match-template-over-extract",
  ]

  private func judge(_ comparison: Comparison, against scan: String) {
    if let match = comparison.index("StubKit", stubs: 1), let scan = comparison.index(scan, stubs: 1) {
      report.measured("match-over-scan-1", comparison.ratio(match, over: scan))
    }
    if let match = comparison.index("StubKit", stubs: 10_000), let scan = comparison.index(scan, stubs: 10_000) {
      report.measured("scan-over-match-10000", comparison.ratio(scan, over: match))
    }
  }

  private func slope(_ comparison: Comparison, from one: Int, to other: Int) -> Double {
    let times = [one, other].map { Statistics.median(comparison.samples($0)) }
    return (times[1] - times[0]) / Double(comparison.contenders[other].stubs - comparison.contenders[one].stubs)
  }
}
