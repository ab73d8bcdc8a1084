import Foundation

/// Matches requests whose body is JSON equal to a value.
///
/// ```swift
/// hasJSONBody(["user": ["id": 1, "tags": ["a", nil]], "ok": true])
/// ```
///
/// The order of keys and white space don't matter, and the order of an array does. Numbers compare as the decimals that
/// they are written as, of any length, so `1` equals `1.0`. `true` doesn't equal `1`. A byte order mark is skipped. The
/// `Content-Type` doesn't matter.
///
/// A value that `JSONDecoder` decoded can differ from its own text in a number of more than 15 digits, which it rounds,
/// such as `9007199254740993.5`. Use ``StubJSON/init(parsing:)-(Data)`` there.
///
/// - Parameter value: The value. The test fails if it is a text that contains an object or an array in JSON, which
///   would be compared as a JSON string. Where the body really is such a string, write `hasJSON(at: "", equals: …)`.
public func hasJSONBody(_ value: StubJSON) -> RequestMatcher { .json(value) }

/// Matches requests whose body is JSON equal to an `Encodable` value of your own, such as `hasJSONBody(user)`.
///
/// ```swift
/// let user = User(id: 42, name: "Ann")
/// stub(
///   condition: isMethod(.post) && hasJSONBody(user),
///   response: .status(201))
/// ```
///
/// The test fails if the value can't be encoded, or if it is text or bytes that are an object or an array in JSON
/// already: write `hasJSONBody(try StubJSON(parsing: bytes))`.
@_disfavoredOverload
public func hasJSONBody(_ value: some Encodable) -> RequestMatcher { hasJSONBody(encoded(value, in: "hasJSONBody")) }

/// Matches requests whose body is a JSON object with these fields, such as `hasJSONBody(["id": id, "name": name])`.
///
/// ```swift
/// stub(
///   condition: isMethod(.post) && hasJSONBody(["id": id, "name": name]),
///   response: .status(201))
/// ```
///
/// The test fails if a value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(_ fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(encoded(fields, in: "hasJSONBody"))
}

/// Matches requests whose body is JSON that contains a value.
///
/// ```swift
/// // Matches {"user": {"id": 1, "name": "Ann"}, "page": 2}.
/// hasJSONBody(containing: ["user": ["id": 1]])
/// ```
///
/// Objects can have additional keys at every depth. An array must have the same number of elements, and each element
/// must contain the expected one. Everything else must be equal.
public func hasJSONBody(containing part: StubJSON) -> RequestMatcher { .json(part, isPart: true) }

/// Matches requests whose body is JSON that contains an `Encodable` value of your own.
///
/// ```swift
/// stub(
///   condition: hasJSONBody(containing: User(id: 42, name: "Ann")),
///   response: .status(201))
/// ```
///
/// The test fails if the value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(containing part: some Encodable) -> RequestMatcher {
  hasJSONBody(containing: encoded(part, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is a JSON object that contains these fields, such as
/// `hasJSONBody(containing: ["id": id])`.
///
/// ```swift
/// stub(
///   condition: isMethod(.post) && hasJSONBody(containing: ["id": id]),
///   response: .status(201))
/// ```
///
/// The test fails if a value can't be encoded.
@_disfavoredOverload
public func hasJSONBody(containing fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSONBody(containing: encoded(fields, in: "hasJSONBody(containing:)"))
}

/// Matches requests whose body is JSON with a value at a place.
///
/// ```swift
/// hasJSON(at: "users[0].name", equals: "Ann")
/// // The same place, and as a JSON Pointer (RFC 6901).
/// hasJSON(at: "users.0.name", equals: "Ann")
/// hasJSON(at: "/users/0/name", equals: "Ann")
/// // Matches null. A missing key doesn't match.
/// hasJSON(at: "next", equals: nil)
/// ```
///
/// - Parameters:
///   - path: The place: keys and indices as in `users[0].name`, or a JSON Pointer if it begins with `/`. Write a key
///     that contains a dot as `["a.b"]`. The empty path is the whole body. The test fails if it is neither.
///   - value: The expected value, compared as in `hasJSONBody`.
public func hasJSON(at path: String, equals value: StubJSON) -> RequestMatcher { .json(at: path, value) }

/// Matches requests whose body is JSON with an `Encodable` value of your own at a place, such as
/// `hasJSON(at: "id", equals: id)`.
///
/// ```swift
/// stub(
///   .post, "https://api.example.com/orders",
///   where: hasJSON(at: "user.id", equals: id),
///   response: .status(201))
/// ```
///
/// The test fails if the value can't be encoded.
@_disfavoredOverload
public func hasJSON(at path: String, equals value: some Encodable) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(value, in: "hasJSON(at:equals:)"))
}

/// Matches requests whose body is JSON with an object of these fields at a place.
///
/// ```swift
/// stub(
///   condition: hasJSON(at: "user", equals: ["id": id, "name": name]),
///   response: .status(201))
/// ```
///
/// The test fails if a value can't be encoded.
@_disfavoredOverload
public func hasJSON(at path: String, equals fields: KeyValuePairs<String, any Encodable>) -> RequestMatcher {
  hasJSON(at: path, equals: encoded(fields, in: "hasJSON(at:equals:)"))
}

extension RequestMatcher {
  fileprivate static func json(at path: String? = nil, _ value: StubJSON, isPart: Bool = false) -> RequestMatcher {
    RequestMatcher(
      JSONCriterion.call(path, value, isPart: isPart), unless: path?.fault(.impossibleJSONPath)
    ) { () throws(UsageMistake) in
      let path = try path.map { path throws(UsageMistake) in try JSONPath(parsing: path) }
      if let mistake = value.mistake { throw UsageMistake(mistake) }
      try require(
        path != nil || !value.isTextOfJSON,
        "hasJSONBody\(isPart ? "(containing:)" : "") received a text, which it would compare as a JSON string. Write the JSON "
          + "in it as a literal, as in hasJSONBody([\"id\": 1]), or try StubJSON(parsing: text). For a JSON string, write "
          + "hasJSON(at: \"\", equals: …).")
      return JSONCriterion(at: path, value, isPart: isPart)
    }
  }
}

/// Returns the JSON of a value, or one that carries why it can't be encoded.
private func encoded(_ value: some Encodable, in function: String) -> StubJSON {
  // A `Data` would be compared as a text in Base64.
  if let bytes = value as? Data, StubJSON.isJSONAlready(bytes), let text = String(validUTF8: bytes) {
    return .string(text)
  }
  do {
    return try StubJSON(encoding: value)
  } catch {
    return StubJSON(
      mistake: "\(function) can't encode its value: \(error). Write a JSON literal, or a value that can be encoded.")
  }
}

private func encoded(_ fields: KeyValuePairs<String, any Encodable>, in function: String) -> StubJSON {
  StubJSON(members: fields.map { key, value in (key, encoded(value, in: function)) })
}

final class JSONCriterion: Criterion {
  /// The place of the value, or `nil` for the whole body.
  let path: JSONPath?
  let value: StubJSON
  /// A Boolean value that indicates whether the body can have more keys, at every depth.
  let isPart: Bool

  init(at path: JSONPath? = nil, _ value: StubJSON, isPart: Bool = false) {
    self.path = path
    self.value = value
    self.isPart = isPart
  }

  /// Returns the call of the matcher, as Swift source.
  static func call(_ path: String?, _ value: StubJSON, isPart: Bool) -> String {
    path.map { "hasJSON(at: \($0.debugDescription), equals: \(value.swiftLiteral))" }
      ?? "hasJSONBody(\(isPart ? "containing: " : "")\(value.swiftLiteral))"
  }

  var description: String { Self.call(path?.text, value, isPart: isPart) }

  var subject: String { path?.subject ?? "body" }
  var expectation: String { isPart ? "at least \(value)" : "\(value)" }
  var stages: Stages { .body }

  private func found(_ facts: inout RequestFacts) -> StubJSON? {
    path.map { path in facts.json.flatMap { path.value(in: $0) } } ?? facts.json
  }

  func test(_ facts: inout RequestFacts) -> Bool {
    if let path, !value.isContainer { return facts.scalar(at: path)?.meets(value, exactly: true) ?? false }
    return found(&facts)?.meets(value, exactly: !isPart) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    found(&facts).map { "\($0)" } ?? (path == nil ? facts.bodyData?.excerpt : nil)
  }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareJSON(&facts, &result, json: value, at: path, exactly: !isPart)
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) { value.forEachRequiredLeaf(at: path, body) }
}

extension Criterion {
  /// Compares the JSON of the body, place by place. The points are for the share of the wanted leaves that differ.
  /// Another value in its place has fewer than another method.
  ///
  /// - Parameters:
  ///   - path: Where the wanted value is in the body. Defaults to the whole body.
  ///   - exactly: Whether an unexpected key differs.
  ///   - isMet: Returns whether an expected value is met by another one, or `nil` to compare the two.
  ///   - reduce: Returns what is compared of the JSON of a request.
  package func compareJSON(
    _ facts: inout RequestFacts, _ result: inout ScoredMismatches, json wanted: StubJSON, at path: JSONPath? = nil,
    exactly: Bool, isMet: @escaping StubJSON.Comparison = { _, _ in nil },
    reducing reduce: (StubJSON) -> StubJSON = { $0 }
  ) {
    guard let json = facts.json.map(reduce) else {
      guard let data = facts.bodyData else { return result.add(Points.otherBody, mismatch(actual: nil)) }
      var note: String? {
        if let coding = facts.codingNote { return coding }
        let isForm = !facts.isTypeAdded && facts.header("Content-Type")?.contains("x-www-form-urlencoded") ?? false
        return isForm ? "the body is a form" : data.reasonNotJSON
      }
      return result.add(Points.otherBody, .init("body", expected: expectation, actual: data.excerpt, note: note))
    }
    var note: String?
    let found = path.map { path in
      path.value(in: json) { key, object in
        if case .object(let members) = object { note = Names(members.keys).note(nearestTo: key) }
      }
    }
    guard let actual = found ?? json else {
      return result.add(Points.body.upperBound, mismatch(actual: nil, note: note))
    }
    let place = result.isDetailed ? path?.dotted ?? "" : nil
    let difference = JSONDifference(wanted, actual, exactly: exactly, at: place, isMet: isMet)
    let points = Points.scaled(Points.body, min(100, difference.weight / max(1, wanted.leafCount)))
    result.add(points, all: difference.mismatches)
  }
}

extension JSONPath {
  package var subject: String { text.isEmpty ? "body" : "body at \(text)" }

  /// The path with dots and brackets, even if it was written as a pointer.
  package var dotted: String {
    guard text.starts(withBytesOf: "/") else { return text }
    return steps.reduce("") { path, step in
      switch step {
      case .key(let key):
        !key.isEmpty && key.utf8.allSatisfy(\.isDigit) ? "\(path)[\(key)]" : path.appending(key: key)
      case .index(let index): "\(path)[\(index)]"
      }
    }
  }
}

extension StubJSON {
  /// The value as a Swift literal with sorted keys: `["id": 1, "tags": ["a", nil]]`.
  package var swiftLiteral: String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .number(let number):
      // An integer literal can't exceed Int64, and a literal with a point is a Double.
      switch number.storage {
      case .unsigned: return "StubJSON(UInt64(\(number)))"
      case .decimal(let text): return "try StubJSON(parsing: \(text.debugDescription))"
      case .signed, .double, .mistake: return number.description
      }
    case .string(let text): return text.debugDescription
    case .array(let elements): return "[\(elements.map(\.swiftLiteral).listed)]"
    case .object(let members):
      if members.isEmpty { return "[:]" }
      let sorted = members.sorted { $0.key < $1.key }
      return "[\(sorted.map { "\($0.key.debugDescription): \($0.value.swiftLiteral)" }.listed)]"
    }
  }
}

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
///   .post, "https://api.example.com/login",
///   where: isRepeated,
///   response: .status(429))
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
  let problem = { @Sendable (body: Data) -> String? in
    let result = Result { try decoder.decode(Value.self, from: body) }
    guard case .failure(let error) = result else { return nil }
    return "not a valid \(type): \(error.reasonNotDecoded(from: body))"
  }
  let criterion = ClosureTest(
    text: "hasJSONBody(as: \(type).self) { … }", decoding: ("\(type) that passes { … }", problem)
  ) { request in
    guard let body = request.stubBody, let value = try? decoder.decode(Value.self, from: body) else { return false }
    return test(value)
  }
  return RequestMatcher(.closure(criterion))
}

extension Error {
  /// Returns why a body doesn't decode, and at which place in it.
  fileprivate func reasonNotDecoded(from body: Data) -> String {
    if let reason = body.reasonNotJSON { return "it is \(reason)" }
    switch self as? DecodingError {
    case .keyNotFound(let key, let context): return "there is no \((context.codingPath + [key]).jsonPath)"
    case .valueNotFound(let type, let context): return "\(context.codingPath.place) is null, not \(type)"
    case .typeMismatch(let type, let context):
      let kind =
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
        }
      return "\(context.codingPath.place) is not \(kind)"
    case .dataCorrupted(let context): return "\(context.codingPath.place): \(context.debugDescription)"
    default: return "\(self)"
    }
  }
}

extension [any CodingKey] {
  package var jsonPath: String {
    reduce("") { path, key in key.intValue.map { "\(path)[\($0)]" } ?? path.appending(key: key.stringValue) }
  }

  fileprivate var place: String { isEmpty ? "it" : jsonPath }
}
