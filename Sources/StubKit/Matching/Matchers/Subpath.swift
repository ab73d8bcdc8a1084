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
  subpath(path, "isSubpath(\(path.debugDescription))", as: isPath(_:)) { path in
    ValueCriterion("isPath", .path, .equals(MatchText(path, canonical: HTTPPath.canonical(path))))
  }
}

/// Matches URLs whose path has a shape below the base URL of its group, and captures the text in place of the braces.
///
/// ```swift
/// stubs(on: isUnder("https://api.example.com/v1")) {
///   stub(condition: isSubpath(template: "users/{id}")) { _, match in
///     .json(["id": .string(match["id"]!)])
///   }
/// }
/// ```
///
/// The base URL is that of ``isSubpath(_:)``. Everything else is as for ``isPath(template:)``.
///
/// - Parameter template: The template, without the path of the base URL. A mistake if it is one in
///   ``isPath(template:)``, or if there is no base URL.
public func isSubpath(template: String) -> RequestMatcher {
  subpath(template, "isSubpath(template: \(template.debugDescription))", as: isPath(template:)) { template in
    try? PathTemplate(template)
  }
}

/// - Parameters:
///   - matcher: The matcher for a whole path, whose mistakes are also mistakes below a base URL.
///   - criterion: Returns the criterion for a whole path.
private func subpath(
  _ path: String, _ call: String, as matcher: (String) -> RequestMatcher,
  _ criterion: @escaping @Sendable (String) -> (any Criterion)?
) -> RequestMatcher {
  let whole = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
  var sentence = matcher(whole).mistake?.replacing("isPath(", with: "isSubpath(")
  if path.utf8.contains("://".utf8) {
    sentence = "\(call) has a whole URL: write the path below the base URL, or isURL(\(path.debugDescription))."
  }
  if let sentence { return RequestMatcher(.criterion(MistakenCriterion(call, UsageMistake(sentence)))) }
  let mistake = UsageMistake(
    "\(call) has no base URL: register the stub in stubs(on: isUnder(…)) { … }, or write isUnder(…) && \(call).")
  return RequestMatcher(.criterion(MistakenCriterion(call, mistake) { base in criterion(base + whole) }))
}

extension RequestMatcher {
  /// Returns the condition with the paths that are relative to a base URL in it, if there is one.
  func resolvingSubpaths() -> RequestMatcher {
    guard traits.isMistake, let base = node.base else { return self }
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
    case .criterion(let criterion): .criterion((criterion as? MistakenCriterion)?.underBase?(String(base)) ?? criterion)
    case .closure: self
    }
  }
}

extension URLCondition {
  /// The path of a base URL, without a slash at its end.
  fileprivate var base: Substring? {
    for case let criterion as ValueCriterion in criteria {
      if case .isUnder(let path) = criterion.comparison { return path.value.withoutTrailingSlashes }
    }
    return nil
  }
}
