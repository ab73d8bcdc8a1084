import Foundation

/// A condition on a request.
///
/// Functions such as ``isPath(_:)`` return matchers. Combine them with `&&`, `||` and `!`:
///
/// ```swift
/// let condition = isMethod(.post) && !hasHeader("Authorization")
/// condition.matches(request)  // true or false
/// print(condition)  // isMethod(.post) && !hasHeader("Authorization")
/// ```
///
/// Use a closure where no matcher fits, on either side of an operator: `isHost("a") && { $0.timeoutInterval > 3 }`.
/// Closures run last, and only if everything else in the condition has left open whether it matches.
///
/// Groups can be nested, up to 64 levels deep. `a && b && c` is one group, however long it is.
public struct RequestMatcher: Sendable, CustomStringConvertible {
  /// The tree of a condition. A group, of which all or at least one is to be met, has its children in the order in
  /// which they were written, and what it knows of all of them.
  enum Node: Sendable {
    case group(isEither: Bool, [Node], Summary)
    indirect case not(Node)
    case criterion(any Criterion)
    case closure(ClosureTest)
  }

  /// What would have to be found in the whole tree below a group otherwise.
  struct Summary {
    let stages: Stages
    /// The number of levels, of which a criterion and a closure have none.
    let depth: Int

    static let empty = Summary(stages: .head, depth: 0)
  }

  let node: Node

  init(_ node: Node) { self.node = node }

  package init(_ criterion: any Criterion) { self.init(.criterion(criterion)) }

  /// Creates a matcher from a closure.
  ///
  /// ```swift
  /// let isAdmin = RequestMatcher("is admin") {
  ///   $0.value(forHTTPHeaderField: "X-Role") == "admin"
  /// }
  /// stub(
  ///   condition: isMethod(.get) && isURL("https://api.example.com/users") && isAdmin,
  ///   response: .json([]))
  /// ```
  ///
  /// - Parameters:
  ///   - description: The text that the matcher prints, also in reports.
  ///   - test: A closure that returns whether a request matches. It can run on any thread, several times at once, and
  ///     never runs under a lock.
  public init(_ description: String, where test: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureTest(text: description, test: test)))
  }

  /// A matcher that matches every request, the identity of `&&`. It prints as `.anything`.
  public static let anything = RequestMatcher(.group(isEither: false, [], .empty))

  /// A matcher that matches no request, the identity of `||`, as in `matchers.reduce(.nothing, ||)`. It prints as
  /// `.nothing`.
  public static let nothing = RequestMatcher(.group(isEither: true, [], .empty))

  /// Returns whether a request matches.
  ///
  /// The body is that of `httpBody`. This method doesn't read body streams, so matchers for the body don't match them
  /// here. The condition of a stub sees these bodies, and those of uploads.
  ///
  /// A matcher that is a mistake is an issue of the test, and matches nothing.
  public func matches(_ request: URLRequest) -> Bool {
    if let mistake, !RunningTest.record(mistake, at: nil) { RunningTest.tell(mistake) }
    var facts = RequestFacts(request)
    return isMet(by: &facts)
  }

  /// Matches requests that both sides match. Cheap criteria are checked first, wherever they are written, and
  /// closures last.
  public static func && (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(joining: left, right, inEither: false)
  }

  /// Matches requests that the matcher and the closure match.
  public static func && (left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool) -> RequestMatcher {
    left && RequestMatcher(closure: right)
  }

  /// Matches requests that the closure and the matcher match. The closure still runs last.
  public static func && (left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(closure: left) && right
  }

  /// Matches requests that at least one side matches. The side that matches captures. If
  /// both do, the cheaper one captures, or the left one of two that cost the same.
  public static func || (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(joining: left, right, inEither: true)
  }

  /// Matches requests that the matcher or the closure matches.
  public static func || (left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool) -> RequestMatcher {
    left || RequestMatcher(closure: right)
  }

  /// Matches requests that the closure or the matcher matches.
  public static func || (left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(closure: left) || right
  }

  /// Matches requests that the matcher doesn't match. A negated template captures nothing.
  public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
    if case .criterion(let criterion) = matcher.node, let denial = (criterion as? ValueCriterion)?.denial {
      return RequestMatcher(denial)
    }
    return RequestMatcher(nesting: .not(matcher.node))
  }

  /// The condition as Swift source, as it was written. It has parentheses only where precedence needs them, and
  /// dictionary keys are sorted. A closure prints as `{ … }`.
  public var description: String { node.text }

  /// Matches requests for which a closure returns `true`.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/feed",
  ///   where: .matching { $0.timeoutInterval < 5 },
  ///   response: .json([]))
  /// try verify(.matching("has a user") { $0.url?.user() != nil }, called: 0)
  /// ```
  ///
  /// A closure costs more than a matcher, and a report can't explain why it didn't match. With `&&` and `||`, write it
  /// as it is: `isPath("/feed") && { $0.timeoutInterval < 5 }`.
  ///
  /// - Parameters:
  ///   - name: What reports print, such as `"has a key"`. Defaults to `nil`, which prints `{ … }`.
  ///   - test: The closure. Its request has the body, and the headers that its session adds.
  public static func matching(
    _ name: String? = nil, _ test: @escaping @Sendable (URLRequest) -> Bool
  ) -> RequestMatcher {
    name.map { RequestMatcher($0, where: test) } ?? RequestMatcher(closure: test)
  }

  package init(closure: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureTest(text: "{ … }", test: closure)))
  }

  /// Creates the group of some members of a condition, all of which are to be met.
  init(all members: [Node]) {
    let summary = Summary(stages: Stages(members.map(\.stages)), depth: 1 + (members.map(\.depth).max() ?? 0))
    self.init(members.count == 1 ? members[0] : .group(isEither: false, members, summary))
  }

  /// Joins two conditions to a group. `a && b && c` is one group of three.
  private init(joining left: RequestMatcher, _ right: RequestMatcher, inEither: Bool) {
    let children = left.node.members(ofEither: inEither) + right.node.members(ofEither: inEither)
    let depth = 1 + max(left.node.depthOfMembers(ofEither: inEither), right.node.depthOfMembers(ofEither: inEither))
    let summary = Summary(stages: left.stages.union(right.stages), depth: depth)
    self.init(nesting: .group(isEither: inEither, children, summary))
  }

  /// The deepest nesting of a condition, so that code that walks through one can be recursive. Some threads have a
  /// stack of 512 KB, and sanitizers take several times as much of it.
  static let deepest = 64

  /// Creates a matcher from a node that has another one in it, or a mistake if they are too many levels.
  private init(nesting node: Node) {
    guard node.depth > Self.deepest else {
      self.init(node)
      return
    }
    // What is longer would be copied with each level that follows.
    let text = node.text.excerptOfCondition
    self.init(
      mistake:
        "The condition \(text) is nested more than \(Self.deepest) levels deep. Join the "
        + "alternatives in one go, as in alternatives.reduce(.nothing, ||), or register a stub for each.",
      in: text)
  }
}

extension RequestMatcher.Node {
  /// The members of a group of a kind, or the node itself if it is none. An empty group is .anything or .nothing, and
  /// stays visible as such.
  fileprivate func members(ofEither isEither: Bool) -> [Self] {
    guard case .group(isEither: isEither, let members, _) = self, !members.isEmpty else { return [self] }
    return members
  }

  /// The number of levels below a group of a kind, or of the node itself if it is none.
  fileprivate func depthOfMembers(ofEither isEither: Bool) -> Int {
    if case .group(isEither: isEither, let members, let summary) = self, !members.isEmpty { return summary.depth - 1 }
    return depth
  }

  fileprivate var depth: Int {
    switch self {
    case .group(_, _, let summary): summary.depth
    case .not(let child): 1 + child.depth
    case .criterion, .closure: 0
    }
  }

  var stages: Stages {
    switch self {
    case .group(_, _, let summary): summary.stages
    case .not(let child): child.stages
    case .criterion(let criterion): criterion.stages
    case .closure: .closure
    }
  }

  var text: String {
    switch self {
    case .group(isEither: false, let children, _):
      children.isEmpty ? ".anything" : children.map { $0.text(inParentheses: $0.isEither) }.joined(separator: " && ")
    case .group(_, let children, _): children.isEmpty ? ".nothing" : children.map(\.text).joined(separator: " || ")
    case .not(let child): "!" + child.text(inParentheses: child.isGroup)
    case .criterion(let criterion): criterion.description
    case .closure(let closure): closure.text
    }
  }

  private func text(inParentheses: Bool) -> String { inParentheses ? "(\(text))" : text }

  private var isEither: Bool { if case .group(isEither: true, _, _) = self { isGroup } else { false } }

  /// A Boolean value that indicates whether the node needs parentheses after a `!`. Two of them in a row would be an
  /// operator of their own.
  private var isGroup: Bool {
    switch self {
    case .group(_, let children, _): !children.isEmpty
    case .not: true
    case .criterion(let criterion): (criterion as? ValueCriterion)?.isDenial == true
    case .closure: false
    }
  }
}

/// The kinds of test in a condition, cheapest first.
package struct Stages: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let head = Stages(rawValue: 1 << 0)
  /// A state of the test, and no part of the request.
  static let state = Stages(rawValue: 1 << 1)
  package static let body = Stages(rawValue: 1 << 2)
  static let closure = Stages(rawValue: 1 << 3)
  /// Something in the condition is a mistake, so that it matches nothing.
  static let mistake = Stages(rawValue: 1 << 4)
  static let all = Stages(rawValue: .max)

  /// The positions of the kinds, from the cheapest to the most expensive one.
  fileprivate var positions: ClosedRange<Int> { rawValue.trailingZeroBitCount...last }
  fileprivate var last: Int { rawValue.bitWidth - rawValue.leadingZeroBitCount - 1 }
}

extension RequestMatcher {
  var stages: Stages { node.stages }

  /// A Boolean value that indicates whether deciding this condition can require one of the user's closures.
  var hasClosure: Bool { stages.contains(.closure) }

  /// Returns whether a request meets the condition, and adds the captures if it does. An unread body meets nothing.
  /// Where groups mix closures with other criteria, all the other criteria are tested before the first closure runs.
  func isMet(by facts: inout RequestFacts) -> Bool {
    guard !stages.contains(.mistake) else { return false }
    if stages.isStrictSuperset(of: .closure), !canBe(true, &facts, readsBody: true) { return false }
    return node.verdict(&facts, .all) ?? false
  }

  /// Returns whether deciding the condition takes a task, because it can hang on one of the user's closures, or on a
  /// body that nobody has read or that is long.
  func needsTask(_ facts: inout RequestFacts) -> Bool {
    guard !stages.isDisjoint(with: [.body, .closure]) else { return false }
    let readsBody = !facts.bodyNeedsTask
    return (hasClosure || !readsBody) && canBe(true, &facts, readsBody: readsBody)
  }

  /// Returns whether `result` is possible, as far as the head tells, and the body if it is read. No closure runs.
  package func canBe(_ result: Bool, _ facts: inout RequestFacts, readsBody: Bool) -> Bool {
    guard let verdict = verdictWithoutClosures(&facts, readsBody: readsBody) else { return true }
    return verdict == result
  }

  /// Returns whether a request certainly meets the condition. This runs no closure.
  package func certainlyMatches(_ facts: inout RequestFacts) -> Bool {
    let readsBody = !facts.bodyNeedsTask
    return !canBe(false, &facts, readsBody: readsBody)
  }

  /// The number of criteria that must be met together.
  package var memberCount: Int {
    if case .group(isEither: false, let children, _) = node { children.count } else { 1 }
  }

  /// Returns whether a request meets the condition, or `nil` if that hangs on something that isn't known. A closure may
  /// read the body, so it isn't asked without one.
  func verdict(_ facts: inout RequestFacts) -> Bool? {
    let isUnread = !stages.isDisjoint(with: [.body, .closure]) && facts.bodyIsUnread
    guard isUnread || facts.isVerified else { return isMet(by: &facts) }
    let verdict = verdictWithoutClosures(&facts, readsBody: !isUnread)
    guard verdict == nil, !isUnread, hasClosure else { return verdict }
    return node.verdict(&facts, .all)
  }

  /// Returns whether a request meets the condition, or `nil` if that hangs on a closure or on something that nobody
  /// knows.
  func verdictWithoutClosures(_ facts: inout RequestFacts, readsBody: Bool? = nil) -> Bool? {
    guard !stages.contains(.mistake) else { return false }
    let readsBody = readsBody ?? !facts.bodyIsUnread
    let captures = facts.captures.take()
    defer { facts.captures = captures }
    return node.verdict(&facts, readsBody ? [.head, .state, .body] : [.head, .state])
  }

  /// What is not known about a request whose verdict is `nil`, in the order of the condition.
  func unknownFacts(_ facts: inout RequestFacts) -> [UnknownFact] {
    node.leaves.compactMap { leaf in
      switch leaf {
      case .criterion(let criterion): criterion.unknownFact(&facts)
      case .closure(let closure) where closure.decoding != nil: facts.unknownContent
      default: nil
      }
    }
  }

  /// Why no look back at the journal can tell which requests met the condition, or `nil` if one can. A state of the
  /// test isn't in a request: what it was then is known to the stub alone.
  var mistakeInJournal: String? {
    mistake
      ?? node.criteria.first(where: { $0.stages.contains(.state) }).map {
        "\($0) is a state of the test, which no request keeps: verify the stub, whose condition asks it when the request "
          + "arrives."
      }
  }
}

extension RequestMatcher.Node {
  /// Returns whether a request meets the condition, and adds the captures if it does, or returns `nil` if that hangs on
  /// tests that are not among `stages`, or on something that isn't known. Members of a group are tested cheap ones
  /// first, wherever they are written, and closures only if the other members have left open whether it matches.
  func verdict(_ facts: inout RequestFacts, _ stages: Stages) -> Bool? {
    switch self {
    case .criterion(let criterion):
      if !criterion.stages.isSubset(of: stages) { return nil }
      if facts.isVerified, criterion.unknownFact(&facts) != nil { return nil }
      if criterion.stages.contains(.body) && facts.bodyIsUnread { return false }
      return criterion.test(&facts)
    case .closure(let closure):
      if !stages.contains(.closure) { return nil }
      let isMet = facts.ask(closure)
      let isKnown = isMet || closure.decoding == nil || !facts.isVerified || facts.unknownContent == nil
      return isKnown ? isMet : nil
    case .not(let child):
      let captures = facts.captures.take()
      defer { facts.captures = captures }
      return child.verdict(&facts, stages).map { !$0 }
    case .group(let isEither, let children, let summary):
      let before = facts.captures
      var isKnown = true
      for stage in summary.stages.positions {
        for child in children where child.stages.last == stage {
          let verdict = child.verdict(&facts, stages)
          if verdict != true { facts.captures = before }
          if verdict == isEither { return isEither }
          if verdict == nil { isKnown = false }
        }
      }
      return isKnown ? !isEither : nil
    }
  }

  /// The tests of the condition, in its order.
  var leaves: [Self] {
    switch self {
    case .criterion, .closure: [self]
    case .not(let child): child.leaves
    case .group(_, let children, _): children.flatMap(\.leaves)
    }
  }

  /// The criteria of the condition, in its order.
  var criteria: [any Criterion] {
    leaves.compactMap { if case .criterion(let criterion) = $0 { criterion } else { nil } }
  }
}
