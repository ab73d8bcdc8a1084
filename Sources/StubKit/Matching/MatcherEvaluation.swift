import Foundation

/// The kinds of test in a condition, cheapest first.
package struct Stages: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let head = Stages(rawValue: 1 << 0)
  package static let body = Stages(rawValue: 1 << 1)
  static let closure = Stages(rawValue: 1 << 2)
  /// Something in the condition is a mistake, so that it matches nothing.
  static let mistake = Stages(rawValue: 1 << 3)

  /// The positions of the kinds, from the cheapest to the most expensive one.
  fileprivate var positions: ClosedRange<Int> { rawValue.trailingZeroBitCount...last }
  fileprivate var last: Int { rawValue.bitWidth - rawValue.leadingZeroBitCount - 1 }
}

extension RequestMatcher.Node {
  var stages: Stages {
    switch self {
    case .all(_, let stages), .either(_, let stages): stages
    case .not(let child): child.stages
    case .criterion(let criterion): criterion.stages
    case .closure: .closure
    }
  }
}

extension RequestMatcher {
  var stages: Stages { node.stages }

  /// A Boolean value that indicates whether deciding this condition can require one of the user's closures.
  var holdsClosure: Bool { stages.contains(.closure) }

  /// Returns whether a request meets the condition, and adds the captures if it does. An unread body meets nothing.
  /// Where groups mix closures with other criteria, all the other criteria are tested before the first closure runs.
  func isMet(by facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    guard !stages.contains(.mistake) else { return false }
    if stages.isStrictSuperset(of: .closure), !node.canBe(true, &facts, readsBody: true) { return false }
    return node.isMet(by: &facts, &captures)
  }

  /// Returns whether deciding the condition takes a task, because it can hang on one of the user's closures, or on a
  /// body that nobody has read or that is long.
  func needsTask(_ facts: inout RequestFacts) -> Bool {
    guard !stages.isDisjoint(with: [.body, .closure]) else { return false }
    let readsBody = !facts.bodyNeedsTask
    return (holdsClosure || !readsBody) && canBe(true, &facts, readsBody: readsBody)
  }

  /// Returns whether `result` is possible, as far as the head of a request tells, and its body if that is read. No
  /// closure runs.
  func canBe(_ result: Bool, _ facts: inout RequestFacts, readsBody: Bool) -> Bool {
    stages.contains(.mistake) ? !result : node.canBe(result, &facts, readsBody: readsBody)
  }
}

extension RequestMatcher.Node {
  /// Returns whether a request meets the condition, and adds the captures if it does. The closures of a group
  /// run last, and only if its other members have left open whether it matches.
  func isMet(by facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    switch self {
    case .criterion(let criterion):
      if criterion.stages.contains(.body) && facts.bodyIsUnread { return false }
      return criterion.test(&facts, &captures)
    case .closure(let closure): return facts.ask(closure)
    case .not(let child):
      var ignored = Captures(isIgnored: true)
      return !child.isMet(by: &facts, &ignored)
    case .all(let children, let stages): return Self.test(children, stages, inEither: false, &facts, &captures)
    case .either(let children, let stages): return Self.test(children, stages, inEither: true, &facts, &captures)
    }
  }

  /// Tests the members of a group, cheap ones first, wherever they are written.
  private static func test(
    _ children: [Self], _ stages: Stages, inEither: Bool, _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Bool {
    let before = captures
    for stage in stages.positions {
      for child in children where child.stages.last == stage {
        let isMet = child.isMet(by: &facts, &captures)
        if !isMet { captures = before }
        if isMet == inEither { return inEither }
      }
    }
    return !inEither
  }

  fileprivate func canBe(_ result: Bool, _ facts: inout RequestFacts, readsBody: Bool) -> Bool {
    let needsAll: Bool
    let children: [Self]
    switch self {
    case .closure: return true
    case .criterion(let criterion):
      if !readsBody && criterion.stages.contains(.body) { return true }
      var captures = Captures()
      return isMet(by: &facts, &captures) == result
    case .not(let child): return child.canBe(!result, &facts, readsBody: readsBody)
    case .all(let members, _): (children, needsAll) = (members, result)
    case .either(let members, _): (children, needsAll) = (members, !result)
    }
    for child in children where child.canBe(result, &facts, readsBody: readsBody) != needsAll { return !needsAll }
    return needsAll
  }
}

/// The captures of templates and named groups for one request. An empty value allocates nothing.
package struct Captures: Sendable {
  /// `nil` if nobody wants what is added.
  private var pairs: [(name: String, value: String)]?
  /// A condition that the request meets, whose captures nobody has asked for: they take longer than the search. There is
  /// one at most, in an array that is cheaper to copy.
  private var deferred: [(condition: RequestMatcher, url: URL, method: String?)] = []

  init(isIgnored: Bool = false) { pairs = isIgnored ? nil : [] }

  /// Creates the captures of a condition on the method and the URL alone, for a request that meets it.
  init(of condition: RequestMatcher, for request: URLRequest) {
    self.init()
    // Without the body, which can be long.
    if let url = request.url { deferred = [(condition, url, request.httpMethod)] }
  }

  private var all: [(name: String, value: String)] {
    guard let deferred = deferred.first else { return pairs ?? [] }
    var request = URLRequest(url: deferred.url)
    request.httpMethod = deferred.method
    var (facts, captures) = (RequestFacts(request), Captures())
    _ = deferred.condition.isMet(by: &facts, &captures)
    return captures.all
  }

  /// The captured text. If a name captured twice, this is the later text.
  subscript(name: String) -> String? {
    all.last { $0.name == name }?.value
  }

  var dictionary: [String: String] {
    Dictionary(all.map { ($0.name, $0.value) }) { $1 }
  }

  mutating func add(_ name: String, _ value: @autoclosure () -> String) { pairs?.append((name, value())) }
}
