import StubKitFormats

/// Matches URLs with exactly this path below the base URL of its group.
///
/// ```swift
/// stubs(on: isUnder("https://api.example.com/v1")) {
///   // https://api.example.com/v1/users
///   stub(condition: isSubpath("users"), response: .json([]))
/// }
/// ```
///
/// The base URL is that of the innermost ``isUnder(_:)-(String)`` that an `&&` joins with the matcher, as a group does.
/// Everything else is as for ``isPath(_:)``. A slash in front doesn't count.
///
/// - Parameter path: The decoded path, without that of the base URL. A mistake if it contains a `?` or a `#`, or if
///   there is no base URL.
public func isSubpath(_ path: String) -> RequestMatcher {
  let whole = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
  let condition = isPath(whole)
  guard condition.mistake == nil else { return condition }
  let call = "isSubpath(\(path.debugDescription))"
  let mistake = UsageMistake(
    "\(call) has no base URL: register the stub in stubs(on: isUnder(…)) { … }, or write isUnder(…) && \(call).")
  return RequestMatcher(.criterion(MistakenCriterion(call, mistake, subpath: whole)))
}

extension RequestMatcher {
  /// Returns the condition with the paths that are relative to a base URL in it, if there is one.
  func resolvingSubpaths() -> RequestMatcher {
    guard stages.contains(.mistake), let base = node.base else { return self }
    return RequestMatcher(node.resolved(under: base))
  }
}

extension RequestMatcher.Node {
  /// The path of the innermost base URL.
  fileprivate var base: Substring? {
    switch self {
    case .all(let children, _):
      for child in children.reversed() {
        if let base = child.base { return base }
      }
      return nil
    case .criterion(let criterion): return (criterion as? URLCondition)?.base
    case .either, .not, .closure: return nil
    }
  }

  fileprivate func resolved(under base: Substring) -> Self {
    switch self {
    case .all(let children, _): .all(children.map { $0.resolved(under: base) })
    case .either(let children, _): .either(children.map { $0.resolved(under: base) })
    case .not(let child): .not(child.resolved(under: base))
    case .criterion(let criterion): .criterion((criterion as? MistakenCriterion)?.resolved(under: base) ?? criterion)
    case .closure: self
    }
  }
}

extension MistakenCriterion {
  fileprivate func resolved(under base: Substring) -> PathCriterion? {
    guard let subpath else { return nil }
    let path = String(base) + subpath
    return PathCriterion(.whole, Written(path, canonical: HTTPPath.canonical(path)))
  }
}

extension URLCondition {
  /// The path of a base URL, without a slash at its end.
  fileprivate var base: Substring? {
    guard isBase else { return nil }
    return criteria.lazy.compactMap { ($0 as? PathCriterion)?.text.value }.first?.withoutTrailingSlashes
  }
}
