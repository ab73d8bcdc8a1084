/// The method of a request, in `stub(.get, "/users", response: .ok)` and in `isMethod(.get)`.
///
/// ```swift
/// stub(.post, "/login", response: .json(["token": "t"]))
/// stub(.any, "/health", response: .ok)
/// stub("PURGE", "/cache/{key}", response: .ok)
/// ```
///
/// Methods compare as in ``isMethod(_:)``: with case, but for those that `URLRequest` changes to upper case, such as
/// `get`.
public struct StubMethod: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name, or `nil` for every method.
  let name: String?

  private init(name: String?) { self.name = name?.canonicalMethod }

  /// Creates a method from its name, for example one that is in a variable.
  ///
  /// ```swift
  /// for name in ["GET", "HEAD"] {
  ///   stub(StubMethod(name), "/health", response: .ok)
  /// }
  /// ```
  public init(_ name: String) { self.init(name: name) }

  /// Creates a method from a literal of its name, such as `"PURGE"` in `stub("PURGE", "/cache", response: .ok)`.
  public init(stringLiteral name: String) { self.init(name: name) }

  /// The method GET, and requests that name no method.
  public static let get: StubMethod = "GET"
  /// The method POST.
  public static let post: StubMethod = "POST"
  /// The method PUT.
  public static let put: StubMethod = "PUT"
  /// The method PATCH.
  public static let patch: StubMethod = "PATCH"
  /// The method DELETE.
  public static let delete: StubMethod = "DELETE"
  /// The method HEAD.
  public static let head: StubMethod = "HEAD"
  /// The method OPTIONS.
  public static let options: StubMethod = "OPTIONS"
  /// Every method, for a stub of a URL or a path alone.
  public static let any = StubMethod(name: nil)

  /// The methods that have a name in Swift, but for `.any`.
  static let named: Set = [get, post, put, patch, delete, head, options]

  /// The method as Swift source: `.get`, `.any` or `"PURGE"`.
  public var description: String {
    guard let name else { return ".any" }
    return Self.named.contains(self) ? ".\(name.lowercased())" : name.debugDescription
  }
}
