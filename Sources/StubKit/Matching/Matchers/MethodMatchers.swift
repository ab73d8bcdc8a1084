/// The method of a request, in `stub(.get, "/users", response: .ok)` and in `isMethod(.get)`.
///
/// ```swift
/// stub(.post, "/login", response: .json(["token": "t"]))
/// stub(.any, "/health", response: .ok)
/// stub("PURGE", "/cache/{key}", response: .ok)
/// ```
///
/// Methods compare as in ``isMethod(_:)``.
public struct StubMethod: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name, or `nil` for every method.
  let name: String?

  private init(name: String?) { self.name = name?.canonicalMethod }

  /// Creates a method from its name, such as `"PURGE"`.
  public init(_ name: String) { self.init(name: name) }

  /// Creates a method from a literal of its name.
  public init(stringLiteral name: String) { self.init(name: name) }

  /// GET, and requests that name no method.
  public static let get: StubMethod = "GET"
  /// POST.
  public static let post: StubMethod = "POST"
  /// PUT.
  public static let put: StubMethod = "PUT"
  /// PATCH (RFC 5789).
  public static let patch: StubMethod = "PATCH"
  /// DELETE.
  public static let delete: StubMethod = "DELETE"
  /// HEAD.
  public static let head: StubMethod = "HEAD"
  /// OPTIONS.
  public static let options: StubMethod = "OPTIONS"
  /// Every method.
  public static let any = StubMethod(name: nil)

  /// The methods that have a name in Swift, but for `.any`.
  fileprivate static let named: Set = [get, post, put, patch, delete, head, options]

  /// The method as Swift source: `.get`, `.any` or `"PURGE"`.
  public var description: String {
    guard let name else { return ".any" }
    return Self.named.contains(self) ? ".\(name.lowercased())" : name.debugDescription
  }
}

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
