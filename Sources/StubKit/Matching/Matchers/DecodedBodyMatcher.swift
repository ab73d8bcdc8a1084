import Foundation

/// Matches requests whose JSON body decodes to a type, if a closure returns `true` for the value.
///
/// ```swift
/// struct Login: Decodable, Sendable {
///   let user: String
///   let attempts: Int
/// }
///
/// let isRepeated = hasJSONBody(as: Login.self) {
///   $0.user == "ann" && $0.attempts > 1
/// }
/// stub(
///   condition: isPath("/login") && isRepeated,
///   response: .empty(status: 429))
/// ```
///
/// A body that doesn't decode doesn't match, and the report of an unmatched request says why. The `Content-Type`
/// doesn't matter. As with any closure, StubKit decodes the body only if everything else about the stub matches, and
/// the index can't look into the closure. Combine it with a method, a path or another matcher.
///
/// - Parameters:
///   - type: The type to decode. If types are isolated to the main actor by default, declare it `nonisolated`.
///   - decoder: The decoder. Configure it before you pass it. Defaults to a `JSONDecoder` with its default
///     strategies.
///   - test: A closure that returns whether the value matches. It can run on any thread, several times at once, and
///     never runs under a lock.
public func hasJSONBody<Value: Decodable & SendableMetatype>(
  as type: Value.Type, decoder: JSONDecoder = JSONDecoder(), _ test: @escaping @Sendable (Value) -> Bool
) -> RequestMatcher {
  let decoding = ClosureCriterion.Decoding(expectation: "\(type) that passes { … }") { body in
    do {
      _ = try decoder.decode(Value.self, from: body)
      return nil
    } catch {
      return "not a valid \(type): \(error.reasonNotDecoded(from: body))"
    }
  }
  let criterion = ClosureCriterion(text: "hasJSONBody(as: \(type).self) { … }", decoding: decoding) { request in
    guard let body = request.stubBody, let value = try? decoder.decode(Value.self, from: body) else { return false }
    return test(value)
  }
  return RequestMatcher(.closure(criterion))
}

extension Error {
  /// Returns why a body doesn't decode, and at which place in it.
  fileprivate func reasonNotDecoded(from body: Data) -> String {
    do { _ = try JSONValue(parsing: body) } catch let error as JSONSyntaxError {
      return "it is not JSON: \(error.problem) (line \(error.line), column \(error.column))"
    } catch {}
    switch self as? DecodingError {
    case .keyNotFound(let key, let context): return "there is no \((context.codingPath + [key]).jsonPath)"
    case .valueNotFound(let type, let context): return "\(context.codingPath.place) is null, not \(type)"
    case .typeMismatch(let type, let context):
      let type = type is [String: Any].Type ? "an object" : type is [Any].Type ? "an array" : "\(type)"
      return "\(context.codingPath.place) is not \(type)"
    case .dataCorrupted(let context): return "\(context.codingPath.place): \(context.debugDescription)"
    default: return "\(self)"
    }
  }
}

extension [any CodingKey] {
  fileprivate var jsonPath: String {
    reduce("") { path, key in key.intValue.map { "\(path)[\($0)]" } ?? path.appending(key: key.stringValue) }
  }

  fileprivate var place: String { isEmpty ? "it" : jsonPath }
}
