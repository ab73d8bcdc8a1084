import Foundation
import StubKit

/// The texts of requests that must keep their order, each with its place.
///
/// Sums of hashes say in one step whether all texts are equal except for those that placeholders stand for.
struct RequestLeaves: Sendable {
  struct Leaf: Sendable {
    let place: Place
    let text: TranscribedText
    let role: TextRole
    /// The body or the JSON that begins here, or `nil` for a text.
    let container: TextContainer?
    /// The index behind the last leaf in it.
    var end: Int
  }

  /// The indices of the requests.
  let requests: [Int]
  private(set) var leaves: [Leaf] = []
  /// The indices of the leaves with placeholders.
  private(set) var slots: [Int] = []
  /// A number that requests have in common if one can be like the other: their methods and the numbers of their pieces.
  private(set) var shape = 0
  /// The sums of the hashes of the leaves without placeholders, up to each leaf.
  private var sums = [0]
  private let indices: [Place: Int]

  /// - Parameter part: Which texts count.
  init(_ requests: [Int], of all: [TranscribedRequest], _ part: Part = .all) {
    self.requests = requests
    var collector = LeafCollector()
    var hasher = Hasher()
    for (number, index) in requests.enumerated() {
      collector.number = number
      var request = all[index]
      if part == .address { (request.fields, request.body) = ([], .none) }
      hasher.combine(ExactString(request.method))
      hasher.combine(request.url.count)
      hasher.combine(request.items?.count)
      request.visitTexts(&collector)
    }
    (leaves, slots, shape) = (collector.leaves, collector.slots, hasher.finalize())
    sums.reserveCapacity(leaves.count + 1)
    for leaf in leaves { sums.append(sums[sums.count - 1] &+ leaf.hash) }
    var indices: [Place: Int] = [:]
    indices.reserveCapacity(leaves.count)
    for (index, leaf) in leaves.enumerated() { indices[leaf.place] = index }
    self.indices = indices
  }

  enum Part { case all, address }

  /// The sum of the hashes of all leaves without placeholders.
  var sum: Int { sums[leaves.count] }
  var places: [Place] { slots.map { leaves[$0].place } }
  var placeholders: [Placeholder] { slots.flatMap { leaves[$0].text.placeholders } }
  /// The texts with placeholders, equal for those that differ only in names.
  var skeleton: [TranscribedText] { slots.map { leaves[$0].text.withoutNames } }

  subscript(_ place: Place) -> Leaf? { indices[place].map { leaves[$0] } }

  /// Returns the sum without some places and what is in them, or `nil` if one of them isn't there.
  func sum(without places: [Place]) -> Int? {
    var sum = sum
    for place in places {
      guard let index = indices[place] else { return nil }
      sum &-= sums[leaves[index].end] &- sums[index]
    }
    return sum
  }

  /// Returns the values that the placeholders of these leaves have in others, or `nil` if a text differs.
  func values(in other: RequestLeaves, _ machine: Machine) -> [String]? {
    var values: [String] = []
    for slot in slots {
      guard let sent = other[leaves[slot].place], let found = leaves[slot].values(in: sent, machine) else { return nil }
      values += found
    }
    return values
  }
}

extension RequestLeaves.Leaf {
  var isQuoted: Bool { role == .quoted }
  /// Whether the leaf says a form, for which no placeholder stands.
  var isMark: Bool { role == .mark }

  /// Returns the values of the placeholders, or `nil` if the text differs.
  func values(in sent: Self, _ machine: Machine) -> [String]? {
    if let container = sent.container {
      if let line = container.onlyLine { return text.values(in: line, machine) }
      guard let placeholder = text.onlyPlaceholder, placeholder.kind == .text || placeholder.kind == .secret, !isQuoted
      else { return nil }
      return [container.source]
    }
    if isQuoted != sent.isQuoted {
      // Without quotation marks, a placeholder is any value of JSON, but a number isn't a string.
      guard let placeholder = text.onlyPlaceholder, !isQuoted, !placeholder.kind.isNumeric else { return nil }
    }
    return text.values(in: sent.text.sent, machine)
  }

  fileprivate var hash: Int {
    guard text.isLiteral else { return 0 }
    var hasher = Hasher()
    hasher.combine(place)
    hasher.combine(isQuoted)
    hasher.combine(container != nil)
    hasher.combine(text)
    return hasher.finalize()
  }
}

extension PlaceholderKind {
  /// Whether JSON can have the values without quotation marks.
  var isNumeric: Bool {
    switch self {
    case .number, .seconds, .milliseconds, .microseconds, .nanoseconds: true
    default: false
    }
  }
}

/// Collects the leaves of requests.
private struct LeafCollector: TextVisitor {
  var leaves: [RequestLeaves.Leaf] = []
  var slots: [Int] = []
  var number = 0
  private var open: [Int] = []

  mutating func visit(_ text: inout TranscribedText, at place: Place, _ role: TextRole) {
    if !text.isLiteral { slots.append(leaves.count) }
    add(text, at: place, role)
  }

  mutating func begin(_ container: TextContainer, at place: Place) -> TranscribedText? {
    open.append(leaves.count)
    add(TranscribedText(""), at: place, .mark, container)
    return nil
  }

  mutating func end() { if let start = open.popLast() { leaves[start].end = leaves.count } }

  private mutating func add(
    _ text: TranscribedText, at place: Place, _ role: TextRole, _ container: TextContainer? = nil
  ) {
    let place = number == 0 ? place : place.step("request", number)
    leaves.append(
      .init(place: place, text: text, role: role, container: container, end: leaves.count + 1))
  }
}
