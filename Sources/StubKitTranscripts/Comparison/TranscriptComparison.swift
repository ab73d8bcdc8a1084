import StubKit

/// The comparison of requests that were made with the requests of a transcript.
struct TranscriptComparison: Sendable {
  let expected: [TranscribedRequest]
  let actual: [TranscribedRequest]
  let order: RequestOrder
  let machine: Machine
  /// The requests that belong together, in the order of the transcript, and whether they are equal.
  private(set) var pairs: [(expected: Int, actual: Int, isEqual: Bool)] = []
  /// The requests of the transcript that were not made.
  private(set) var missing: [Int] = []
  /// The requests that are not in the transcript.
  private(set) var surplus: [Int] = []
  /// The first pair of equal requests that were made in another order.
  private(set) var misplaced: (expected: Int, actual: Int)?
  /// The values of the placeholders.
  private(set) var values = PlaceholderValues()

  var isEqual: Bool { misplaced == nil && missing.isEmpty && surplus.isEmpty && pairs.allSatisfy(\.isEqual) }
  var isOrderOnly: Bool { misplaced != nil && missing.isEmpty && surplus.isEmpty && pairs.allSatisfy(\.isEqual) }

  init(
    _ actual: [TranscribedRequest], with expected: [TranscribedRequest], order: RequestOrder = .perURL,
    _ machine: Machine = Machine()
  ) {
    self.init(actual, expected, order, machine, byAddress: false)
  }

  /// The comparison of requests that differ in values, which says nothing about which requests belong together. Their
  /// order does.
  var byAddress: Self { order == .any ? self : Self(actual, expected, order, machine, byAddress: true) }

  private init(
    _ actual: [TranscribedRequest], _ expected: [TranscribedRequest], _ order: RequestOrder, _ machine: Machine,
    byAddress: Bool
  ) {
    var actual = actual
    // A transcript that says no times asks for none.
    if expected.allSatisfy({ $0.time == nil }) { for index in actual.indices { actual[index].time = nil } }
    (self.expected, self.actual, self.order, self.machine) = (expected, actual, order, machine)
    var left = (Array(expected.indices), Array(actual.indices))
    if !byAddress { left = pairByOrder() }
    if !left.0.isEmpty, !left.1.isEmpty {
      let equal = values
      left = pair(left, .address)
      values = equal
      left = pairInOrder(left)
    }
    (missing, surplus) = (left.0.sorted(), left.1.sorted())
    pairs.sort { $0.expected < $1.expected }
  }

  /// Returns the requests that must keep their order, chain by chain: all of a URL, all, or each alone.
  private static func chains(of requests: [TranscribedRequest], _ order: RequestOrder) -> [[Int]] {
    if order == .any { return requests.indices.map { [$0] } }
    if order == .asMade { return requests.isEmpty ? [] : [Array(requests.indices)] }
    struct Key: Hashable {
      let target: ExactString
      let number: Int
    }
    var (chains, known): ([[Int]], [Key: Int]) = ([], [:])
    for (index, request) in requests.enumerated() {
      let placeholders = (request.url + (request.items ?? []).map(\.value)).flatMap(\.placeholders)
      // Without a name, nothing says which requests have the same URL.
      let isAlone = placeholders.contains { $0.boundName == nil && !$0.kind.isOfMachine }
      let key = Key(target: ExactString(request.target), number: isAlone ? index : -1)
      let chain = known[key] ?? chains.count
      if chain == chains.count {
        known[key] = chain
        chains.append([])
      }
      chains[chain].append(index)
    }
    return chains
  }

  /// Pairs equal requests whose order is right, and then other equal ones. Returns the rest.
  private mutating func pairByOrder() -> ([Int], [Int]) {
    let chains = Self.chains(of: expected, order)
    let others = Self.chains(of: actual, order)
    let whole = RequestPairing(
      chains.map { RequestLeaves($0, of: expected) }, others.map { RequestLeaves($0, of: actual) }, values, machine)
    take(whole, isEqual: true)
    var left = (whole.expected.flatMap(\.requests), whole.actual.flatMap(\.requests))
    guard order != .any, !left.0.isEmpty, !left.1.isEmpty else { return left }
    // A chain differs. Its requests, one by one, may not.
    left = pair(left, .all)
    if !left.0.isEmpty, expected.count == actual.count, pairInAnyOrder() { left = ([], []) }
    misplaced = firstMisplaced(in: chains)
    return left
  }

  private mutating func take(_ pairing: RequestPairing, isEqual: Bool) {
    for (expected, actual) in pairing.pairs {
      pairs += zip(expected.requests, actual.requests).map { ($0, $1, isEqual) }
    }
    values = pairing.values
  }

  /// Pairs requests one by one by some of their texts. Returns the rest.
  private mutating func pair(_ left: ([Int], [Int]), _ part: RequestLeaves.Part) -> ([Int], [Int]) {
    func leaves(_ indices: [Int], _ requests: [TranscribedRequest]) -> [RequestLeaves] {
      indices.sorted().map { RequestLeaves([$0], of: requests, part) }
    }
    let pairing = RequestPairing(leaves(left.0, expected), leaves(left.1, actual), values, machine)
    take(pairing, isEqual: part == .all)
    return (pairing.expected.flatMap(\.requests), pairing.actual.flatMap(\.requests))
  }

  /// Pairs all requests anew without an order, if all have a partner then.
  private mutating func pairInAnyOrder() -> Bool {
    func leaves(_ requests: [TranscribedRequest]) -> [RequestLeaves] {
      requests.indices.map { RequestLeaves([$0], of: requests) }
    }
    let pairing = RequestPairing(leaves(expected), leaves(actual), PlaceholderValues(), machine)
    guard pairing.expected.isEmpty, pairing.actual.isEmpty else { return false }
    pairs = []
    take(pairing, isEqual: true)
    return true
  }

  /// Pairs the remaining requests by method and host, in their order.
  private mutating func pairInOrder(_ left: ([Int], [Int])) -> ([Int], [Int]) {
    func origin(_ request: TranscribedRequest) -> [String] {
      [request.method] + request.url.prefix(3).map { $0.source() }
    }
    var others = Dictionary(grouping: left.1.sorted(), by: { origin(actual[$0]) }).mapValues { $0[...] }
    var missing: [Int] = []
    for index in left.0.sorted() {
      guard let other = others[origin(expected[index])]?.popFirst() else {
        missing.append(index)
        continue
      }
      pairs.append((index, other, false))
    }
    return (missing, others.values.flatMap(\.self))
  }

  /// Returns the first pair of a chain that comes before the one ahead of it.
  private func firstMisplaced(in chains: [[Int]]) -> (expected: Int, actual: Int)? {
    guard order != .any else { return nil }
    let partners = Dictionary(pairs.map { ($0.expected, $0.actual) }) { first, _ in first }
    var found: (expected: Int, actual: Int)?
    for chain in chains {
      let made = chain.compactMap { index in partners[index].map { (expected: index, actual: $0) } }
      let inOrder = made.map(\.actual).sorted()
      // The expected request, and the one that was made in its place.
      guard let place = made.indices.first(where: { made[$0].actual != inOrder[$0] }) else { continue }
      if found.map({ made[place].expected < $0.expected }) ?? true { found = (made[place].expected, inOrder[place]) }
    }
    return found
  }
}
