import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A condition on a request: a value that composes, prints as it was written and can say why it did not match.
///
/// Matchers come from functions named for what they test, and combine with `&&`, `||` and `!`:
///
/// ```swift
/// let condition = isMethodPOST() && isHost("api.example.com") && !hasHeaderNamed("Authorization")
/// condition.matches(request)  // true or false
/// print(condition)            // isMethodPOST() && isHost("api.example.com") && !hasHeaderNamed("Authorization")
/// ```
///
/// What no matcher covers, a closure does, on either side of an operator: `isHost("a") && { $0.timeoutInterval > 3 }`.
/// Closures run last, and only if everything else has left the question open.
///
/// Groups may lie in groups, 256 levels deep. `a && b && c` is one level, however long it is. A deeper condition traps.
public struct RequestMatcher: Sendable, CustomStringConvertible {
  /// The tree a condition is made of. `all` and `either` keep their children in the order in which they were written, and
  /// which kinds of test are in them.
  enum Node: Sendable {
    case all([Node], Stages)
    case either([Node], Stages)
    indirect case not(Node)
    case criterion(Criterion)
    case closure(ClosureCriterion)
  }

  let node: Node
  /// Which kinds of test the tree holds, so that evaluation makes no pass in vain.
  let stages: Stages

  /// How many groups and negations lie one in another.
  private let depth: UInt16

  /// Matching, explaining and destroying a condition takes a thread's stack for each level, of which some threads have
  /// half a megabyte.
  static let deepest = 256

  init(_ node: Node) { self.init(node, in: node.depth) }

  private init(_ node: Node, in depth: Int) {
    require(
      depth <= Self.deepest,
      "This condition is nested more than \(Self.deepest) deep: write it flat, as in a && b && c or "
        + "matchers.reduce(.nothing, ||), register several stubs, or test the request in one closure.")
    self.node = node
    stages = node.stages
    self.depth = UInt16(depth)
  }

  init(_ criterion: Criterion) {
    self.init(.criterion(criterion))
  }

  /// A matcher of your own: what `description` says, `test` decides.
  ///
  /// ```swift
  /// let isAdmin = RequestMatcher("is admin") { $0.value(forHTTPHeaderField: "X-Role") == "admin" }
  /// stub(condition: isAdmin && isPath("/users"), response: .json([]))
  /// ```
  ///
  /// - Parameters:
  ///   - description: What the matcher prints as, in reports too.
  ///   - test: Whether a request matches. It may run on any thread, several times at once, and never under a lock.
  public init(_ description: String, where test: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureCriterion(text: description, test: test)))
  }

  /// Matches every request: the identity of `&&`. It prints as `.anything`.
  public static let anything = RequestMatcher(.all([]))

  /// Matches no request: the identity of `||`, as in `matchers.reduce(.nothing, ||)`. It prints as `.nothing`.
  public static let nothing = RequestMatcher(.either([]))

  /// Whether the request matches.
  ///
  /// The body is what `httpBody` holds. A body stream is not read, so matchers of the body do not match one here;
  /// behind a session they do, an upload's data and file included, because the stub has the body by then.
  public func matches(_ request: URLRequest) -> Bool {
    var facts = RequestFacts(request)
    var captures = Captures()
    return evaluate(&facts, closures: .run, captures: &captures) == .matches
  }

  /// Whether the request matches: `isHost("a")(request)` is `isHost("a").matches(request)`.
  public func callAsFunction(_ request: URLRequest) -> Bool {
    matches(request)
  }

  /// Matches what both sides match. Cheap criteria are tested first, wherever they are written, and closures last.
  public static func && (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(
      .all(left.conjuncts + right.conjuncts), in: max(left.depthAsConjunct, right.depthAsConjunct) + 1)
  }

  /// Matches what the matcher and the closure both match.
  public static func && (
    left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool
  ) -> RequestMatcher {
    left && RequestMatcher(closure: right)
  }

  /// Matches what the closure and the matcher both match. The closure still runs last.
  public static func && (
    left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher
  ) -> RequestMatcher {
    RequestMatcher(closure: left) && right
  }

  /// Matches what at least one side matches. What a template or a named group captured comes from the side that
  /// matched, the left one if both do.
  public static func || (left: RequestMatcher, right: RequestMatcher) -> RequestMatcher {
    RequestMatcher(
      .either(left.alternatives + right.alternatives), in: max(left.depthAsAlternative, right.depthAsAlternative) + 1)
  }

  /// Matches what the matcher or the closure matches.
  public static func || (
    left: RequestMatcher, right: @escaping @Sendable (URLRequest) -> Bool
  ) -> RequestMatcher {
    left || RequestMatcher(closure: right)
  }

  /// Matches what the closure or the matcher matches.
  public static func || (
    left: @escaping @Sendable (URLRequest) -> Bool, right: RequestMatcher
  ) -> RequestMatcher {
    RequestMatcher(closure: left) || right
  }

  /// Matches what the matcher does not match. A negated template captures nothing.
  public static prefix func ! (matcher: RequestMatcher) -> RequestMatcher {
    RequestMatcher(.not(matcher.node), in: Int(matcher.depth) + 1)
  }

  /// The condition as Swift source: as it was written, with parentheses only where precedence needs them and dictionary
  /// keys sorted. A closure prints as `{ … }`.
  public var description: String {
    node.text
  }

  init(closure: @escaping @Sendable (URLRequest) -> Bool) {
    self.init(.closure(ClosureCriterion(text: "{ … }", test: closure)))
  }

  // `a && b && c` is one group of three; an empty group is .anything or .nothing and stays visible as what it is.
  private var conjuncts: [Node] {
    if case .all(let children, _) = node, !children.isEmpty { children } else { [node] }
  }

  private var alternatives: [Node] {
    if case .either(let children, _) = node, !children.isEmpty { children } else { [node] }
  }

  /// The depth of what lies one level below a group that this condition is put into.
  private var depthAsConjunct: Int {
    if case .all(let children, _) = node, !children.isEmpty { Int(depth) - 1 } else { Int(depth) }
  }

  private var depthAsAlternative: Int {
    if case .either(let children, _) = node, !children.isEmpty { Int(depth) - 1 } else { Int(depth) }
  }
}

extension RequestMatcher.Node {
  static func all(_ children: [Self]) -> Self { .all(children, Stages(of: children)) }

  static func either(_ children: [Self]) -> Self { .either(children, Stages(of: children)) }

  /// How many groups and negations lie one in another.
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

  /// Whether a ! needs parentheses before it; two in a row would be an operator of their own.
  private var isGroup: Bool {
    switch self {
    case .all(let children, _), .either(let children, _): !children.isEmpty
    case .not: true
    default: false
    }
  }
}
