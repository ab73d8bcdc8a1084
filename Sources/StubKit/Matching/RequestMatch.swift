import Foundation

/// How a request matched its stub. A response closure receives it as its second argument.
///
/// ```swift
/// stub(.get, "https://api.example.com/users/{id}") { _, match in
///   try match.callNumber < 3
///     ? .failure(.timedOut) : .json(["id": match("id", as: Int.self)])
/// }
/// ```
public struct RequestMatch: Sendable {
  /// The number of this call of the stub, from 1. A test of retries needs no counter of its own.
  public let callNumber: Int

  let captures: Captures

  /// Returns the percent-decoded text that a template's `{name}` or a regular expression's named group captured.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/files/{name}.json") { _, match in
  ///   try .text(match("name"))
  /// }
  /// ```
  ///
  /// In a condition with `||`, the side that matched captures. For a capture that only one side has, use the subscript.
  ///
  /// - Throws: A ``StubKitError`` that names the captures there are. Out of a response closure, it fails the request.
  public func callAsFunction(_ name: String) throws -> String {
    guard let text = captures[name] else { throw CaptureError(name, in: captures) }
    return text
  }

  /// Returns a capture as a number, or as another value that a text describes.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/users/{id}") { _, match in
  ///   try .json(["id": match("id", as: Int.self)])
  /// }
  /// ```
  ///
  /// - Throws: A ``StubKitError`` if there is no such name, or if the text doesn't describe a value of the type.
  public func callAsFunction<Value: LosslessStringConvertible>(_ name: String, as type: Value.Type) throws -> Value {
    let text = try self(name)
    guard let value = Value(text) else { throw CaptureError(name, text, isNot: "\(type)") }
    return value
  }

  /// Returns the percent-decoded text that a template's `{name}` or a regular expression's named group captured, or
  /// `nil` if there is no such name. In a condition with `||`, the side that matched captures.
  public subscript(name: String) -> String? { captures[name] }

  /// Returns a capture as a number, or as another value that a text describes.
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/users/{id:[0-9]+}") { _, match in
  ///   guard let id = match["id", as: Int.self], id <= 100 else {
  ///     return .status(404)
  ///   }
  ///   return .json(["id": StubJSON(id)])
  /// }
  /// ```
  ///
  /// - Returns: The value, or `nil` if there is no such name, or if the text doesn't describe a value of the type.
  public subscript<Value: LosslessStringConvertible>(name: String, as type: Value.Type) -> Value? {
    captures[name].flatMap { Value($0) }
  }
}

/// The captures of templates and named groups for one request. An empty value allocates nothing.
struct Captures {
  private var pairs: [(name: String, value: String)] = []

  /// The captured text. If a name captured twice, this is the later text.
  subscript(name: String) -> String? { pairs.last { $0.name.isSame(as: name) }?.value }

  var dictionary: [String: String] { Dictionary(pairs.map { ($0.name, $0.value) }) { $1 } }

  mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }
}

extension Captures {
  /// Finds the captures of a condition for a request that meets it.
  init(of condition: RequestMatcher, for request: URLRequest) {
    var facts = RequestFacts(request)
    facts.captures = Captures()
    _ = condition.isMet(by: &facts)
    self = facts.captures ?? Captures()
  }
}
