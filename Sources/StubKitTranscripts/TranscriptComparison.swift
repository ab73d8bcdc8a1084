import Foundation
import StubKit

/// Compares the requests of a test with those that a transcript expects.
struct TranscriptComparison {
  let expected: [TranscribedRequest]
  let actual: [TranscribedRequest]
  /// The requests as they may be shown, without secrets.
  let shown: [TranscribedRequest]
  private(set) var order: RequestOrder
  /// Compares single requests, and knows what the placeholders stand for.
  private(set) var requests = RequestDifferences()

  /// The positions of expected requests and of those that are taken for them.
  var pairs: [(expected: Int, actual: Int)] = []
  /// The pairs of different requests, in the order of the requests.
  var unequal: [(expected: Int, actual: Int)] = []
  /// The positions of requests that nothing expects, and of expected ones that were not made.
  var (surplus, missing): ([Int], [Int]) = ([], [])
  private(set) var isEqual = false
  /// Whether the requests are those that are expected, and only their order is another.
  private(set) var isOrderOnly = false

  /// What requests have in common whose order counts: the method and the URL, with placeholders that have no names.
  private(set) var expectedLanes: [String] = []
  private(set) var actualLanes: [String] = []
  private let (expectedIdentities, actualIdentities): ([String], [String])
  private let hasPlaceholders: [Bool]
  /// The number of comparisons of a request with one that has placeholders, after which no better fit is looked for.
  private var budget = 20_000

  init(
    _ actual: [TranscribedRequest], with expected: [TranscribedRequest], shown: [TranscribedRequest]? = nil,
    order: RequestOrder = .perURL
  ) {
    (self.expected, self.actual, self.shown, self.order) = (expected, actual, shown ?? actual, order)
    (expectedIdentities, actualIdentities) = (expected.map(\.identity), actual.map(\.identity))
    hasPlaceholders = expectedIdentities.map(\.hasBraces)
    findLanes()
    if let assignment = assignment() {
      (isEqual, pairs) = (true, assignment)
    } else {
      findDifferences()
    }
  }

  // MARK: Equal requests

  private mutating func findLanes() {
    expectedLanes = expected.map(\.lane)
    let known = Set(expectedLanes)
    let open = Dictionary(zip(expectedLanes, expected)) { first, _ in first }.filter { $0.key.hasBraces }
    let sorted = open.sorted { $0.key < $1.key }
    actualLanes = actual.map { request in
      let lane = request.lane
      if known.contains(lane) { return lane }
      return sorted.first { request.method == $0.value.method && RequestDifferences.fitURL($0.value, request) }?.key
        ?? lane
    }
  }

  /// Returns the pairs if each expected request has one that fits, in an order that counts as right.
  private mutating func assignment() -> [(Int, Int)]? {
    guard expected.count == actual.count else { return nil }
    if order == .asMade {
      for index in expected.indices where !fits(index, index) { return nil }
      return expected.indices.map { ($0, $0) }
    }
    let (ours, theirs) = (Self.byLane(expectedLanes), Self.byLane(actualLanes))
    guard ours.allSatisfy({ theirs[$0.key]?.count == $0.value.count }) else { return nil }
    var pairs: [(Int, Int)] = []
    // Where there is no choice first, in the order of the text, because each fit can give names their values.
    let isFree = { [order] (lane: String) in order == .any || lane.hasBraces }
    var positions: [String: Int] = [:]
    for (index, lane) in expectedLanes.enumerated() where !isFree(lane) {
      let position = positions[lane, default: 0]
      positions[lane] = position + 1
      guard let other = theirs[lane]?[position], fits(index, other) else { return nil }
      pairs.append((index, other))
    }
    var free = expected.indices.filter { isFree(expectedLanes[$0]) }
    var others = actual.indices.filter { isFree(actualLanes[$0]) }
    if order == .any { pairs += takeEqualOnes(of: &free, among: &others) }
    guard let found = choice(of: free, among: others) else { return nil }
    return pairs + found
  }

  /// Takes out the requests that are equal as they are written, which leaves no choice.
  private func takeEqualOnes(of indices: inout [Int], among others: inout [Int]) -> [(Int, Int)] {
    var known: [String: [Int]] = [:]
    for other in others.reversed() { known[actualIdentities[other], default: []].append(other) }
    var (pairs, taken): ([(Int, Int)], Set<Int>) = ([], [])
    indices.removeAll { index in
      guard !hasPlaceholders[index], let other = known[expectedIdentities[index]]?.popLast() else { return false }
      pairs.append((index, other))
      taken.insert(other)
      return true
    }
    others.removeAll(where: taken.contains)
    return pairs
  }

  static func byLane(_ lanes: [String]) -> [String: [Int]] {
    Dictionary(grouping: lanes.indices) { lanes[$0] }
  }

  private mutating func fits(_ index: Int, _ other: Int) -> Bool {
    if expectedIdentities[index].isSame(as: actualIdentities[other]), !hasPlaceholders[index] { return true }
    guard hasPlaceholders[index] || actual[other].isRedirected else { return false }
    guard budget > 0 else { return false }
    budget -= 1
    let before = requests.values
    if requests.differences(expected[index], actual[other]).isEmpty { return true }
    requests.values = before
    return false
  }

  private func canBe(_ index: Int, _ other: Int, after least: Int) -> Bool {
    other > least && expectedLanes[index].isSame(as: actualLanes[other])
  }

  /// Gives each of some expected requests one of as many others: the first that fits, or if that leads nowhere, any.
  private mutating func choice(of indices: [Int], among others: [Int]) -> [(Int, Int)]? {
    let before = requests.values
    var pairs: [(Int, Int)] = []
    var free = Dictionary(grouping: others) { actualLanes[$0] }
    // Requests of one URL keep their order.
    var latest: [String: Int] = [:]
    for index in indices {
      let least = order == .any ? -1 : latest[expected[index].target] ?? -1
      var lane = free.removeValue(forKey: expectedLanes[index]) ?? []
      guard let place = lane.firstIndex(where: { $0 > least && fits(index, $0) }) else { break }
      latest[expected[index].target] = lane[place]
      pairs.append((index, lane.remove(at: place)))
      free[expectedLanes[index]] = lane
    }
    if pairs.count == indices.count { return pairs }
    requests.values = before
    guard indices.count <= 100 else { return nil }
    return search(indices[...], free: others, latest: [:])
  }

  /// The same with a way back, for values that fit several placeholders.
  private mutating func search(_ indices: ArraySlice<Int>, free: [Int], latest: [String: Int]) -> [(Int, Int)]? {
    guard let index = indices.first else { return [] }
    let least = order == .any ? -1 : latest[expected[index].target] ?? -1
    for (place, other) in free.enumerated() where canBe(index, other, after: least) {
      let before = requests.values
      guard fits(index, other) else { continue }
      var (rest, after) = (free, latest)
      rest.remove(at: place)
      after[expected[index].target] = other
      if let found = search(indices.dropFirst(), free: rest, latest: after) { return [(index, other)] + found }
      requests.values = before
    }
    return nil
  }

  // MARK: Different requests

  private mutating func findDifferences() {
    let asked = order
    (requests.values, budget, order) = (PlaceholderValues(), 20_000, .any)
    let inAnyOrder = assignment()
    order = asked
    if let inAnyOrder {
      (pairs, isOrderOnly) = (inAnyOrder, true)
      return
    }
    (requests.values, budget) = (PlaceholderValues(), 20_000)
    var isTaken = Array(repeating: false, count: actual.count)
    var known: [String: [Int]] = [:]
    for index in actual.indices.reversed() { known[actualIdentities[index], default: []].append(index) }
    let (lanes, hasRedirects) = (Self.byLane(actualLanes), actual.contains(where: \.isRedirected))
    var starts: [String: Int] = [:]
    for index in expected.indices {
      var found: Int?
      if !hasPlaceholders[index] { found = known[expectedIdentities[index]]?.popLast() }
      // One that follows a redirect can fit, although it isn't equal.
      if found == nil, hasPlaceholders[index] || hasRedirects {
        let lane = lanes[expectedLanes[index]] ?? []
        var start = starts[expectedLanes[index], default: 0]
        while start < lane.count, isTaken[lane[start]] { start += 1 }
        starts[expectedLanes[index]] = start
        found = budget > 0 ? lane[start...].first { !isTaken[$0] && fits(index, $0) } : nil
      }
      if let found {
        isTaken[found] = true
        pairs.append((index, found))
      } else {
        missing.append(index)
      }
    }
    surplus = actual.indices.filter { !isTaken[$0] }
    isOrderOnly = missing.isEmpty && surplus.isEmpty
    pairLikeOnes()
  }
}

extension TranscribedRequest {
  /// The method and the URL, with placeholders that have no names, and with sorted items.
  fileprivate var lane: String {
    var request = self
    request.url = url.withNamelessPlaceholders
    request.items = items?.map(\.withNamelessPlaceholders).sorted()
    return request.target
  }
}

extension String {
  fileprivate var withNamelessPlaceholders: String {
    guard hasBraces, let pieces = try? ValuePattern.pieces(of: self) else { return self }
    return pieces.map { if case .text(let text) = $0 { text.escapingBraces } else { "{{}}" } }.joined()
  }
}
