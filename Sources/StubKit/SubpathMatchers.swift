/// Matches URLs with exactly this path below the base URL of its group.
///
/// ```swift
/// stubs(on: isUnder("https://api.example.com/v1")) {
///   // https://api.example.com/v1/users
///   stub(condition: isSubpath("users"), response: .json([]))
/// }
/// ```
///
/// The base URL is that of the innermost ``isUnder(_:)-(String)`` among the conditions of the groups around the call.
/// Everything else is as for ``isPath(_:)``. A slash in front doesn't count.
///
/// - Parameter path: The decoded path, without that of the base URL. Mistakes are those of ``isPath(_:)``, and
///   that there is no base URL.
public func isSubpath(_ path: String) -> RequestMatcher {
  .below("isSubpath(\(path.debugDescription))") { isPath($0.path + path.asPath) }
}

/// Matches URLs whose path has a shape below the base URL of its group, and captures the text in place of the braces.
///
/// ```swift
/// stubs(on: isUnder("https://api.example.com/v1")) {
///   stub(condition: isSubpath(template: "users/{id}")) { _, match in
///     try .json(["id": match("id")])
///   }
/// }
/// ```
///
/// The base URL is that of ``isSubpath(_:)``. Everything else is as for ``isPath(template:)``.
///
/// - Parameter template: The template, without the path of the base URL. A mistake if it is one in
///   ``isPath(template:)``, or if there is no base URL.
public func isSubpath(template: String) -> RequestMatcher {
  .below("isSubpath(template: \(template.debugDescription))") { isPath(template: $0.template + template.asPath) }
}

extension RequestMatcher {
  /// - Parameter matcher: The matcher for the path with that of the base URL.
  fileprivate static func below(
    _ call: String, _ matcher: (_ base: (path: String, template: String)) -> RequestMatcher
  ) -> RequestMatcher {
    guard let base = StubGroup.current?.condition.node.base else {
      return RequestMatcher(mistake: "\(call) has no base URL: write it in stubs(on: isUnder(…)) { … }.", in: call)
    }
    return matcher(base)
  }
}

extension RequestMatcher.Node {
  /// The path of the innermost base URL.
  fileprivate var base: (path: String, template: String)? {
    switch self {
    case .group(isEither: false, let children, _): children.reversed().lazy.compactMap(\.base).first
    case .criterion(let criterion): (criterion as? URLCriterion)?.base
    case .group, .not, .closure: nil
    }
  }
}
