import Foundation
import StubKit

/// A part of requests that isn't compared on replay because it differs in each run, such as a timestamp, a nonce or an
/// idempotency key.
///
/// ```swift
/// @Test(.stubbed, .recorded("orders", ignoring: .queryItem("ts"), .json(at: "meta.requestId")))
/// func loadsOrders() async throws { … }
/// ```
///
/// StubKit leaves the part out of the recorded request and out of the real one, and compares the rest as
/// ``ReplayMatching`` says. A request therefore matches with any value of the part, with several, and without it.
/// Entries that differ only in ignored parts are entries of the same request, which answer in the recorded order.
/// Recording keeps the values, so you can change what is ignored without recording again.
///
/// When only values of such parts keep a request from matching, its report names them and the argument to write.
///
/// A part that no request has changes nothing and is no mistake, because the trait of a suite also applies to tests
/// that don't send it. The part of a request that ``ReplayMatching`` doesn't compare, such as a header by default,
/// doesn't need to be ignored.
public struct IgnoredPart: Sendable, Hashable, CustomStringConvertible {
  fileprivate enum Kind: Hashable {
    case query(String)
    case header(String)
    case formField(String)
    case json([Step])
    case mistaken(String)
  }

  fileprivate enum Step: Hashable {
    case one(JSONPath.Step)
    /// Every element of an array.
    case each
  }

  fileprivate let kind: Kind
  /// The part as Swift code, such as `.queryItem("ts")`.
  public let description: String

  /// What is wrong with the part, such as an empty name, or `nil`.
  ///
  /// A recording with such a part fails before it begins. A stub of `replay` that ignores it can't match.
  package var mistake: String? { if case .mistaken(let sentence) = kind { sentence } else { nil } }

  private static func part(
    _ function: String, _ what: String, named name: String, isValid: Bool, _ kind: Kind
  ) -> IgnoredPart {
    let description = ".\(function)(\(name.debugDescription))"
    let mistake = "\(description) doesn't name \(what): write the name alone, as in .\(function)(\"nonce\")."
    return IgnoredPart(kind: !name.isEmpty && isValid ? kind : .mistaken(mistake), description: description)
  }

  /// All items of the query with a name. Names are percent-decoded, and case matters.
  ///
  /// ```swift
  /// replay(archive, ignoring: .queryItem("_"), .queryItem("X-Amz-Signature"))
  /// ```
  public static func queryItem(_ name: String) -> IgnoredPart {
    part("queryItem", "a query item", named: name, isValid: !name.contains("="), .query(name))
  }

  /// A header field. Case doesn't matter.
  ///
  /// Headers count only if ``ReplayMatching/headers(_:)`` names them, so this matters only beside it.
  public static func header(_ name: String) -> IgnoredPart {
    let isValid = name.utf8.allSatisfy(\.isTokenByte)
    return part("header", "a header", named: name, isValid: isValid, .header(name.lowercased()))
  }

  /// All fields with a name of a form, whether `application/x-www-form-urlencoded` or `multipart/form-data`. Case
  /// matters.
  public static func formField(_ name: String) -> IgnoredPart {
    part("formField", "a form field", named: name, isValid: !name.contains("="), .formField(name))
  }

  /// The value at a path of a JSON body, with everything below it.
  ///
  /// ```swift
  /// Recording(
  ///   "events",
  ///   ignoring: .json(at: "sentAt"), .json(at: "batch[*].timestamp"), .json(at: "variables.input.nonce"))
  /// ```
  ///
  /// - Parameter path: Keys and indices as in `users[0].name`, or a JSON Pointer (RFC 6901), as `hasJSON(at:equals:)`
  ///   takes them. `[*]` stands for every element of an array, and a leading `$` for the body. An element counts as one
  ///   whatever its value, so that an array must have as many as in the recording: ignore the array to leave that open.
  public static func json(at path: String) -> IgnoredPart {
    let description = ".json(at: \(path.debugDescription))"
    // JSONPath knows no `[*]`. While it reads the path, an index that no array has stands for it.
    let each = "[\(Int.max)]"
    // A $ for the body, as other libraries write it, says nothing.
    var text = path
    if path.hasPrefix("$.") {
      text.removeFirst(2)
    } else if path == "$" || path.hasPrefix("$[") {
      text.removeFirst()
    }
    do throws(UsageMistake) {
      let path = try JSONPath(parsing: text.hasPrefix("/") ? text : text.replacing("[*]", with: each))
      let steps = path.steps.map { $0 == .index(.max) ? Step.each : .one($0) }
      try require(
        !steps.isEmpty, "\(description) is the whole body: pass matching: [.method, .url], which compares no body.")
      return IgnoredPart(kind: .json(steps), description: description)
    } catch {
      return IgnoredPart(kind: .mistaken(error.sentence.replacing(each, with: "[*]")), description: description)
    }
  }
}

/// Parts that aren't compared, by their kinds.
struct IgnoredParts: Hashable {
  private(set) var query: Set<String> = []
  private(set) var formFields: Set<String> = []
  /// In lower case.
  private(set) var headers: Set<String> = []
  private var jsonPaths: [[IgnoredPart.Step]] = []
  /// The parts as arguments, in their order.
  let arguments: [String]
  /// What is wrong with the first part that can't be ignored.
  let mistake: String?

  init(_ parts: [IgnoredPart]) {
    arguments = parts.map(\.description)
    mistake = parts.lazy.compactMap(\.mistake).first
    for part in parts {
      switch part.kind {
      case .query(let name): query.insert(name)
      case .header(let name): headers.insert(name)
      case .formField(let name): formFields.insert(name)
      case .json(let steps): jsonPaths.append(steps)
      case .mistaken: break
      }
    }
  }

  var hasJSON: Bool { !jsonPaths.isEmpty }

  /// Returns what is compared of a JSON body.
  func reduced(_ json: StubJSON) -> StubJSON { jsonPaths.reduce(json) { $0.without($1[...]) } }

  /// Returns what is compared of a multipart body.
  func reduced(_ body: Data, boundary: String) -> Data {
    guard !formFields.isEmpty else { return body }
    let parts = body.parts(between: Data(boundary.utf8)).filter { part in
      // What precedes the first boundary and follows the last one has no name.
      let name = MultipartBody(parsing: Data("--\(boundary)".utf8) + part, boundary: boundary).parts.first?.name
      return name.map { !formFields.contains($0) } ?? true
    }
    return Data(parts.joined(separator: Data(boundary.utf8)))
  }
}

extension StubJSON {
  /// The value without what a path leads to. An array keeps its length.
  fileprivate func without(_ steps: ArraySlice<IgnoredPart.Step>) -> StubJSON {
    guard let step = steps.first else { return .null }
    let rest = steps.dropFirst()
    switch (step, self) {
    case (.each, .array(let elements)): return .array(elements.map { $0.without(rest) })
    case (.one(.key(let key)), .object(var members)):
      guard let member = members[key] else { return self }
      members[key] = rest.isEmpty ? .none : member.without(rest)
      return .object(members)
    case (.one(let step), .array(var elements)):
      guard let index = step.position, elements.indices.contains(index) else { return self }
      elements[index] = elements[index].without(rest)
      return .array(elements)
    default: return self
    }
  }
}

// How a report offers the argument.
extension IgnoredParts {
  /// Returns lines with the argument that makes a request match, or none if more differs than a few values.
  ///
  /// - Parameter call: The call that takes the argument, such as `.recorded`.
  func advice(for mismatches: [RequestMatcher.Mismatch], in call: String) -> [String] {
    var parts: [String] = []
    // Parts of elements that differ only in their indices are one part.
    let jsonPaths = mismatches.compactMap { $0.criterion.after("body at ") }
    let families = Dictionary(grouping: jsonPaths, by: \.withAnyIndex)
    for mismatch in mismatches {
      // A part on one side only is no value that moves, and neither is the number of elements.
      let isCount = [" element", " elements"].contains(where: mismatch.expected.hasSuffix)
      guard mismatch.actual != nil, mismatch.expected != "none", !isCount else { return [] }
      let named = [("query item ", "queryItem"), ("header ", "header"), ("form field ", "formField")].lazy.compactMap {
        start, function in mismatch.criterion.after(start).map { ".\(function)(\($0.asLiteral))" }
      }.first
      let json = mismatch.criterion.after("body at ").map { path in
        let isFamily = families[path.withAnyIndex, default: []].count > 1
        return ".json(at: \((isFamily ? path.withAnyIndex : path).debugDescription))"
      }
      guard let part = named ?? json else { return [] }
      if !parts.contains(part) { parts.append(part) }
    }
    guard 1...4 ~= parts.count else { return [] }
    let what = parts.count == 1 ? "\(mismatches[0].part) differs" : "these \(parts.count) parts differ"
    return [
      "If \(what) in each run, ignore \(parts.count == 1 ? "it" : "them"):",
      "    \(call)(…, ignoring: \((arguments + parts).listed))",
    ]
  }
}

extension String {
  fileprivate func after(_ start: String) -> String? { hasPrefix(start) ? String(dropFirst(start.count)) : nil }

  /// The name in a report as a literal. A name that reads unclearly is one already.
  fileprivate var asLiteral: String { hasPrefix("\"") ? self : debugDescription }

  /// The JSON path with `[*]` in place of each index.
  fileprivate var withAnyIndex: String { contains("\"") ? self : replacing(#/\[[0-9]+\]/#, with: "[*]") }
}
