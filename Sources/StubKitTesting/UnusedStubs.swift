import Foundation
import StubKit

extension StubRegistry {
  /// Returns the stubs that were never used, because newer ones, whose conditions are not narrower, answered the
  /// requests that meet theirs. One with the same condition as the newer one is a default that the test overrides,
  /// unless the test itself registered both.
  ///
  /// This runs no closure, and looks at no more than the last hundred requests.
  ///
  /// - Parameter test: The location of the test. What follows in its file, in this order, counts as registered by it.
  func shadowedStubs(in test: StubLocation?) -> [Stub] {
    let stubs = Dictionary(uniqueKeysWithValues: stubs.map { ($0.id, $0) })
    let unused = unusedStubs.suffix(1_000).map { (stub: $0, text: $0.condition.description) }
    var shadowed: Set<UInt64> = []
    for entry in journal.entries.suffix(100) {
      guard let reference = entry.stub, let answering = stubs[reference.id] else { continue }
      // The request is parsed once for all stubs.
      var facts = RequestFacts(entry)
      let text = answering.condition.description
      for (stub, ownText) in unused where !shadowed.contains(stub.id) {
        let isShadowed =
          (answering.id > stub.id || answering.priority > stub.priority)
          && answering.condition.memberCount <= stub.condition.memberCount
          && (text != ownText || stub.location.isIn(test, before: answering.location))
          && stub.condition.certainlyMatches(&facts)
        if isShadowed { shadowed.insert(stub.id) }
      }
    }
    return unused.map(\.stub).filter { shadowed.contains($0.id) }
  }

  /// Returns the unused stubs that are nearest to the newest requests. One whose condition they meet is a default that
  /// the test overrides. Recordings report theirs themselves. This runs no closure.
  func nearestUnusedStubs(_ count: Int) -> [Stub] {
    var requests = journal.entries.suffix(10).map { RequestFacts($0.request) }
    let annotations = annotations
    let judged = stubsWithExpectedCalls
    let unused = stubs.filter {
      !$0.wasUsed && !$0.isMistaken && annotations[$0.id] == nil && !judged.contains($0.id)
    }
    let distances = unused.suffix(1_000).map { stub in
      (stub, distance: requests.indices.map { stub.distance(&requests[$0]) }.min() ?? 1)
    }
    return distances.filter { $0.distance > 0 }.nearest(count) { $0.distance }.map(\.0)
  }
}

extension StubLocation {
  /// Returns whether this is in a test, and another location further down in its file.
  fileprivate func isIn(_ test: StubLocation?, before other: StubLocation) -> Bool {
    guard let test, fileID == test.fileID, other.fileID == test.fileID else { return false }
    return test.line <= line && line < other.line
  }
}
