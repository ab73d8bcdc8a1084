import Foundation
import StubKit

/// Finding the stub for a request as the request itself does. All numbers of stubs take turns in one comparison, so
/// that their ratios don't depend on the time of the measurement.
extension Run {
  func measureMatching() {
    for plan in Self.plans {
      let registries = counts.map { (stubs: $0, registry: plan.style.registry(stubs: $0)) }
      let rows = measureUntilKept {
        let rows = Target.allCases.map { Row(target: $0, comparison: compare(plan.style, $0, registries)) }
        return (rows, findings(of: rows, plan))
      }
      for row in rows { report.add(.matching, "\(plan.style.name), \(row.target.rawValue)", row.comparison) }
    }
    measureClosures()
  }

  /// What a single stub differs by is never read, so two are the fewest that say whether a search is flat.
  private static let fewest = 2

  private var counts: [Int] { [1, Self.fewest] + effort.stubCounts.dropFirst() }

  /// Stubs that are nothing but a closure, of which each one is asked in vain.
  private func measureClosures() {
    let most = 1_000
    let request = Style.path.request(0)
    let contenders =
      [Contender.extract(stubs: 0, request)]
      + [1, 100, most].map {
        .stubKit(Style.closure.registry(stubs: $0), stubs: $0, request, finds: false)
      }
    let comparison = measureUntilKept {
      let comparison = Comparison(contenders, effort: effort)
      let ratio = comparison.ratio(contenders.count - 1, over: 0) / Double(most)
      return (comparison, [Finding(promise: "match-closure-over-extract", value: ratio)])
    }
    report.add(.matching, "\(Style.closure.name), miss", comparison)
  }

  /// The requests of a style to one stub, with any number of stubs.
  private struct Row {
    let target: Target
    let comparison: Comparison

    /// The median ratio of one contender's time to another's.
    func ratio(_ name: String, _ stubs: Int, over other: String, _ otherStubs: Int) -> Double? {
      guard let index = comparison.index(name, stubs: stubs) else { return nil }
      return comparison.index(other, stubs: otherStubs).map { comparison.ratio(index, over: $0) }
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
    Plan(style: .header, overExtract: "match-header-over-extract"),
    Plan(style: .json, overExtract: "match-json-over-extract"),
    Plan(style: .longJSON, overExtract: "match-json-over-extract"),
    Plan(style: .template, overExtract: "match-template-over-extract"),
    Plan(style: .prefix, overExtract: "match-prefix-over-extract"),
    Plan(style: .beginning),
    Plan(style: .hosts),
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
      precondition(registry.search(for: request) === (finds ? registry.stubs[number] : nil), "\(request)")
      contenders.append(.extract(stubs: stubs, request))
      contenders.append(.stubKit(registry, stubs: stubs, request, finds: finds))
      if style.name == Style.path.name, stubs <= 10_000 {
        contenders.append(.scan(ScanStubs(count: stubs), stubs: stubs, request, finds: finds))
      }
    }
    return Comparison(contenders, effort: effort)
  }

  /// What the rows of a style say about promises. The median of its rows decides, because on two cores other work can
  /// make any single one twice as long.
  private func findings(of rows: [Row], _ plan: Plan) -> [Finding] {
    let (counts, most) = (counts, effort.stubCounts[effort.stubCounts.count - 1])
    func median(_ promise: String, _ ratios: [Double?]) -> Finding? {
      let ratios = ratios.compactMap(\.self)
      return ratios.isEmpty ? nil : Finding(promise: promise, value: Statistics.median(ratios))
    }
    let oldest = rows.filter { $0.target == .oldest }
    // Of three styles, one is asked for that a single stub doesn't have.
    let flat =
      plan.style.name == Style.mixed.name ? [] : rows.map { $0.ratio("StubKit", most, over: "StubKit", Self.fewest) }
    return [
      plan.overExtract.flatMap { promise in
        median(promise, rows.flatMap { row in counts.map { row.ratio("StubKit", $0, over: "extract", $0) } })
      },
      median("match-flatness", flat),
      median("match-over-scan-1", oldest.map { $0.ratio("StubKit", 1, over: "scan", 1) }),
      median("scan-over-match-10000", oldest.map { $0.ratio("scan", 10_000, over: "StubKit", 10_000) }),
    ].compactMap(\.self)
  }
}
