extension RequestMatcher {
  /// Returns whether the condition names the request's host, or, if it names no host at all, the request's path.
  func asksForPlace(of facts: inout RequestFacts) -> Bool {
    var (namesHost, hasPath) = (false, false)
    var captures = Captures()
    var nodes = [node]
    while let node = nodes.popLast() {
      switch node {
      case .all(let children, _), .either(let children, _): nodes += children
      case .criterion(let criterion):
        switch criterion.place {
        case .parts(let criteria): nodes += criteria.map { .criterion($0) }
        case .host:
          if criterion.test(&facts, &captures) { return true }
          namesHost = true
        case .path: hasPath = hasPath || criterion.test(&facts, &captures)
        case nil: continue
        }
      case .not, .closure: continue
      }
    }
    return hasPath && !namesHost
  }
}
