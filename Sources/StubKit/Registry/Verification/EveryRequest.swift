import Foundation

/// What every request of a test must meet, and the requests that don't.
package final class EveryRequest: Sendable {
  private let condition: RequestMatcher
  private let state = Protected(State())

  private struct State {
    /// What is told of requests, with the number of those of which the same is told.
    var misses: [(text: String, count: Int)] = []
    /// The number of requests beyond the limit.
    var omittedCount = 0
    /// The requests that a body or a closure decides about.
    var undecided: [JournalEntry] = []
  }

  /// The largest number of texts that are kept: a client may never give up.
  private static let limit = 100

  package init(_ condition: RequestMatcher) { self.condition = condition }

  /// Why the condition can't be asked, or `nil`.
  private var mistake: String? { condition.mistakeInJournal }

  /// A request has arrived. This runs no closure, so it can run on a queue of URLSession.
  func judge(_ incoming: IncomingRequest, _ entry: JournalEntry, in registry: StubRegistry) {
    guard mistake == nil, incoming.problem == nil else { return }
    var facts = RequestFacts(incoming)
    // It differs in what its head tells, whatever its body and closures say.
    if !condition.canBe(true, &facts, readsBody: false) { return tell(entry.request, &facts, in: registry) }
    let isCertain = !condition.hasClosure && !condition.canBe(false, &facts, readsBody: false)
    if !isCertain { state.withLock { if $0.undecided.count < 10_000 { $0.undecided.append(entry) } } }
  }

  private func tell(_ request: RecordedRequest, _ facts: inout RequestFacts, in registry: StubRegistry) {
    let mismatches = condition.node.explainMismatch(&facts).mismatches.map { "  \(registry.shown($0))" }
    let summary = StubRegistry.$local.withValue(registry) { request.request.shortSummary }
    add((["\(summary) isn't as every request must be: \(condition)"] + mismatches).lines)
  }

  private func add(_ text: String) {
    state.withLock { state in
      if let index = state.misses.firstIndex(where: { $0.text == text }) {
        state.misses[index].count += 1
      } else if state.misses.count < Self.limit {
        state.misses.append((text, 1))
      } else {
        state.omittedCount += 1
      }
    }
  }

  /// Returns a text for each request that isn't as it must be, at the end of the test. Closures run now.
  package func findings(in registry: StubRegistry) -> [String] {
    if let mistake { return ["everyRequest: \(mistake)"] }
    for entry in state.withLock({ exchange(&$0.undecided, with: []) }) {
      let observed = ObservedRequest(entry.request, of: condition, isVerified: true)
      guard observed.entry.isSent, observed.verdict != true else { continue }
      if observed.verdict == nil {
        add(
          "\(entry.request.request.shortSummary): it isn't known whether it is as every request must be. \(observed.doubt)"
        )
      } else {
        var facts = RequestFacts(entry.request, isVerified: true)
        tell(entry.request, &facts, in: registry)
      }
    }
    let (misses, omitted) = state.withLock { ($0.misses, $0.omittedCount) }
    return misses.map { $0.count == 1 ? $0.text : "\($0.text)\n\($0.count) such requests were made." }
      + (omitted == 0 ? [] : ["\(omitted) more requests aren't as every request must be."])
  }
}

extension RequestMatcher {
  /// The header fields, with names in lower case, that each request has which meets the condition, with these values or
  /// with others beside them in a list.
  package var requiredHeaders: Set<NamedValue> { node.requiredHeaders }
}

extension RequestMatcher.Node {
  fileprivate var requiredHeaders: Set<NamedValue> {
    switch self {
    case .group(isEither: false, let children, _): children.reduce(into: []) { $0.formUnion($1.requiredHeaders) }
    case .group(isEither: true, let children, _):
      children.dropFirst().reduce(children.first?.requiredHeaders ?? []) { $0.intersection($1.requiredHeaders) }
    case .criterion(let criterion): (criterion as? ValueCriterion)?.requiredHeader.map { [$0] } ?? []
    case .not, .closure: []
    }
  }
}

extension ValueCriterion {
  fileprivate var requiredHeader: NamedValue? {
    switch (part, comparison) {
    case (.header(let name), .equals(let text)), (.header(let name), .includes(let text)):
      NamedValue(name: name.lowercased(), value: text.value)
    case (.bearerToken, .equals(let text)): NamedValue(name: "authorization", value: "Bearer \(text.value)")
    default: nil
    }
  }
}

extension StubRegistry {
  /// Returns the requests that a transcript shows, oldest first, and why they may not be all: those that could be sent,
  /// and that certainly meet a condition.
  ///
  /// Waits as a verification does.
  package func requestsToTranscribe(
    _ condition: RequestMatcher
  ) -> (requests: [RecordedRequest], doubts: [String], mistake: String?) {
    if let mistake = condition.mistakeInJournal { return ([], [], mistake) }
    let look = LookBack(at: self)
    let requests = look.sentRequests.map { ObservedRequest($0, of: condition, isVerified: true) }
    let doubts = requests.filter { $0.verdict == nil }
    return (
      requests.filter(\.isMet).map(\.entry), look.reasons(doubts, [], droppedCount: look.droppedCount), nil
    )
  }
}
