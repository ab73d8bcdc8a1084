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
  static let named: Set = [get, post, put, patch, delete, head, options]

  /// The method as Swift source: `.get`, `.any` or `"PURGE"`.
  public var description: String {
    guard let name else { return ".any" }
    return Self.named.contains(self) ? ".\(name.lowercased())" : name.debugDescription
  }
}
