import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Matches requests whose JSON body decodes as this type, and for whose value the closure returns true.
///
/// ```swift
/// struct Login: Decodable, Sendable {
///   let user: String
///   let attempts: Int
/// }
///
/// let isRepeated = hasJSONBody(as: Login.self) { $0.user == "ann" && $0.attempts > 1 }
/// stub(condition: isPath("/login") && isRepeated, response: .empty(status: 429))
/// ```
///
/// A body that does not decode does not match, and the report of an unmatched request says why. The Content-Type is not looked
/// at. As with any closure, StubKit decodes the body only where everything else about the stub fits, and knows nothing about the
/// condition beforehand: put a method, a path or another matcher beside it.
///
/// - Parameters:
///   - type: The type to decode. Where types are isolated to the main actor by default, declare it `nonisolated`.
///   - decoder: The decoder. Set it up before it is passed in. Defaults to a `JSONDecoder` with its default strategies.
///   - test: Whether the value matches. It may run on any thread, several times at once, and never under a lock.
public func hasJSONBody<Value: Decodable & SendableMetatype>(
  as type: Value.Type, decoder: JSONDecoder = JSONDecoder(), _ test: @escaping @Sendable (Value) -> Bool
) -> RequestMatcher {
  let decoding = ClosureCriterion.Decoding(expectation: "\(type) that passes { … }") { body in
    do {
      _ = try decoder.decode(Value.self, from: body)
      return nil
    } catch {
      return "no \(type): \(error.reasonNotDecoded(from: body))"
    }
  }
  let criterion = ClosureCriterion(text: "hasJSONBody(as: \(type).self) { … }", decoding: decoding) { request in
    guard let body = request.stubBody, let value = try? decoder.decode(Value.self, from: body) else { return false }
    return test(value)
  }
  return RequestMatcher(.closure(criterion))
}

extension Error {
  /// Why a body does not decode, and where in it the reason lies.
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
