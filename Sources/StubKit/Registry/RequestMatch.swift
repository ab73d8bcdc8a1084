/// What is known about a request because a stub matched it: the second argument of a response closure.
///
/// ```swift
/// stub(condition: isPath(template: "/users/{id}")) { _, match in
///   match.callNumber < 3 ? .failure(.timedOut) : .json(["id": "\(match["id"]!)"])
/// }
/// ```
public struct RequestMatch: Sendable {
  /// 1 for the first request this stub answers, 2 for the second: a retry needs no counter of its own.
  public let callNumber: Int

  private let captures: Captures

  init(callNumber: Int, captures: Captures) {
    self.callNumber = callNumber
    self.captures = captures
  }

  /// The text that a path template's `{name}` or a regular expression's named group stood for, percent-decoded; from the
  /// side of an `||` that matched, nil where there is no such name.
  public subscript(name: String) -> String? { captures[name] }

  /// What was captured under this name, as a number or another value that a text describes.
  ///
  /// ```swift
  /// stub(condition: isPath(template: "/users/{id:[0-9]+}")) { _, match in
  ///   guard let id = match["id", as: Int.self], id <= 100 else { return .empty(status: 404) }
  ///   return .json(["id": JSONValue(id)])
  /// }
  /// ```
  ///
  /// - Returns: The value, or nil if there is no such name or if the text does not describe a value of the type.
  public subscript<Value: LosslessStringConvertible>(name: String, as type: Value.Type) -> Value? {
    captures[name].flatMap { Value($0) }
  }
}
