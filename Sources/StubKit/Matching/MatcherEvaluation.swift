/// The result of checking a condition against a request, as far as it is known.
enum Verdict: Sendable {
  case matches
  case fails
  /// The result depends on a closure that can't run here, or on a body that has not been read yet.
  case undecided
}

extension Verdict {
  var negated: Verdict {
    switch self {
    case .matches: .fails
    case .fails: .matches
    case .undecided: .undecided
    }
  }
}

/// What an evaluation is allowed to do.
enum ClosurePolicy: Sendable {
  /// The user's closures run, after everything else. A body that nobody has read matches nothing.
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

  package static let head = Stages(rawValue: 1 << 0)
  package static let body = Stages(rawValue: 1 << 1)
  static let closure = Stages(rawValue: 1 << 2)
  /// Not a stage. It says that something in the tree captures.
  static let captures = Stages(rawValue: 1 << 3)
  /// Not a stage. It says that something in the tree is a mistake, so that the condition matches nothing.
  static let mistake = Stages(rawValue: 1 << 4)
}

extension Stages {
  /// The stages of a group. An empty group is decided at once.
  init(of children: [RequestMatcher.Node]) {
    self = children.isEmpty ? .head : children.reduce(into: []) { $0.formUnion($1.stages) }
  }
}

extension RequestMatcher.Node {
  /// The stages of the node. Groups store them, so that reading them doesn't walk the tree.
  var stages: Stages {
    switch self {
    case .all(_, let stages), .either(_, let stages): stages
    case .not(let child): child.stages.subtracting(.captures)
    case .criterion(let criterion): criterion.stages
    case .closure: .closure
    }
  }
}

extension RequestMatcher {
  /// A Boolean value that indicates whether deciding this condition can require one of the user's closures.
  var holdsClosure: Bool {
    stages.contains(.closure)
  }

  /// A Boolean value that indicates whether some criterion reads the body.
  var readsBody: Bool {
    stages.contains(.body)
  }

  func evaluate(
    _ facts: inout RequestFacts, closures: ClosurePolicy, captures: inout Captures
  ) -> Verdict {
    if stages.contains(.mistake) { return .fails }
    return node.evaluate(&facts, closures: closures, captures: &captures)
  }

  /// Decides the condition by the head of the request alone. Body criteria and closures leave it undecided.
  func verdictByHead(_ facts: inout RequestFacts) -> Verdict {
    if stages.contains(.mistake) { return .fails }
    var captures = Captures()
    return Evaluation(open: .head, policy: .defer).verdict(of: node, &facts, &captures)
  }
}

extension RequestMatcher.Node {
  /// Decides the condition in three-valued logic, and adds the captures if it matches.
  ///
  /// A test of a later stage is undecided until its stage is open. This one rule yields the order of work (the head,
  /// then the body, then closures, and no further than necessary) and the result if closures can't run here.
  func evaluate(
    _ facts: inout RequestFacts, closures: ClosurePolicy, captures: inout Captures
  ) -> Verdict {
    var evaluation = Evaluation(open: .head, policy: closures)
    var verdict = Verdict.undecided
    let stages = stages
    if !stages.contains(.body) && !stages.contains(.closure) {
      return evaluation.verdict(of: self, &facts, &captures)
    }
    if stages.contains(.head) {
      verdict = evaluation.verdict(of: self, &facts, &captures)
    }
    if verdict == .undecided, stages.contains(.body) {
      evaluation.open.insert(.body)
      verdict = evaluation.verdict(of: self, &facts, &captures)
    }
    if verdict == .undecided, stages.contains(.closure), closures == .run {
      evaluation.open.insert([.body, .closure])
      verdict = evaluation.verdict(of: self, &facts, &captures)
    }
    return verdict
  }
}

/// One pass over a tree, with some stages open.
private struct Evaluation {
  var open: Stages
  let policy: ClosurePolicy

  func verdict(
    of node: RequestMatcher.Node, _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    switch node {
    case .criterion(let criterion): return verdict(of: criterion, &facts, &captures)
    case .closure(let closure):
      guard open.contains(.closure) else { return .undecided }
      return facts.ask(closure) ? .matches : .fails
    case .not(let child):
      let mark = captures.mark
      let verdict = verdict(of: child, &facts, &captures)
      captures.reset(to: mark)
      return verdict.negated
    case .all(let children, _): return verdict(ofAll: children, &facts, &captures)
    case .either(let children, _): return verdict(ofEither: children, &facts, &captures)
    }
  }

  private func verdict(
    ofAll children: [RequestMatcher.Node], _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    let mark = captures.mark
    var areCheap = true
    for child in children {
      guard case .criterion(let criterion) = child, criterion.isCheap else {
        areCheap = false
        continue
      }
      if !criterion.test(&facts, &captures) { return .fails }
    }
    if areCheap { return .matches }
    var verdict = Verdict.matches
    for child in children {
      if case .criterion(let criterion) = child, criterion.isCheap { continue }
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
    var anyUndecided = false
    // A left side that would capture goes first, even if it takes longer to decide.
    var awaitsCaptures = false
    for child in children {
      let mark = captures.mark
      switch verdict(of: child, &facts, &captures) {
      case .matches:
        if !awaitsCaptures { return .matches }
        captures.reset(to: mark)
        anyUndecided = true
      case .undecided:
        anyUndecided = true
        awaitsCaptures = awaitsCaptures || child.stages.contains(.captures)
      case .fails: continue
      }
    }
    return anyUndecided ? .undecided : .fails
  }

  private func verdict(
    of criterion: any Criterion, _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    if criterion.stages.contains(.body) {
      guard open.contains(.body) else { return .undecided }
      if facts.bodyIsUnread { return policy == .run ? .fails : .undecided }
      if policy == .defer, facts.bodyIsLong { return .undecided }
    }
    return criterion.test(&facts, &captures) ? .matches : .fails
  }
}
