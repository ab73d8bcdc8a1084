import Foundation

@testable import StubKit

/// The property: for this request, the registry finds what the scan finds.
struct EquivalenceCheck {
  let request: URLRequest
  /// The request's number in the specification.
  let number: Int
  let specification: Specification
  let closures: ClosureLog

  /// What is wrong, or nil. `thoroughly` looks at the whole order of answers and at the search outside of a task too.
  func fault(_ history: StubHistory, thoroughly: Bool) -> String? {
    if let fault = history.faults.first { return fault }
    let stubs = history.registry.stubs
    guard stubs.count == history.entries.count, zip(stubs, history.entries).allSatisfy({ $0 === $1.stub }) else {
      return "`stubs` holds \(stubs.count) stubs, and not those of the steps: \(history.entries.map(\.id))"
    }
    let expected = specification.answering(stubs, request: number)
    let before = closures.counts
    let actual = history.registry.stub(matching: request)
    if actual !== expected {
      return "the index finds \(history.name(actual)), the scan \(history.name(expected))"
    }
    if let fault = faultOfClosures(history, since: before, answering: expected) { return fault }
    return thoroughly ? faultOfOrder(history, stubs) : nil
  }

  /// A search asks no closure twice, and none of a stub that is older than the one that answers.
  private func faultOfClosures(_ history: StubHistory, since before: [Int], answering winner: Stub?) -> String? {
    let after = closures.counts
    guard before != after else { return nil }
    let stubs = history.registry.stubs
    var isOlder = false
    for stub in stubs.inAnsweringOrder {
      guard let entry = history.entries.first(where: { $0.stub === stub }) else { continue }
      for closure in entry.closures where after[closure] - before[closure] > (isOlder ? 0 : 1) {
        return "the closure of \(entry.id) ran \(after[closure] - before[closure]) times, "
          + (isOlder ? "though a newer stub answers" : "in one search")
      }
      isOlder = isOlder || stub === winner
    }
    return nil
  }

  private func faultOfOrder(_ history: StubHistory, _ stubs: [Stub]) -> String? {
    let expected = specification.all(stubs, request: number)
    let search = IndexUnderTest(history.registry)
    let all = search.all(request)
    if let fault = fault(of: all, against: expected[...], history) { return "searching on, \(fault)" }

    let (early, needsTask) = search.allWithoutTask(request)
    guard early.count <= expected.count else { return "without a task, the index finds more than the scan" }
    if let fault = fault(of: early, against: expected[..<early.count], history) { return "without a task, \(fault)" }
    if !needsTask, early.count < expected.count { return "without a task, the index misses stubs" }
    let needed = specification.taskNeededAfter(stubs, request: number)
    // A stub that is known by its body alone can't be told from others before the body is read: the index may ask early.
    if request.httpBodyStream != nil, needsTask, early.count <= needed ?? expected.count { return nil }
    guard (needsTask ? early.count : nil) == needed else {
      return "the index needs a task after \(needsTask ? "\(early.count)" : "all") stubs, "
        + "the scan after \(needed.map { "\($0)" } ?? "all")"
    }
    return nil
  }

  func fault(
    of found: [IndexUnderTest.Found], against expected: ArraySlice<Specification.Match>, _ history: StubHistory
  ) -> String? {
    guard found.count == expected.count, zip(found, expected).allSatisfy({ $0.stub === $1.stub }) else {
      return
        "the index finds \(found.map { history.name($0.stub) }), the scan \(expected.map { history.name($0.stub) })"
    }
    for (found, expected) in zip(found, expected) where found.captures != expected.captures {
      return "\(history.name(found.stub)) captured \(found.captures) by the index, \(expected.captures) by the scan"
    }
    return nil
  }
}

extension StubHistory {
  func name(_ stub: Stub?) -> String {
    guard let stub else { return "none" }
    return entries.first { $0.stub === stub }.map { "\($0.id)" } ?? "one that is not registered"
  }
}
