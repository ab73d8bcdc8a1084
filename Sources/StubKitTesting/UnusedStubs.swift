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

  /// Returns notes about unused stubs that a single difference kept from one of the last ten requests, nearest first.
  /// Stubs that differ in more are those of other tests of the suite. A stub that a request meets is a default that the
  /// test overrides, and recordings report their own. This runs no closure.
  ///
  /// - Parameters:
  ///   - count: The largest number of notes.
  ///   - others: Stubs about which the test reports something already.
  func notesAboutNearlyUsedStubs(_ count: Int, besides others: [Stub], _ said: [String]) -> [Finding] {
    let entries = Array(journal.entries.suffix(10))
    var requests = entries.map { RequestFacts($0.request) }
    let (annotations, judged) = (annotations, stubsWithExpectedCalls.union(others.map(\.id)))
    let unused = stubs.filter { stub in
      !stub.wasUsed && !stub.isMistaken && annotations[stub.id] == nil && !judged.contains(stub.id)
        && !said.contains { $0.contains("\(stub)") }
    }
    if entries.isEmpty {
      return unused.suffix(1).map {
        Finding("No request used the stub \($0). No requests were made.", at: $0.location, isNote: true)
      }
    }
    let notes = unused.suffix(1_000).compactMap { stub -> (finding: Finding, distance: Int)? in
      let distances = requests.indices.map { (index: $0, distance: stub.distance(&requests[$0])) }
      guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance > 0 else { return nil }
      let differences = NearMiss(stub, &requests[nearest.index], in: self).mismatches
      guard differences.count == 1, let difference = differences.first else { return nil }
      let request = entries[nearest.index].request.shortSummary
      let sentence = "No request used the stub \(stub). The nearest one, \(request), differs in the \(difference)."
      return (Finding(sentence, at: stub.location, isNote: true), nearest.distance)
    }
    return notes.nearest(count) { $0.distance }.map(\.finding)
  }
}

extension StubLocation {
  /// Returns whether this is in a test, and another location further down in its file.
  fileprivate func isIn(_ test: StubLocation?, before other: StubLocation) -> Bool {
    guard let test, fileID == test.fileID, other.fileID == test.fileID else { return false }
    return test.line <= line && line < other.line
  }
}
