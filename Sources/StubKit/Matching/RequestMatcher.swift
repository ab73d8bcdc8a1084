import Foundation
import StubKitFormats

/// A condition on a request.
///
/// Functions such as ``isPath(_:)`` return matchers. Combine them with `&&`, `||` and `!`:
///
/// ```swift
/// let condition = isMethodPOST() && !hasHeaderNamed("Authorization")
/// condition.matches(request)  // true or false
/// print(condition)  // isMethodPOST() && !hasHeaderNamed("Authorization")
/// ```
///
/// Use a closure where no matcher fits, on either side of an operator: `isHost("a") && { $0.timeoutInterval > 3 }`.
/// Closures run last, and only if everything else has left the question open.
///
/// Groups can be nested 256 levels deep. `a && b && c` is one level, however long it is. A deeper condition is a
/// ``mistake``.
public struct RequestMatcher: Sendable, CustomStringConvertible {
  /// The tree of a condition. `all` and `either` keep their children in the order in which they were written, and the
  /// kinds of test in them.
  enum Node: Sendable {
    case all([Node], Stages)
    case either([Node], Stages)
    indirect case not(Node)
    case criterion(any Criterion)
    case closure(ClosureCriterion)
  }

  private enum Form: Sendable {
    case tree(Node)
    /// The first nodes of a long group, which other conditions can share.
    case group(Group, GrowingNodes, count: Int)
  }

  fileprivate enum Group: Sendable { case all, either }

  private let form: Form
  /// The kinds of test in the tree, so that evaluation skips needless passes.
  let stages: Stages

  /// The number of nested groups and negations.
  private let depth: UInt16

  /// The tree. Reading it takes the longer the more nodes a long group has, so keep a condition that is `settled`.
  var node: Node {
    switch form {
    case .tree(let node): node
    case .group(let group, let nodes, let count): .group(group, nodes.prefix(count), stages)
    }
  }

  /// The condition with its tree, which is then quick to read.
  var settled: RequestMatcher { RequestMatcher(.tree(node), stages, in: Int(depth)) }

  /// Matching, explaining and destroying a condition uses stack for each level, and some threads have only half a
  /// megabyte.
  static let deepest = 256

  init(_ node: Node) { self.init(.tree(node), node.stages, in: node.depth) }

  private init(_ form: Form, _ stages: Stages, in depth: Int) {
    let isTooDeep = depth > Self.deepest
    self.form = isTooDeep ? .tree(.criterion(MistakenCriterion("(too deep)", .tooDeep))) : form
    self.stages = isTooDeep ? [.head, .mistake] : stages
    self.depth = isTooDeep ? 0 : UInt16(depth)
  }

  package init(_ criterion: any Criterion) {
    self.init(.criterion(criterion))
  }

  /// Creates a matcher from a closure.
  ///
  /// ```swift
  /// let isAdmin = RequestMatcher("is admin") {
  ///   $0.value(forHTTPHeaderField: "X-Role") == "admin"
  /// }
  /// stub(condition: isAdmin && isPath("/users"), response: .json([]))
  /// ```
  ///
  /// - Parameters:
  ///   - description: The text that the matcher prints, also in reports.
  ///   - test: A closure that returns whether a request matches. It can run on any thread, several times at once, and
  ///     never runs under a lock.
  public init(_ description: String, where test: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureCriterion(text: description, test: test)))
  }

  /// A matcher that matches every request, the identity of `&&`. It prints as `.anything`.
  public static let anything = RequestMatcher(.all([]))

  /// A matcher that matches no request, the identity of `||`, as in `matchers.reduce(.nothing, ||)`. It prints as
  /// `.nothing`.
  public static let nothing = RequestMatcher(.either([]))

  /// Returns whether a request matches.
  ///
  /// The body is that of `httpBody`. This method doesn't read body streams, so matchers for the body don't match them
  /// here. The condition of a stub sees these bodies, and those of uploads.
  public func matches(_ request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    var captures = Captures()
    return evaluate(&facts, closures: .run, captures: &captures) == .matches
  }

  /// Returns whether a request matches: `isHost("a")(request)` is `isHost("a").matches(request)`.
  public func callAsFunction(_ request: URLRequest) -> Bool {
    matches(request)
  }

  /// Matches requests that both sides match. Cheap criteria are checked first, wherever they are written, and
  /// closures last.
  public static func && (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(joining: left, right, .all).resolvingSubpaths()
  }

  /// Matches requests that the matcher and the closure match.
  public static func && (
    left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool
  ) -> RequestMatcher {
    left && RequestMatcher(closure: right)
  }

  /// Matches requests that the closure and the matcher match. The closure still runs last.
  public static func && (
    left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher
  ) -> RequestMatcher {
    RequestMatcher(closure: left) && right
  }

  /// Matches requests that at least one side matches. The side that matches captures, or the left one if both do.
  public static func || (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(joining: left, right, .either)
  }

  /// Matches requests that the matcher or the closure matches.
  public static func || (
    left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool
  ) -> RequestMatcher {
    left || RequestMatcher(closure: right)
  }

  /// Matches requests that the closure or the matcher matches.
  public static func || (
    left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher
  ) -> RequestMatcher {
    RequestMatcher(closure: left) || right
  }

  /// Matches requests that the matcher doesn't match. A negated template captures nothing.
  public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
    let node = Node.not(matcher.node)
    return RequestMatcher(.tree(node), node.stages, in: Int(matcher.depth) + 1)
  }

  /// The condition as Swift source, as it was written. It has parentheses only where precedence needs them, and
  /// dictionary keys are sorted. A closure prints as `{ … }`.
  public var description: String {
    node.text
  }

  package init(closure: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureCriterion(text: "{ … }", test: closure)))
  }

  /// The number of nodes from which on a group is long.
  private static let long = 16

  /// Joins two conditions to a group. `a && b && c` is one group of three.
  ///
  /// `matchers.reduce(.nothing, ||)` makes a group of each length. If each had an array of its own, this would take
  /// quadratic time.
  private init(joining left: RequestMatcher, _ right: RequestMatcher, _ group: Group) {
    let (stages, more) = (left.stages.union(right.stages), right.nodes(in: group))
    let depth = max(left.depth(in: group), right.depth(in: group)) + 1
    if case .group(group, let nodes, let count) = left.form, nodes.append(more, after: count) {
      self.init(.group(group, nodes, count: count + more.count), stages, in: depth)
      return
    }
    let all = left.nodes(in: group) + more
    self.init(
      all.count < Self.long ? .tree(.group(group, all, stages)) : .group(group, GrowingNodes(all), count: all.count),
      stages, in: depth)
  }

  /// Returns the nodes that the condition brings into a group. A group of the same kind merges with it. An empty group
  /// is .anything or .nothing, and stays visible as such.
  private func nodes(in group: Group) -> [Node] {
    switch (group, node) {
    case (.all, .all(let children, _)) where !children.isEmpty: children
    case (.either, .either(let children, _)) where !children.isEmpty: children
    case (_, let node): [node]
    }
  }

  /// Returns the depth below a group that the condition joins.
  private func depth(in group: Group) -> Int {
    switch (group, form) {
    case (.all, .tree(.all(let children, _))) where !children.isEmpty: Int(depth) - 1
    case (.either, .tree(.either(let children, _))) where !children.isEmpty: Int(depth) - 1
    case (.all, .group(.all, _, _)), (.either, .group(.either, _, _)): Int(depth) - 1
    default: Int(depth)
    }
  }
}

extension UsageMistake {
  fileprivate static let tooDeep = UsageMistake(
    "This condition is nested more than \(RequestMatcher.deepest) levels deep. Write it flat, as in a && b && c or "
      + "matchers.reduce(.nothing, ||), register several stubs, or test the request in one closure.")
}

/// The nodes of a long group that is being built. Each of its conditions sees as many as it has joined.
private final class GrowingNodes: Sendable {
  private let nodes: Protected<[RequestMatcher.Node]>

  init(_ nodes: [RequestMatcher.Node]) { self.nodes = Protected(nodes) }

  func prefix(_ count: Int) -> [RequestMatcher.Node] {
    nodes.withLock { $0.count == count ? $0 : Array($0.prefix(count)) }
  }

  /// Returns `false` if another condition has grown further.
  func append(_ more: [RequestMatcher.Node], after count: Int) -> Bool {
    nodes.withLock { nodes in
      guard nodes.count == count else { return false }
      nodes += more
      return true
    }
  }
}

extension RequestMatcher.Node {
  fileprivate static func group(_ group: RequestMatcher.Group, _ children: [Self], _ stages: Stages) -> Self {
    switch group {
    case .all: .all(children, stages)
    case .either: .either(children, stages)
    }
  }

  static func all(_ children: [Self]) -> Self { .all(children, Stages(of: children)) }

  static func either(_ children: [Self]) -> Self { .either(children, Stages(of: children)) }

  /// The number of nested groups and negations.
  fileprivate var depth: Int {
    switch self {
    case .all(let children, _), .either(let children, _): children.map { $0.depth + 1 }.max() ?? 0
    case .not(let child): child.depth + 1
    case .criterion, .closure: 0
    }
  }

  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .all(let children, _):
      if children.isEmpty { text += ".anything" }
      for (index, child) in children.enumerated() {
        if index > 0 { text += " && " }
        if case .either(let inner, _) = child {
          child.write(to: &text, inParentheses: !inner.isEmpty)
        } else {
          child.write(to: &text)
        }
      }
    case .either(let children, _):
      if children.isEmpty { text += ".nothing" }
      for (index, child) in children.enumerated() {
        if index > 0 { text += " || " }
        child.write(to: &text)
      }
    case .not(let child):
      text += "!"
      child.write(to: &text, inParentheses: child.isGroup)
    case .criterion(let criterion): text += criterion.description
    case .closure(let closure): text += closure.text
    }
  }

  private func write(to text: inout String, inParentheses: Bool) {
    if inParentheses { text += "(" }
    write(to: &text)
    if inParentheses { text += ")" }
  }

  /// A Boolean value that indicates whether the node needs parentheses after a `!`. Two of them in a row would be an
  /// operator of their own.
  private var isGroup: Bool {
    switch self {
    case .all(let children, _), .either(let children, _): !children.isEmpty
    case .not: true
    default: false
    }
  }
}
