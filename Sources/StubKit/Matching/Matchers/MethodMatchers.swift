/// Matches requests with a method, such as `isMethod("PROPFIND")`.
///
/// ```swift
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
/// - Parameter method: The name of the method. A mistake if it is not in upper case.
public func isMethod(_ method: String) -> RequestMatcher {
  let text = MatchText(method, canonical: method.canonicalMethod)
  return RequestMatcher(
    .method(isInName: false), .equals(text), unless: method.fault(.impossibleMethod) ?? method.fault(.method))
}

/// Matches GET requests, and requests that name no method.
///
/// ```swift
/// stub(
///   condition: isMethodGET() && isURL("https://api.example.com/users"),
///   response: .json([["id": 42]]))
/// ```
public func isMethodGET() -> RequestMatcher { .isMethod(ofRequest: "GET") }

/// Matches POST requests.
///
/// ```swift
/// stub(
///   condition: isMethodPOST() && isURL("https://api.example.com/users"),
///   response: .json(["id": 43], status: 201))
/// ```
public func isMethodPOST() -> RequestMatcher { .isMethod(ofRequest: "POST") }

/// Matches PUT requests.
///
/// ```swift
/// stub(
///   condition: isMethodPUT() && isURL("https://api.example.com/users/42"),
///   response: .status(204))
/// ```
public func isMethodPUT() -> RequestMatcher { .isMethod(ofRequest: "PUT") }

/// Matches PATCH requests (RFC 5789).
///
/// ```swift
/// stub(
///   condition: isMethodPATCH() && isURL("https://api.example.com/users/42"),
///   response: .json(["name": "Ben"]))
/// ```
public func isMethodPATCH() -> RequestMatcher { .isMethod(ofRequest: "PATCH") }

/// Matches DELETE requests.
///
/// ```swift
/// stub(
///   condition: isMethodDELETE() && isURL("https://api.example.com/users/42"),
///   response: .status(204))
/// ```
public func isMethodDELETE() -> RequestMatcher { .isMethod(ofRequest: "DELETE") }

/// Matches HEAD requests.
///
/// ```swift
/// stub(
///   condition: isMethodHEAD() && isURL("https://api.example.com/film.mp4"),
///   response: .status(200, headers: ["Accept-Ranges": "bytes"]))
/// ```
public func isMethodHEAD() -> RequestMatcher { .isMethod(ofRequest: "HEAD") }

/// Matches OPTIONS requests.
///
/// ```swift
/// stub(
///   condition: isMethodOPTIONS(),
///   response: .status(204, headers: ["Allow": "GET, OPTIONS"]))
/// ```
public func isMethodOPTIONS() -> RequestMatcher { .isMethod(ofRequest: "OPTIONS") }

extension RequestMatcher {
  /// The matcher for the method of an existing request, whatever its case is.
  package static func isMethod(ofRequest method: String) -> RequestMatcher {
    named[method] ?? RequestMatcher(.method(isInName: false), .equals(MatchText(method)))
  }

  /// The matcher that a reader would write for the method.
  static func named(_ method: String) -> RequestMatcher { named[method] ?? StubKit.isMethod(method) }

  /// The matchers whose names contain a method. All stubs share them.
  static let named = Dictionary(
    uniqueKeysWithValues: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map {
      ($0, RequestMatcher(.method(isInName: true), .equals(MatchText($0))))
    })
}
