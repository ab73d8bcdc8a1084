/// How a request matched its stub. A response closure receives it as its second argument.
///
/// ```swift
/// stub(condition: isPath(template: "/users/{id}")) { _, match in
///   match.callNumber < 3
///     ? .failure(.timedOut) : .json(["id": "\(match["id"]!)"])
/// }
/// ```
public struct RequestMatch: Sendable {
  /// The number of this call of the stub, from 1. A test of retries needs no counter of its own.
  public let callNumber: Int

  private let captures: Captures

  init(callNumber: Int, captures: Captures) {
    self.callNumber = callNumber
    self.captures = captures
  }

  /// Returns the percent-decoded text that a template's `{name}` or a regular expression's named group captured, or
  /// `nil` if there is no such name. In a condition with `||`, the side that matched captures.
  public subscript(name: String) -> String? { captures[name] }

  /// Returns a capture as a number, or as another value that a text describes.
  ///
  /// ```swift
  /// stub(condition: isPath(template: "/users/{id:[0-9]+}")) { _, match in
  ///   guard let id = match["id", as: Int.self], id <= 100 else {
  ///     return .empty(status: 404)
  ///   }
  ///   return .json(["id": JSONValue(id)])
  /// }
  /// ```
  ///
  /// - Returns: The value, or `nil` if there is no such name, or if the text doesn't describe a value of the type.
  public subscript<Value: LosslessStringConvertible>(name: String, as type: Value.Type) -> Value? {
    captures[name].flatMap { Value($0) }
  }
}
