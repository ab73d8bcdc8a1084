/// Matches requests with a method, such as `isMethod(.get)` or `isMethod("PROPFIND")`.
///
/// ```swift
/// stub(
///   condition: isMethod(.post) && isURL("https://api.example.com/users"),
///   response: .json(["id": 43], status: 201))
/// stub(
///   condition: isMethod("PROPFIND") && isURL("https://api.example.com/files"),
///   response: .status(207))
/// ```
///
/// Methods compare with case (RFC 9110, section 9.1). GET, HEAD, POST, PUT, DELETE and CONNECT are exceptions,
/// because `URLRequest` changes them to upper case. A request that names no method is a GET.
///
/// For a client that really sends `patch`, write a closure: `{ $0.httpMethod == "patch" }`.
///
/// - Parameter method: The method. The test fails if its name is not in upper case.
public func isMethod(_ method: StubMethod) -> RequestMatcher { .ofMethod[method] ?? .checked(method) }

extension RequestMatcher {
  /// Creates the matcher for a method that may have a mistake.
  fileprivate static func checked(_ method: StubMethod) -> RequestMatcher {
    guard let name = method.name else { return .anything }
    return RequestMatcher(
      .method, .equals(MatchText(name)), unless: name.fault(.impossibleMethod) ?? name.fault(.method))
  }

  /// The matcher for the method of an existing request, whatever its case is.
  package static func isMethod(ofRequest method: String) -> RequestMatcher {
    ofMethod[StubMethod(method)] ?? RequestMatcher(.method, .equals(MatchText(method)))
  }

  /// The matchers for the methods that have a name in Swift. All stubs share them.
  fileprivate static let ofMethod = Dictionary(uniqueKeysWithValues: StubMethod.named.map { ($0, checked($0)) })
}

// OHHTTPStubs' names, which are omitted from the documentation.

/// OHHTTPStubs' name for `isMethod(.get)`.
@_documentation(visibility: internal)
public func isMethodGET() -> RequestMatcher { isMethod(.get) }
/// OHHTTPStubs' name for `isMethod(.post)`.
@_documentation(visibility: internal)
public func isMethodPOST() -> RequestMatcher { isMethod(.post) }
/// OHHTTPStubs' name for `isMethod(.put)`.
@_documentation(visibility: internal)
public func isMethodPUT() -> RequestMatcher { isMethod(.put) }
/// OHHTTPStubs' name for `isMethod(.patch)`.
@_documentation(visibility: internal)
public func isMethodPATCH() -> RequestMatcher { isMethod(.patch) }
/// OHHTTPStubs' name for `isMethod(.delete)`.
@_documentation(visibility: internal)
public func isMethodDELETE() -> RequestMatcher { isMethod(.delete) }
/// OHHTTPStubs' name for `isMethod(.head)`.
@_documentation(visibility: internal)
public func isMethodHEAD() -> RequestMatcher { isMethod(.head) }
/// OHHTTPStubs' name for `isMethod(.options)`.
@_documentation(visibility: internal)
public func isMethodOPTIONS() -> RequestMatcher { isMethod(.options) }
