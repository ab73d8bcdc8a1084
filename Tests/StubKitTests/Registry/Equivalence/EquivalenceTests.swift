import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The index of stubs finds the stub that a scan of all finds", .inTurn)
struct EquivalenceTests {
  /// `STUBKIT_EQUIVALENCE_SEED` and `STUBKIT_EQUIVALENCE_CASES` change the run. Round n uses the seed plus n, so that
  /// any round can be repeated alone.
  @Test("for random stubs and requests")
  func everyCase() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_EQUIVALENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999_999)
    let wanted = environment["STUBKIT_EQUIVALENCE_CASES"].flatMap(Int.init) ?? 20_000
    print("equivalence: seed \(seed), \(wanted) cases")
    let start = ContinuousClock.now
    let (cases, matched) = try await onOwnThread {
      var (cases, matched, roundSeed) = (0, 0, seed)
      while cases < wanted {
        let round = EquivalenceRound(seed: roundSeed)
        try round.run()
        cases += EquivalenceRound.caseCount
        matched += round.matched
        roundSeed &+= 1
      }
      return (cases, matched)
    }
    let share = matched * 100 / cases
    print("equivalence: \(cases) cases, \(share) % of them matched, in \(ContinuousClock.now - start)")
    #expect((25...75).contains(share), "the generator is off: \(share) % of the requests match a stub")
  }
}

/// One registry from empty on: batches of steps, and after each of them every request of the round. What the registry
/// finds is held to a plain scan, highest priority first, newest stub first, of those that match and have uses left.
private final class EquivalenceRound {
  private static let requestCount = 24
  private static let batchCount = 12
  static let caseCount = requestCount * batchCount

  private struct Fault: Error, CustomStringConvertible { let description: String }

  /// `closures` are those in its condition, and `limit` the number of its uses.
  private struct Entry {
    let stub: Stub
    var closures = 0..<0
    var limit: Int?
    var claimed = 0
  }

  /// How many of the cases some stub matched.
  private(set) var matched = 0

  private let seed: UInt64
  private var generator: CaseGenerator
  private let requests: [URLRequest]
  private let registry: StubRegistry
  /// What is to be in the registry, oldest first.
  private var entries: [Entry] = []
  private var steps: [(what: String, stub: Stub?)] = []
  /// Whether a condition matches a request does not depend on what else is registered, so it is asked once and kept.
  private var verdicts: [UInt64: [Bool?]] = [:]

  init(seed: UInt64) {
    var generator = CaseGenerator(seed: seed)
    requests = (0..<Self.requestCount).map { _ in generator.request() }
    (self.seed, self.generator) = (seed, generator)
    // Of two rounds one has colliding keys.
    let limits = StubIndex.Limits(keyMask: seed & 1 == 0 ? .max : 0x3)
    registry = StubRegistry(isEnabled: true, indexLimits: limits)
  }

  /// Throws what is wrong, with the steps that led to it.
  func run() throws {
    for batch in 0..<Self.batchCount {
      for (number, request) in requests.enumerated() {
        do {
          if number == 0 { for _ in 0...generator.random.below(6) { try step() } }
          try check(request, number)
          if (number + batch) % 8 == 0 { try checkOrder(request, number) }
        } catch {
          let steps = steps.map { "\($0.what) \($0.stub.map { "\($0.id): \($0.condition)" } ?? "")\n" }.joined()
          throw Fault(
            description: """
              seed \(seed), case \(batch * Self.requestCount + number): \(error)
              \(request.httpMethod ?? "no method") \(request), \(request.allHTTPHeaderFields ?? [:]), \
              \(request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "a stream or no body")
              \(steps)
              """)
        }
      }
    }
  }

  private func require(_ holds: Bool, _ description: @autoclosure () -> String) throws {
    if !holds { throw Fault(description: description()) }
  }

  // MARK: Steps

  private func step() throws {
    switch generator.random.below(100) {
    case _ where entries.isEmpty, 0..<(entries.count > 20 ? 20 : 60): insert()
    case ..<64: insertCrossed()
    case ..<75: try remove(at: generator.random.below(entries.count))
    case ..<79: try remove(at: 0)
    case ..<83: try remove(at: entries.count - 1)
    case ..<84:
      steps.append(("remove all", nil))
      registry.removeAll()
      try require(!entries.removeLast().stub.remove(), "a stub could be removed after removeAll()")
      entries = []
    default: try claim(at: generator.random.below(entries.count))
    }
  }

  private func make(_ condition: RequestMatcher, times: Int? = nil, priority: Int = 0, sequence: Int? = nil) -> Stub {
    let responder: Responder =
      sequence.map { .sequence(Array(repeating: .status(204), count: $0), .stopMatching) } ?? .value(.status(204))
    return Stub(
      condition: condition, responder: responder, times: times, priority: priority,
      location: StubLocation("Generated", "Generated", 1, 1), registry: registry)
  }

  private func insert() {
    let firstClosure = generator.closures.withLock(\.count)
    let condition = generator.condition()
    let closures = firstClosure..<generator.closures.withLock(\.count)
    let times = generator.random.chance(percent: 25) ? 1 + generator.random.below(2) : nil
    let sequence = generator.random.chance(percent: 15) ? 1 + generator.random.below(2) : nil
    let priority = generator.random.chance(percent: 25) ? generator.random.below(5) - 2 : 0
    let stub = make(condition, times: times, priority: priority, sequence: sequence)
    let limit = [times, sequence].compactMap(\.self).min()
    steps.append(("insert with priority \(priority) and \(limit.map { "\($0)" } ?? "unlimited") uses", stub))
    registry.insert(stub)
    entries.append(Entry(stub: stub, closures: closures, limit: limit))
  }

  /// Two stubs that reach the registry in the opposite order to that in which they were made, as from two threads.
  private func insertCrossed() {
    let made = [make(generator.condition()), make(generator.condition())]
    for stub in made.reversed() {
      steps.append(("insert", stub))
      registry.insert(stub)
    }
    entries += made.map { Entry(stub: $0) }
  }

  private func remove(at position: Int) throws {
    let stub = entries.remove(at: position).stub
    steps.append(("remove", stub))
    try require(stub.remove() && !stub.remove() && !stub.isActive, "\(stub.id) is not removed once")
  }

  private func claim(at position: Int) throws {
    let entry = entries[position]
    steps.append(("claim", entry.stub))
    let number = entry.stub.claim()?.callNumber
    let expected = entry.claimed < entry.limit ?? .max ? entry.claimed + 1 : nil
    try require(number == expected, "a claim of \(entry.stub.id) gave \(number as Any), not \(expected as Any)")
    entries[position].claimed = expected ?? entry.claimed
  }

  // MARK: The scan

  private func matches(_ stub: Stub, _ number: Int) -> Bool {
    if let known = verdicts[stub.id]?[number] { return known }
    let verdict = stub.condition.node.verdict(on: requests[number])
    verdicts[stub.id, default: Array(repeating: nil, count: requests.count)][number] = verdict
    return verdict
  }

  private func check(_ request: URLRequest, _ number: Int) throws {
    let stubs = registry.stubs
    try require(
      stubs.count == entries.count && zip(stubs, entries).allSatisfy { $0 === $1.stub },
      "`stubs` holds \(stubs.map(\.id)), not \(entries.map(\.stub.id))")
    let expected = stubs.sorted { $0.rank > $1.rank }.first { !$0.isUsedUp && matches($0, number) }
    if expected != nil { matched += 1 }
    let before = generator.closures.withLock(\.self)
    // Unlike `answerer(of:)`, a search takes an unread body for one that meets nothing.
    var search = StubSearch(RequestFacts(request), isInTask: true)
    let found: Stub? = if case .found(let stub, _) = search.next(in: registry) { stub } else { nil }
    try require(found === expected, "the index finds \(found?.id as Any), the scan \(expected?.id as Any)")
    // A search asks no closure twice, and none of a stub that is older than the one that answers.
    let after = generator.closures.withLock(\.self)
    guard before != after else { return }
    var isOlder = false
    for stub in stubs.sorted(by: { $0.rank > $1.rank }) {
      for closure in entries.first(where: { $0.stub === stub })?.closures ?? 0..<0 {
        let runs = after[closure] - before[closure]
        try require(
          runs <= (isOlder ? 0 : 1), "a closure of \(stub.id) ran \(runs) times, a newer one answers: \(isOlder)")
      }
      isOlder = isOlder || stub === expected
    }
  }

  /// Looks at everything that matches, in the order in which it would answer, in a task and outside of one.
  private func checkOrder(_ request: URLRequest, _ number: Int) throws {
    let candidates = registry.stubs.sorted { $0.rank > $1.rank }.filter { !$0.isUsedUp }
    let expected = candidates.filter { matches($0, number) }.map { ($0, $0.condition.captures(request) ?? [:]) }
    func search(isInTask: Bool) throws -> (count: Int, needsTask: Bool) {
      var search = StubSearch(RequestFacts(request), isInTask: isInTask)
      var count = 0
      while true {
        switch search.next(in: registry) {
        case .none: return (count, false)
        case .needsTask: return (count, true)
        case .found(let stub, let found):
          let captures = (found ?? Captures(of: stub.condition, for: request)).dictionary
          try require(
            count < expected.count && stub === expected[count].0 && captures == expected[count].1,
            "found \(stub.id) with \(captures) as number \(count) of \(expected.map(\.0.id)), in a task: \(isInTask)")
          count += 1
        }
      }
    }
    try require(search(isInTask: true) == (expected.count, false), "not all of \(expected.map(\.0.id)) are found")
    let (count, needsTask) = try search(isInTask: false)
    // How many stubs answer before one is met that can hang on a closure or on an unread body.
    var facts = RequestFacts(request)
    let needed = candidates.firstIndex { $0.condition.needsTask(&facts) }
      .map { candidates[..<$0].count { matches($0, number) } }
    // A stub that is known by its body alone can't be told from others before the body is read: the index may ask
    // early.
    if request.httpBodyStream != nil, needsTask, count <= needed ?? expected.count { return }
    try require(
      count == needed ?? expected.count && needsTask == (needed != nil),
      "outside of a task, \(count) stubs are found and a task is needed: \(needsTask), not \(needed as Any)")
  }
}

extension RequestMatcher.Node {
  /// What two-valued logic makes of what each criterion says alone.
  fileprivate func verdict(on request: URLRequest) -> Bool {
    switch self {
    case .group(isEither: false, let children, _): return children.allSatisfy { $0.verdict(on: request) }
    case .group(_, let children, _): return children.contains { $0.verdict(on: request) }
    case .not(let child): return !child.verdict(on: request)
    case .criterion, .closure:
      // The index finds JSON by its places, so the scan finds it in the parsed body.
      var facts = RequestFacts(request)
      _ = facts.json
      return RequestMatcher(self).isMet(by: &facts)
    }
  }
}
