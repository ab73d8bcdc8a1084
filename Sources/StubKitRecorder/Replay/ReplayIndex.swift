import Foundation
import StubKit
import StubKitArchive

/// Finds the entries of an archive that answer a request on replay, without an answer.
struct ReplayIndex {
  private let registry = StubRegistry()
  private var sequences: [ObjectIdentifier: [Int]] = [:]
  /// The first entry of the same request as each entry.
  private let firsts: [Int]

  init(_ archive: HTTPArchive, _ comparison: ReplayComparison) {
    let plan = ReplayPlan(archive.entries, comparison)
    firsts = plan.steps.map { $0.sequence[0] }
    // One stub for all entries of the same request: which of them would answer doesn't matter.
    for position in plan.order.reversed() where plan.steps[position].sequence[0] == position {
      let step = plan.steps[position]
      let stub = registry.add(step.commonCondition, .value(.status(204)), at: StubLocation())
      sequences[ObjectIdentifier(stub)] = step.sequence
    }
  }

  /// Returns whether an entry is one of those that answer a request.
  func finds(_ position: Int, by request: URLRequest) -> Bool { sequence(of: request)?[0] == firsts[position] }

  /// Returns the positions of the entries that answer a request in turn, or `nil` if none does.
  func sequence(of request: URLRequest) -> [Int]? {
    registry.answerer(of: request).flatMap { sequences[ObjectIdentifier($0)] }
  }
}
