import Foundation
import StubKit

/// Compares the requests of a test with those that a transcript expects.
struct TranscriptComparison {
  private let expected: [TranscribedRequest]
  private let actual: [TranscribedRequest]
  /// The requests as they may be shown, without secrets.
  private let shown: [TranscribedRequest]
  private var order: RequestOrder
  private var patterns: [String: ValuePattern] = [:]

  /// What the placeholders stand for.
  private(set) var values = PlaceholderValues()
  /// The positions of expected requests and of those that are taken for them.
  private(set) var pairs: [(expected: Int, actual: Int)] = []
  private(set) var isEqual = false
  /// Whether the requests are those that are expected, and only their order is another.
  private(set) var isOrderOnly = false
  /// The positions of requests that nothing expects, and of expected ones that were not made.
  private var (surplus, missing): ([Int], [Int]) = ([], [])

  /// The number of comparisons of a request with one that has placeholders, after which no better fit is looked for.
  private var budget = 20_000

  /// What requests have in common whose order counts: the method and the URL, with placeholders that have no names.
  private var expectedLanes: [String] = []
  private var actualLanes: [String] = []
  private let (expectedIdentities, actualIdentities): ([String], [String])
  private let hasPlaceholders: [Bool]

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
      let values = values
      defer { self.values = values }
      return sorted.first { request.method == $0.value.method && fitsURL($0.value, request) }?.key ?? lane
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
    let free = expected.indices.filter { isFree(expectedLanes[$0]) }
    guard let found = choice(of: free, among: actual.indices.filter { isFree(actualLanes[$0]) }) else { return nil }
    return pairs + found
  }

  private static func byLane(_ lanes: [String]) -> [String: [Int]] {
    Dictionary(grouping: lanes.indices) { lanes[$0] }
  }

  private mutating func fits(_ index: Int, _ other: Int) -> Bool {
    if expectedIdentities[index].isSame(as: actualIdentities[other]), !hasPlaceholders[index] { return true }
    guard hasPlaceholders[index] || actual[other].isRedirected else { return false }
    guard budget > 0 else { return false }
    budget -= 1
    let before = values
    if differences(expected[index], actual[other]).isEmpty { return true }
    values = before
    return false
  }

  private func canBe(_ index: Int, _ other: Int, after least: Int) -> Bool {
    other > least && expectedLanes[index].isSame(as: actualLanes[other])
  }

  /// Gives each of some expected requests one of as many others: the first that fits, or if that leads nowhere, any.
  private mutating func choice(of indices: [Int], among others: [Int]) -> [(Int, Int)]? {
    let before = values
    var (free, pairs): ([Int], [(Int, Int)]) = (others, [])
    // Requests of one URL keep their order.
    var latest: [String: Int] = [:]
    for index in indices {
      let least = order == .any ? -1 : latest[expected[index].target] ?? -1
      guard let place = free.firstIndex(where: { canBe(index, $0, after: least) && fits(index, $0) }) else { break }
      latest[expected[index].target] = free[place]
      pairs.append((index, free.remove(at: place)))
    }
    if pairs.count == indices.count { return pairs }
    values = before
    guard indices.count <= 100 else { return nil }
    return search(indices[...], free: others, latest: [:])
  }

  /// The same with a way back, for values that fit several placeholders.
  private mutating func search(_ indices: ArraySlice<Int>, free: [Int], latest: [String: Int]) -> [(Int, Int)]? {
    guard let index = indices.first else { return [] }
    let least = order == .any ? -1 : latest[expected[index].target] ?? -1
    for (place, other) in free.enumerated() where canBe(index, other, after: least) {
      let before = values
      guard fits(index, other) else { continue }
      var (rest, after) = (free, latest)
      rest.remove(at: place)
      after[expected[index].target] = other
      if let found = search(indices.dropFirst(), free: rest, latest: after) { return [(index, other)] + found }
      values = before
    }
    return nil
  }

  // MARK: Different requests

  /// The pairs of different requests, in the order of the requests.
  private var unequal: [(expected: Int, actual: Int)] = []

  private mutating func findDifferences() {
    let asked = order
    (values, budget, order) = (PlaceholderValues(), 20_000, .any)
    let inAnyOrder = assignment()
    order = asked
    if let inAnyOrder {
      (pairs, isOrderOnly) = (inAnyOrder, true)
      return
    }
    (values, budget) = (PlaceholderValues(), 20_000)
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
        found = lane[start...].first { !isTaken[$0] && fits(index, $0) }
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

  /// Pairs what is left: first within a method and URL, then among all.
  private mutating func pairLikeOnes() {
    var signatures: (expected: [Int: Set<Int>], actual: [Int: Set<Int>]) = ([:], [:])
    func pair(_ ours: [Int], _ theirs: [Int], atLeast least: Int) -> [(expected: Int, actual: Int)] {
      // Of one there is no other, and beyond that, their order is the best guess.
      guard ours.count * theirs.count <= 10_000, least > 0 || ours.count * theirs.count > 1 else {
        return Array(zip(ours, theirs)).map { ($0, $1) }
      }
      for index in ours { signatures.expected[index] = expected[index].signature }
      for index in theirs { signatures.actual[index] = actual[index].signature }
      var likes: [(likeness: Int, expected: Int, actual: Int)] = []
      for index in ours {
        for other in theirs {
          guard let left = signatures.expected[index], let right = signatures.actual[other] else { continue }
          let likeness = 200 * left.intersection(right).count / max(1, left.count + right.count)
          if likeness >= least { likes.append((likeness, index, other)) }
        }
      }
      var (isPaired, isTaken): (Set<Int>, Set<Int>) = ([], [])
      var pairs: [(expected: Int, actual: Int)] = []
      for like in likes.sorted(by: { (-$0.likeness, $0.expected, $0.actual) < (-$1.likeness, $1.expected, $1.actual) })
      where !isPaired.contains(like.expected) && !isTaken.contains(like.actual) {
        isPaired.insert(like.expected)
        isTaken.insert(like.actual)
        pairs.append((like.expected, like.actual))
      }
      return pairs
    }
    func remove(_ pairs: [(expected: Int, actual: Int)]) {
      let (ours, theirs) = (Set(pairs.map(\.expected)), Set(pairs.map(\.actual)))
      missing.removeAll(where: ours.contains)
      surplus.removeAll(where: theirs.contains)
      unequal += pairs
    }
    let theirs = Dictionary(grouping: surplus) { actualLanes[$0] }
    var inLanes: [(expected: Int, actual: Int)] = []
    for (lane, ours) in Dictionary(grouping: missing, by: { expectedLanes[$0] }) {
      inLanes += pair(ours, theirs[lane] ?? [], atLeast: 0)
    }
    remove(inLanes)
    remove(pair(missing, surplus, atLeast: 50))
    unequal.sort { $0.actual < $1.actual }
    pairs += unequal
  }

  // MARK: The report

  /// What differs, the difference by value first, in at most about 60 lines.
  ///
  /// - Parameter place: The transcript, as the end of a sentence.
  mutating func report(_ place: String) -> [String] {
    if isOrderOnly { return orderReport(place) }
    let count = max(expected.count, actual.count)
    let different = unequal.count + missing.count + surplus.count
    var lines = ["The requests differ from \(place) in \(different) of \(max(count, different)):"]
    for (index, other) in unequal where lines.count < 60 {
      let before = values
      let differences = differences(expected[index], actual[other])
      values = before
      // What is equal can differ where it is shown, because it is a secret.
      let keys = Set(differences.map(\.key))
      let shownOnes = self.differences(expected[index], shown[other]).filter { keys.contains($0.key) }
      values = before
      lines.append("  \(shown[other].target)")
      lines += (shownOnes.isEmpty ? differences.map(\.withoutActual) : shownOnes).flatMap(\.lines).cut(to: 20)
    }
    for index in missing where lines.count < 70 { lines.append("- \(expected[index].target)   was not made") }
    for index in surplus where lines.count < 80 {
      lines.append(
        "+ \(shown[index].target)   is a request too many\(order == .any ? "" : ", the \(index + 1). of \(actual.count)")"
      )
    }
    let same = pairs.count - unequal.count
    if same > 0 { lines.append("  … \(same) as expected") }
    return lines
  }

  private mutating func orderReport(_ place: String) -> [String] {
    var lines = ["Only the order of the requests differs from \(place):"]
    let (ours, theirs): ([Int], [Int])
    if order == .asMade {
      (ours, theirs) = (Array(expected.indices), Array(actual.indices))
    } else {
      let byLane = (Self.byLane(expectedLanes), Self.byLane(actualLanes))
      let partners = Dictionary(pairs.map { ($0.expected, $0.actual) }) { first, _ in first }
      let lane = byLane.0.sorted { $0.value[0] < $1.value[0] }.first { lane, indices in
        indices.compactMap { partners[$0] } != (byLane.1[lane] ?? [])
      }
      (ours, theirs) = (lane?.value ?? [], lane.flatMap { byLane.1[$0.key] } ?? [])
    }
    let position = zip(ours, theirs).enumerated().first { _, pair in !pairs.contains { $0 == pair } }
    if let (number, (index, other)) = position {
      let what = order == .asMade ? "request \(number + 1)" : "the \(number + 1). request of this method and URL"
      lines.append("  \(shown[other].target)   is \(what)")
      let found = differences(expected[index], shown[other]).flatMap(\.lines).cut(to: 12)
      lines += found.isEmpty ? ["- \(expected[index].target)"] : found
    }
    lines.append(
      order == .asMade
        ? "If their order is free but for those of one method and URL, leave out order: .asMade."
        : "If their order is free, because they are made at the same time, write order: .any.")
    return lines
  }
}

// MARK: One request beside another

/// A value in which a request differs.
private struct Difference {
  /// What the value is, whatever it says.
  let key: String
  let expected: String?
  let actual: String?

  var lines: [String] { (expected.map { ["- \($0)"] } ?? []) + (actual.map { ["+ \($0)"] } ?? []) }
  var withoutActual: Difference {
    Difference(key: key, expected: expected, actual: actual.map { _ in "\(key): another value" })
  }
}

extension TranscriptComparison {
  /// Returns whether a text fits an expected one, and takes the values of its placeholders.
  private mutating func fits(_ expected: String, _ actual: String) -> Bool {
    guard expected.hasBraces else { return expected.isSame(as: actual) }
    guard let found = pattern(expected)?.values(in: actual.unescapingBraces) else { return false }
    return values.bind(found)
  }

  private mutating func pattern(_ text: String) -> ValuePattern? {
    if let known = patterns[text] { return known }
    let pattern = try? ValuePattern(text)
    patterns[text] = pattern
    return pattern
  }

  /// What keeps a value from its placeholders, if only other values do. Usually empty.
  private mutating func note(_ expected: String, _ actual: String) -> String {
    guard expected.hasBraces, let found = pattern(expected)?.values(in: actual.unescapingBraces) else { return "" }
    return "   (\(values.conflict(found)))"
  }

  private mutating func difference(_ key: String, _ expected: String, _ actual: String) -> [Difference] {
    if fits(expected, actual) { return [] }
    return [
      Difference(key: key, expected: "\(key): \(expected)\(note(expected, actual))", actual: "\(key): \(actual)")
    ]
  }

  fileprivate mutating func differences(_ expected: TranscribedRequest, _ actual: TranscribedRequest) -> [Difference] {
    var expected = expected
    if actual.isRedirected, !expected.isRedirected {
      expected.isRedirected = true
      expected.normalize(without: [])
    }
    var found: [Difference] = []
    let isSameURL = expected.method == actual.method && fits(expected.url, actual.url)
    if !isSameURL {
      found.append(
        Difference(
          key: "URL", expected: "\(expected.method) \(expected.url)\(note(expected.url, actual.url))",
          actual: "\(actual.method) \(actual.url)"))
    }
    found += differences("?", expected.items, actual.items)
    if expected.timeout != actual.timeout {
      let texts = [expected, actual].map { "\(TranscriptText.timeout)\($0.timeout ?? "60, the usual one")" }
      found.append(Difference(key: "timeout", expected: texts[0], actual: texts[1]))
    }
    found += differences("", expected.fields, actual.fields)
    return found + differences("body", expected.body, actual.body)
  }

  fileprivate mutating func fitsURL(_ expected: TranscribedRequest, _ actual: TranscribedRequest) -> Bool {
    var (left, right) = (TranscribedRequest(), TranscribedRequest())
    (left.url, left.items, right.url, right.items) = (expected.url, expected.items, actual.url, actual.items)
    values = PlaceholderValues()
    return differences(left, right).isEmpty
  }

  /// Compares the items of a query or of a form, in any order.
  private mutating func differences(_ prefix: String, _ expected: [String]?, _ actual: [String]?) -> [Difference] {
    guard expected != nil || actual != nil else { return [] }
    guard let expected, let actual else {
      return [
        Difference(
          key: prefix, expected: expected.map { "\(prefix)\($0.joined(separator: "&"))" },
          actual: actual.map { "\(prefix)\($0.joined(separator: "&"))" })
      ]
    }
    var (rest, open): ([String], [String]) = (actual, [])
    for item in expected {
      if let place = rest.firstIndex(where: { $0.isSame(as: item) }) {
        rest.remove(at: place)
      } else {
        open.append(item)
      }
    }
    var found: [Difference] = []
    for item in open {
      if item.hasBraces, let place = rest.firstIndex(where: { fits(item, $0) }) {
        rest.remove(at: place)
        continue
      }
      let name = item.pieces(at: "=")[0]
      let place = rest.firstIndex { $0.pieces(at: "=")[0] == name }
      let other = place.map { rest.remove(at: $0) }
      let note = other.map { self.note(item, $0) } ?? ""
      found.append(
        Difference(key: "\(prefix)\(name)", expected: "\(prefix)\(item)\(note)", actual: other.map { "\(prefix)\($0)" })
      )
    }
    return found
      + rest.map { Difference(key: "\(prefix)\($0.pieces(at: "=")[0])", expected: nil, actual: "\(prefix)\($0)") }
  }

  private mutating func differences(
    _ prefix: String, _ expected: [TranscribedRequest.Field], _ actual: [TranscribedRequest.Field]
  ) -> [Difference] {
    var (found, rest): ([Difference], [TranscribedRequest.Field]) = ([], actual)
    for field in expected {
      let key = "\(prefix)\(field.name)"
      if let place = rest.firstIndex(where: { $0.name.isHeaderName(field.name) }) {
        found += difference(key, field.value, rest.remove(at: place).value)
      } else {
        found.append(Difference(key: key, expected: "\(prefix)\(field.line)", actual: nil))
      }
    }
    return found + rest.map { Difference(key: "\(prefix)\($0.name)", expected: nil, actual: "\(prefix)\($0.line)") }
  }

  // MARK: Bodies

  private mutating func differences(
    _ key: String, _ expected: TranscribedBody, _ actual: TranscribedBody
  ) -> [Difference] {
    switch (expected, actual) {
    case (.none, .none): return []
    case (.json(let left), .json(let right)): return differences(key, left, right)
    case (.form(let left), .form(let right)): return differences("\(key): ", left, right)
    case (.bytes(let left), .bytes(let right)): return difference(key, left, right)
    case (.text(let left), .text(let right)): return textDifferences(key, left, right)
    case (.multipart(let left, let problems), .multipart(let right, let others)):
      return differences(left, right) + problemDifferences(key, problems, others)
    default:
      let lines = actual.lines(boundary: nil).lines
      // A placeholder can be any body.
      if case .text(let text) = expected, text.hasBraces, actual.isSome, fits(text, lines) { return [] }
      return [
        Difference(
          key: key, expected: expected.isSome ? "\(key): \(expected.excerpt)" : nil,
          actual: actual.isSome ? "\(key): \(actual.excerpt)" : nil)
      ]
    }
  }

  private mutating func textDifferences(_ key: String, _ expected: String, _ actual: String) -> [Difference] {
    if fits(expected, actual) { return [] }
    let (left, right) = (expected.pieces(at: "\n"), actual.pieces(at: "\n"))
    guard max(left.count, right.count) > 1 else {
      return [
        Difference(
          key: key, expected: "\(key): \(expected.middle(400))\(note(expected, actual))",
          actual: "\(key): \(actual.middle(400))")
      ]
    }
    let number = zip(left, right).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> String? {
      lines.indices.contains(number) ? "\(key), line \(number + 1): \(String(lines[number]).middle(400))" : nil
    }
    return [Difference(key: key, expected: line(left), actual: line(right))]
  }

  private func problemDifferences(_ key: String, _ expected: [String], _ actual: [String]) -> [Difference] {
    let (left, right) = (expected.filter { !actual.contains($0) }, actual.filter { !expected.contains($0) })
    return left.map { Difference(key: "\(key) #", expected: "\(key): # \($0)", actual: nil) }
      + right.map { Difference(key: "\(key) #", expected: nil, actual: "\(key): # \($0)") }
  }

  private mutating func differences(
    _ expected: [TranscribedBody.Part], _ actual: [TranscribedBody.Part]
  ) -> [Difference] {
    var (found, rest): ([Difference], [TranscribedBody.Part]) = ([], actual)
    let order = (expected.map(\.name), actual.map(\.name))
    for part in expected {
      let key = "part \(part.name)"
      guard let place = rest.firstIndex(where: { $0.name == part.name }) else {
        found.append(Difference(key: key, expected: "\(key): \(part.body.excerpt)", actual: nil))
        continue
      }
      let other = rest.remove(at: place)
      found += differences("\(key), ", part.fields, other.fields) + differences(key, part.body, other.body)
      found += problemDifferences(key, part.problems, other.problems)
    }
    for part in rest {
      let key = "part \(part.name)"
      found.append(Difference(key: key, expected: nil, actual: "\(key): \(part.body.excerpt)"))
    }
    guard found.isEmpty, order.0 != order.1 else { return found }
    return [
      Difference(key: "parts", expected: "parts: \(order.0.listed)", actual: "parts: \(order.1.listed)")
    ]
  }

  private mutating func differences(_ path: String, _ expected: JSONValue, _ actual: JSONValue) -> [Difference] {
    switch (expected, actual) {
    case (.string(let text), _) where text.hasPrefix(TranscribedBody.bare):
      let pattern = String(text.dropFirst())
      let value = if case .string(let other) = actual { other } else { actual.description }
      if fits(pattern, value) { return [] }
      return [
        Difference(
          key: path, expected: "\(path): \(pattern)\(note(pattern, value))",
          actual: "\(path): \(actual.transcriptText.middle(400))")
      ]
    case (.string(let text), .string(let other)) where fits(text, other): return []
    case (.object(let members), .object(let others)):
      return Set(members.keys).union(others.keys).sorted().flatMap { key -> [Difference] in
        let inner = "\(path)\(key.asStep)"
        switch (members.value(of: key), others.value(of: key)) {
        case (let left?, let right?): return differences(inner, left, right)
        case (let left, let right): return [difference(inner, left, right)]
        }
      }
    case (.array(let elements), .array(let others)):
      let start = zip(elements, others).prefix { $0 == $1 }.count
      var ends = (elements.count, others.count)
      if ends.0 != ends.1 {
        while ends.0 > start, ends.1 > start, elements[ends.0 - 1] == others[ends.1 - 1] {
          ends = (ends.0 - 1, ends.1 - 1)
        }
      }
      return (start..<max(ends.0, ends.1, start)).flatMap { index -> [Difference] in
        let inner = "\(path)[\(index)]"
        if index < ends.0, index < ends.1 { return differences(inner, elements[index], others[index]) }
        // A literal nil would be a null of JSON.
        let left = index < ends.0 ? elements[index] : Optional<JSONValue>.none
        let right = index < ends.1 ? others[index] : Optional<JSONValue>.none
        return [difference(inner, left, right)]
      }
    case _ where expected == actual: return []
    default:
      var note = ""
      if case (.string(let text), .string(let other)) = (expected, actual) { note = self.note(text, other) }
      return [
        Difference(
          key: path, expected: "\(path): \(expected.transcriptText.middle(400))\(note)",
          actual: "\(path): \(actual.transcriptText.middle(400))")
      ]
    }
  }

  private func difference(_ path: String, _ expected: JSONValue?, _ actual: JSONValue?) -> Difference {
    func line(_ value: JSONValue) -> String { "\(path): \(value.transcriptText.middle(400))" }
    return Difference(key: path, expected: expected.map(line), actual: actual.map(line))
  }
}

extension String {
  /// The text as a step to a member of an object.
  fileprivate var asStep: String {
    utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 } && !isEmpty
      ? ".\(self)" : "[\(quotedAsJSON)]"
  }
}

extension TranscribedBody {
  /// The body in one line, shortened.
  fileprivate var excerpt: String {
    if case .json(let value) = self { return value.transcriptText.middle(400) }
    return lines(boundary: nil).joined(separator: "⏎").middle(400)
  }
}

extension [String] {
  fileprivate func cut(to count: Int) -> [String] {
    self.count > count ? prefix(count - 1) + ["  … \(self.count - count + 1) more lines"] : self
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

  /// Hashes of what the request says, to find like ones.
  fileprivate var signature: Set<Int> {
    var texts = url.pieces(at: "/").map { "/\($0)" } + (items ?? []) + fields.map(\.line) + [method, url]
    texts += body.lines(boundary: nil)
    return Set(texts.map(\.hashValue))
  }
}

extension String {
  fileprivate var withNamelessPlaceholders: String {
    guard hasBraces, let pieces = try? ValuePattern.pieces(of: self) else { return self }
    return pieces.map { if case .text(let text) = $0 { text.escapingBraces } else { "{{}}" } }.joined()
  }
}
