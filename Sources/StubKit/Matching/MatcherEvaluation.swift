/// What is known about a condition and a request.
enum Verdict: Sendable {
  case matches
  case fails
  /// It hangs on a closure that may not run here, or on a body that has not been read yet.
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

/// What may be done in this evaluation.
enum ClosurePolicy: Sendable {
  /// The user's closures run, after everything else. A body that nobody has read matches nothing.
  case run
  /// They do not: what depends on them, or on an unread body, is undecided.
  case skip
  /// Nor is a long body looked at: this is a queue that others wait for.
  case `defer`
}

/// The kinds of test in a condition, cheapest first.
struct Stages: OptionSet, Sendable {
  let rawValue: UInt8

  static let head = Stages(rawValue: 1 << 0)
  static let body = Stages(rawValue: 1 << 1)
  static let closure = Stages(rawValue: 1 << 2)
  /// Not a stage: something in the tree captures text.
  static let captures = Stages(rawValue: 1 << 3)
}

extension Stages {
  /// Of a group; that of an empty one is decided at once.
  init(of children: [RequestMatcher.Node]) {
    self = children.isEmpty ? .head : children.reduce(into: []) { $0.formUnion($1.stages) }
  }
}

extension RequestMatcher.Node {
  /// Groups keep them, so that asking for them takes no walk through the tree.
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
  /// Whether some closure of the user's may have to run to decide this condition.
  var holdsClosure: Bool {
    stages.contains(.closure)
  }

  /// Whether some criterion looks at the body.
  var readsBody: Bool {
    stages.contains(.body)
  }

  func evaluate(
    _ facts: inout RequestFacts, closures: ClosurePolicy, captures: inout Captures
  ) -> Verdict {
    node.evaluate(&facts, closures: closures, captures: &captures)
  }

  /// Decides the condition by the request's head alone. Body criteria and closures leave it undecided.
  func verdictByHead(_ facts: inout RequestFacts) -> Verdict {
    var captures = Captures()
    return Evaluation(open: .head, policy: .defer).verdict(of: node, &facts, &captures)
  }
}

extension RequestMatcher.Node {
  /// Decides the condition in three-valued logic, and adds what it captured if it matches.
  ///
  /// A test that belongs to a later stage is undecided until its stage is open, so one rule gives both the order of
  /// work (head, then body, then closures, and no further than needed) and the answer when closures may not run here.
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
    for case .criterion(let criterion) in children where criterion.isCheap {
      if !criterion.test(&facts, &captures) { return .fails }
    }
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
    // A side on the left that would capture comes first even if it takes longer to decide.
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
    of criterion: Criterion, _ facts: inout RequestFacts, _ captures: inout Captures
  ) -> Verdict {
    if criterion.stages.contains(.body) {
      guard open.contains(.body) else { return .undecided }
      if facts.bodyIsUnread { return policy == .run ? .fails : .undecided }
      if policy == .defer, facts.bodyIsLong { return .undecided }
    }
    return criterion.test(&facts, &captures) ? .matches : .fails
  }
}
