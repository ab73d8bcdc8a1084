import Foundation

@testable import StubKit

/// One registry from empty on: batches of steps, and after each of them every request of the round.
struct EquivalenceRound {
  static let requestCount = 24
  private static let batchCount = 12
  static let caseCount = requestCount * batchCount

  /// How many of the cases some stub matched.
  private(set) var matched = 0
  private(set) var failure: String?
  private(set) var history: StubHistory

  private let seed: UInt64
  private var generator: CaseGenerator
  private let requests: [URLRequest]
  private let specification: Specification
  private var nextID = 0

  init(seed: UInt64) {
    self.seed = seed
    generator = CaseGenerator(seed: seed)
    // Of four rounds one has colliding keys, one too few tuples, and one both.
    history = StubHistory(
      StubIndex.Limits(tuples: seed & 1 == 0 ? 32 : 3, keyMask: seed & 2 == 0 ? .max : 0x3))
    var requests: [URLRequest] = []
    for _ in 0..<Self.requestCount { requests.append(generator.request()) }
    self.requests = requests
    specification = Specification(requests: requests)
  }

  mutating func run() {
    for batch in 0..<Self.batchCount where failure == nil {
      for _ in 0...generator.random.below(6) { step() }
      checkEveryRequest(batch)
    }
  }

  private mutating func checkEveryRequest(_ batch: Int) {
    for (number, request) in requests.enumerated() where failure == nil {
      if specification.answering(history.registry.stubs, request: number) != nil { matched += 1 }
      let check = EquivalenceCheck(
        request: request, number: number, specification: specification, closures: generator.closures)
      if let fault = check.fault(history, thoroughly: (number + batch) % 8 == 0) {
        let place = "seed \(seed), case \(batch * Self.requestCount + number)"
        failure =
          "\(place): \(fault)\n\(request.described)\n" + history.steps.map { "\($0)\n" }.joined()
      }
    }
  }
}

extension EquivalenceRound {
  private mutating func step() {
    let ids = history.entries.map(\.id)
    let isFull = ids.count > 20
    switch generator.random.below(100) {
    case _ where ids.isEmpty, 0..<(isFull ? 20 : 60): insert()
    case ..<64: insertCrossed()
    case ..<75: history.apply(.remove(id: generator.random.pick(ids)))
    case ..<79: history.apply(.remove(id: ids[0]))
    case ..<83: history.apply(.remove(id: ids[ids.count - 1]))
    case ..<84: history.apply(.removeAll)
    default: history.apply(.claim(id: generator.random.pick(ids)))
    }
  }

  private mutating func insert() {
    let firstClosure = generator.closures.counts.count
    let condition = generator.condition()
    let closures = firstClosure..<generator.closures.counts.count
    let times = generator.random.chance(percent: 25) ? 1 + generator.random.below(2) : nil
    let sequence = generator.random.chance(percent: 15) ? 1 + generator.random.below(2) : nil
    let priority = generator.random.chance(percent: 25) ? generator.random.below(5) - 2 : 0
    history.apply(
      .insert(
        id: nextID, condition: condition, times: times, priority: priority, sequence: sequence, closures: closures))
    nextID += 1
  }

  private mutating func insertCrossed() {
    history.apply(.insertCrossed(id: nextID, first: generator.condition(), second: generator.condition()))
    nextID += 2
  }
}

extension URLRequest {
  fileprivate var described: String {
    let body = httpBody.map { ", body \($0.swiftSource)" } ?? (httpBodyStream == nil ? "" : ", a stream")
    return
      "\(httpMethod ?? "no method") \(url?.absoluteString ?? "no URL"), headers \(allHTTPHeaderFields ?? [:])\(body)"
  }
}
