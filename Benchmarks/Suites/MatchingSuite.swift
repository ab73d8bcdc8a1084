import Foundation
import StubKit

/// Finding the stub for a request with `answerer(of:)`, which first looks whether earlier requests are under way. All
/// numbers of stubs take turns in one comparison, so that their ratios don't depend on the time of the measurement.
extension Run {
  func measureMatching() {
    let counts = effort.stubCounts
    for plan in Self.plans {
      let registries = counts.map { (stubs: $0, registry: plan.style.registry(stubs: $0)) }
      for target in Target.allCases {
        let comparison = compare(plan.style, target, registries)
        report.add(.matching, "\(plan.style.name), \(target.rawValue)", comparison)
        judge(comparison, plan, target, counts)
      }
    }
  }

  /// The request to make.
  private enum Target: String, CaseIterable {
    case newest = "hit newest"
    case oldest = "hit oldest"
    case miss = "miss"
  }

  /// A style with the promise about any number of its stubs over extract.
  private struct Plan {
    let style: Style
    var overExtract: String?
  }

  private static let plans = [
    Plan(style: .path, overExtract: "match-over-extract"),
    Plan(style: .query, overExtract: "match-query-over-extract"),
    Plan(style: .header),
    Plan(style: .json),
    Plan(style: .template, overExtract: "match-template-over-extract"),
    Plan(style: .prefix),
    Plan(style: .mixed, overExtract: "match-mixed-over-extract"),
  ]

  private func compare(
    _ style: Style, _ target: Target, _ registries: [(stubs: Int, registry: StubRegistry)]
  ) -> Comparison {
    let finds = target != .miss
    var contenders: [Contender] = []
    for (stubs, registry) in registries {
      // A miss is beyond all counts, and a multiple of nine, so that it has the shape of the first stub and the last.
      let number = [.newest: stubs - 1, .oldest: 0][target] ?? 300_006
      let request = style.request(number)
      // The result must be the very stub of the request.
      precondition(registry.answerer(of: request) === (finds ? registry.stubs[number] : nil), "\(request)")
      contenders.append(.extract(stubs: stubs, request))
      contenders.append(.stubKit(registry, stubs: stubs, request, finds: finds))
      if style.name == Style.path.name, stubs <= 10_000 {
        contenders.append(.scan(ScanStubs(count: stubs), stubs: stubs, request, finds: finds))
      }
    }
    return Comparison(contenders, effort: effort)
  }

  private func judge(_ comparison: Comparison, _ plan: Plan, _ target: Target, _ counts: [Int]) {
    func ratio(_ name: String, _ stubs: Int, over other: String, _ otherStubs: Int) -> Double? {
      guard let index = comparison.index(name, stubs: stubs) else { return nil }
      return comparison.index(other, stubs: otherStubs).map { comparison.ratio(index, over: $0) }
    }
    func measured(_ promise: String, _ ratio: Double?) { if let ratio { report.measured(promise, ratio) } }
    // Of three styles, one is asked for that a single stub doesn't have.
    if plan.style.name != Style.mixed.name {
      measured("match-flatness", ratio("StubKit", counts[counts.count - 1], over: "StubKit", counts[0]))
    }
    if let promise = plan.overExtract {
      for stubs in counts { measured(promise, ratio("StubKit", stubs, over: "extract", stubs)) }
    }
    if target == .oldest {
      measured("match-over-scan-1", ratio("StubKit", 1, over: "scan", 1))
      measured("scan-over-match-10000", ratio("scan", 10_000, over: "StubKit", 10_000))
    }
  }
}
