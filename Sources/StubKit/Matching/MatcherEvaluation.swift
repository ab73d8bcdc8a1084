/// The result of checking a condition against a request, as far as it is known.
enum Verdict: Sendable {
  case matches
  case fails
  /// The result depends on a closure that can't run here, or on a body that has not been read yet.
  case undecided
}

/// What an evaluation is allowed to do.
enum ClosurePolicy: Sendable {
  /// The user's closures run, after everything else. An unread body matches nothing.
  case run
  /// The user's closures don't run. What depends on them or on an unread body is undecided.
  case skip
  /// Like `skip`, and long bodies aren't compared either, because others wait for this queue.
  case `defer`
}

/// The kinds of test in a condition, cheapest first.
package struct Stages: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Compares a few bytes of the head, and captures nothing.
  package static let quick = Stages(rawValue: 1 << 0)
  package static let head = Stages(rawValue: 1 << 1)
  package static let body = Stages(rawValue: 1 << 2)
  static let closure = Stages(rawValue: 1 << 3)

  /// The position of the most expensive kind.
  fileprivate var last: Int { rawValue.bitWidth - rawValue.leadingZeroBitCount }
}

/// What is known about a condition without a walk through it.
package struct MatcherTraits: Sendable, Equatable {
  package var stages: Stages
  /// A Boolean value that indicates whether something in it captures.
  package var captures = false
  /// A Boolean value that indicates whether something in it is a mistake, so that the condition matches nothing.
  var isMistake = false

  package static let quick = MatcherTraits(stages: .quick)
  package static let head = MatcherTraits(stages: .head)
  package static let capturing = MatcherTraits(stages: .head, captures: true)
  package static let body = MatcherTraits(stages: .body)

  func union(_ other: MatcherTraits) -> MatcherTraits {
    MatcherTraits(
      stages: stages.union(other.stages), captures: captures || other.captures,
      isMistake: isMistake || other.isMistake)
  }
}

extension RequestMatcher.Node {
  var traits: MatcherTraits {
    switch self {
    case .all(_, let order), .either(_, let order): return order.traits
    case .not(let child):
      var traits = child.traits
      traits.captures = false
      return traits
    case .criterion(let criterion): return criterion.traits
    case .closure: return MatcherTraits(stages: .closure)
    }
  }
}

/// The order in which the members of a group are checked: cheap ones first, wherever they are written.
///
/// What captures keeps its place before what captures later. In an `||`, it keeps its place before everything that
/// follows, because the left one of two sides that match captures.
final class EvaluationOrder: Sendable {
  let traits: MatcherTraits
  /// The members in their order, or `nil` for the order in which they are written.
  private let sorted: [RequestMatcher.Node]?
  /// The ranks of the last member in the order, and of the last one that captures.
  private let last: Int
  private let lastCapturing: Int

  /// The orders of most groups, which share them.
  private static let usual = [
    EvaluationOrder(.quick, sorted: nil, 1, 0),
    EvaluationOrder(MatcherTraits(stages: [.quick, .head]), sorted: nil, 2, 0),
    EvaluationOrder(MatcherTraits(stages: [.quick, .head], captures: true), sorted: nil, 2, 2),
  ]

  /// Returns the order of a group. An empty one is decided at once.
  static func of(_ members: [RequestMatcher.Node], inEither: Bool) -> EvaluationOrder {
    var (traits, ranks, lastCapturing) = (members.first?.traits ?? .quick, [(rank: Int, place: Int)](), 0)
    for (place, member) in members.enumerated() {
      let own = member.traits
      traits = traits.union(own)
      let rank = rank(of: own, after: lastCapturing, inEither)
      if own.captures { lastCapturing = rank }
      ranks.append((rank, place))
    }
    let sorted = ranks.sorted(by: <)
    let last = sorted.last?.rank ?? 0
    if sorted.elementsEqual(ranks, by: ==) { return asWritten(traits, last, lastCapturing) }
    return EvaluationOrder(traits, sorted: sorted.map { members[$0.place] }, last, lastCapturing)
  }

  private static func asWritten(_ traits: MatcherTraits, _ last: Int, _ lastCapturing: Int) -> EvaluationOrder {
    usual.first { $0.traits == traits && $0.last == last && $0.lastCapturing == lastCapturing }
      ?? EvaluationOrder(traits, sorted: nil, last, lastCapturing)
  }

  private init(_ traits: MatcherTraits, sorted: [RequestMatcher.Node]?, _ last: Int, _ lastCapturing: Int) {
    (self.traits, self.sorted, self.last, self.lastCapturing) = (traits, sorted, last, lastCapturing)
  }

  func members(_ written: [RequestMatcher.Node]) -> [RequestMatcher.Node] { sorted ?? written }

  /// Returns the order with another member at the end of the group.
  ///
  /// - Parameter all: The members, as they are written, with the new one.
  func adding(_ member: RequestMatcher.Node, to all: [RequestMatcher.Node], _ inEither: Bool) -> EvaluationOrder {
    let own = member.traits
    let rank = Self.rank(of: own, after: lastCapturing, inEither)
    guard sorted == nil, rank >= last else { return .of(all, inEither: inEither) }
    return Self.asWritten(traits.union(own), rank, own.captures ? rank : lastCapturing)
  }

  private static func rank(of traits: MatcherTraits, after lastCapturing: Int, _ inEither: Bool) -> Int {
    inEither || traits.captures ? max(lastCapturing, traits.stages.last) : traits.stages.last
  }
}

extension RequestMatcher {
  var traits: MatcherTraits { node.traits }

  /// A Boolean value that indicates whether deciding this condition can require one of the user's closures.
  var holdsClosure: Bool { traits.stages.contains(.closure) }

  func evaluate(_ facts: inout RequestFacts, closures: ClosurePolicy, captures: inout Captures) -> Verdict {
    traits.isMistake ? .fails : node.evaluate(&facts, closures: closures, captures: &captures)
  }

  /// Decides the condition by the head of the request alone. Body criteria and closures leave it undecided.
  func verdictByHead(_ facts: inout RequestFacts) -> Verdict {
    if traits.isMistake { return .fails }
    var captures = Captures()
    return Evaluation(policy: .defer, reach: .head).verdict(of: node, &facts, &captures)
  }
}

extension RequestMatcher.Node {
  /// Decides the condition in three-valued logic, and adds the captures if it matches.
  ///
  /// One pass checks the head and the body, cheap tests first. Closures run in a second pass, and only if the first has
  /// left the question open.
  func evaluate(_ facts: inout RequestFacts, closures: ClosurePolicy, captures: inout Captures) -> Verdict {
    let verdict = Evaluation(policy: closures, reach: .body).verdict(of: self, &facts, &captures)
    guard verdict == .undecided, closures == .run else { return verdict }
    return Evaluation(policy: .run, reach: .closures).verdict(of: self, &facts, &captures)
  }
}

/// A pass over a tree. Tests beyond its reach are undecided.
private struct Evaluation {
  enum Reach { case head, body, closures }

  let policy: ClosurePolicy
  let reach: Reach

  func verdict(of node: RequestMatcher.Node, _ facts: inout RequestFacts, _ captures: inout Captures) -> Verdict {
    switch node {
    case .criterion(let criterion):
      if criterion.traits.stages.contains(.body) {
        if reach == .head { return .undecided }
        if facts.bodyIsUnread { return policy == .run ? .fails : .undecided }
        if policy == .defer, facts.bodyIsLong { return .undecided }
      }
      return criterion.test(&facts, &captures) ? .matches : .fails
    case .closure(let closure):
      guard reach == .closures else { return .undecided }
      return facts.ask(closure) ? .matches : .fails
    case .not(let child):
      let mark = captures.mark
      let verdict = verdict(of: child, &facts, &captures)
      captures.reset(to: mark)
      return verdict == .undecided ? verdict : verdict == .matches ? .fails : .matches
    case .all(let children, let order): return verdict(ofAll: order.members(children), &facts, &captures)
    case .either(let children, let order): return verdict(ofEither: order.members(children), &facts, &captures)
    }
  }

  private func verdict(
    ofAll children: [RequestMatcher.Node], _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    let mark = captures.mark
    var verdict = Verdict.matches
    for child in children {
      switch self.verdict(of: child, &facts, &captures) {
      case .matches: continue
      case .undecided: verdict = .undecided
      case .fails:
        captures.reset(to: mark)
        return .fails
      }
    }
    if verdict == .undecided { captures.reset(to: mark) }
    return verdict
  }

  private func verdict(
    ofEither children: [RequestMatcher.Node], _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    var verdict = Verdict.fails
    // A left side that would capture goes first, even if it takes longer to decide.
    var awaitsCaptures = false
    for child in children {
      let mark = captures.mark
      switch self.verdict(of: child, &facts, &captures) {
      case .matches:
        if !awaitsCaptures { return .matches }
        captures.reset(to: mark)
      case .undecided:
        verdict = .undecided
        awaitsCaptures = awaitsCaptures || child.traits.captures
      case .fails: continue
      }
    }
    return verdict
  }
}

/// The captures of templates and named groups for one request. An empty value allocates nothing.
package struct Captures: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// The captured text. If a name captured twice, this is the later text.
  subscript(name: String) -> String? {
    pairs.last { $0.name == name }?.value
  }

  var isEmpty: Bool { pairs.isEmpty }

  var dictionary: [String: String] {
    Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
  }

  mutating func add(_ name: String, _ value: String) {
    pairs.append((name, value))
  }

  /// The position where a side that can still fail begins.
  var mark: Int { pairs.count }

  /// Removes the captures since the mark.
  mutating func reset(to mark: Int) {
    if pairs.count > mark { pairs.removeSubrange(mark...) }
  }
}
