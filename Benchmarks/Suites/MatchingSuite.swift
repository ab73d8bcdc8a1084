import Foundation
import StubKit

/// Finding the stub for a request in the only way that there is. All numbers of stubs take turns in one comparison, so
/// that their ratios don't depend on the time of the measurement.
extension Run {
  func measureMatching() {
    for plan in Self.plans {
      let counts = plan.style.name == Style.closure.name ? effort.stubCounts.filter { $0 <= 10_000 } : effort.stubCounts
      let registries = counts.map { (stubs: $0, registry: plan.style.registry(stubs: $0)) }
      for target in plan.targets {
        let comparison = compare(plan.style, target, registries)
        report.add(.matching, "\(plan.style.name), \(target.rawValue)", comparison)
        judge(comparison, plan, target, counts)
      }
    }
  }

  /// The request to make.
  private enum Target: String {
    case newest = "hit newest"
    case oldest = "hit oldest"
    case miss = "miss"
    case random = "hit any"
  }

  /// A style with the promises about it: the most stubs over one, and any number over extract.
  private struct Plan {
    let style: Style
    var flatness: String?
    var overExtract: String?
    var targets: [Target] = [.newest, .oldest, .miss]
  }

  private static let plans = [
    Plan(style: .path, flatness: "match-flatness", overExtract: "match-over-extract"),
    Plan(style: .query, flatness: "match-flatness-query", overExtract: "match-query-over-extract"),
    Plan(style: .queryName, flatness: "match-flatness-query-name"),
    Plan(style: .header, flatness: "match-flatness-header"),
    Plan(style: .json, flatness: "match-flatness-json"),
    Plan(style: .template, flatness: "match-flatness-template", overExtract: "match-template-over-extract"),
    Plan(style: .prefix, flatness: "match-flatness-prefix"),
    // Random requests test the memory too, so there is a promise only for all styles together.
    Plan(style: .mixed, overExtract: "match-mixed-over-extract", targets: [.newest, .oldest, .miss, .random]),
    Plan(style: .closure, targets: [.miss]),
  ]

  private func compare(
    _ style: Style, _ target: Target, _ registries: [(stubs: Int, registry: StubRegistry)]
  ) -> Comparison {
    let finds = target != .miss
    var contenders: [Contender] = []
    for (stubs, registry) in registries {
      let numbers = numbers(target, stubs: stubs)
      let requests = numbers.map(style.request)
      // The result must be the very stub of the request.
      for (number, request) in zip(numbers, requests).prefix(3) {
        precondition(registry.answerer(of: request) === (finds ? registry.stubs[number] : nil), "\(request)")
      }
      contenders.append(.extract(stubs: stubs, requests: requests))
      contenders.append(.stubKit(registry, stubs: stubs, requests: requests, finds: finds))
      if style.name == Style.path.name, stubs <= 10_000 {
        contenders.append(.scan(ScanStubs(count: stubs), stubs: stubs, requests: requests, finds: finds))
      }
      if style.name == Style.closure.name {
        contenders.append(.scan(ScanStubs(cheap: stubs), stubs: stubs, requests: requests, finds: finds))
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
    case .random: return (0..<8_192).map { _ in Int.random(in: 0..<stubs) }
    }
  }

  private func judge(_ comparison: Comparison, _ plan: Plan, _ target: Target, _ counts: [Int]) {
    func ratio(_ stubs: Int, over other: Int) -> Double {
      comparison.ratio(index("StubKit", stubs)!, over: index("StubKit", other)!)
    }
    func index(_ name: String, _ stubs: Int) -> Int? { comparison.index(name, stubs: stubs) }
    let (fewest, most) = (counts[0], counts[counts.count - 1])
    if plan.style.name == Style.closure.name {
      let (match, scan) = (index("StubKit", most)!, index("scan", most)!)
      report.measured("closure-stub-over-closure", comparison.ratio(match, over: scan))
    }
    guard target != .random else { return report.measured("match-mixed-any-flatness", ratio(most, over: fewest)) }
    if let flatness = plan.flatness { report.measured(flatness, ratio(most, over: fewest)) }
    for stubs in counts {
      let match = index("StubKit", stubs)!
      if let promise = plan.overExtract {
        report.measured(promise, comparison.ratio(match, over: index("extract", stubs)!))
      }
      if target == .oldest, stubs == 1, let scan = index("scan", stubs) {
        report.measured("match-over-scan-1", comparison.ratio(match, over: scan))
      }
      if target == .oldest, stubs == 10_000, let scan = index("scan", stubs) {
        report.measured("scan-over-match-10000", comparison.ratio(scan, over: match))
      }
    }
  }
}
