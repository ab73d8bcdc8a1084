import Foundation

/// A value that a request must have for a condition to match.
///
/// A registry lists each stub under one of these, so that a request finds it without asking the others.
package enum RequiredValue: Sendable {
  case method(String)
  case host(String)
  /// The whole URL, as Foundation prints it.
  case url(String)
  case path(String)
  /// A segment of the path, at its position from 1 on.
  case segment(String, at: Int)
  /// The beginning of a segment.
  case segmentStart(String, at: Int)
  case queryItem(NamedValue)
  case queryName(String)
  /// A header field with one of the members of its list.
  case header(name: String, member: String)
  /// A value at a place in JSON. Of arrays and objects, only the kind counts.
  case json(StubJSON, at: JSONPath)
  case formItem(NamedValue)
  case graphQLOperation(String)
  /// All bytes of the body.
  case body(Data)
}

extension RequiredValue {
  /// Calls `body` with the values that a path must have to begin with a text: whole segments, and the beginning of the
  /// next one.
  ///
  /// - Parameter isWhole: Whether the text ends where a segment ends.
  static func forEachSegment(ofPrefix text: String, isWhole: Bool, _ body: (RequiredValue) -> Void) {
    let segments = text.pieces(at: "/")
    for (position, segment) in segments.enumerated() where position > 0 {
      if isWhole || position < segments.count - 1 {
        body(.segment(String(segment), at: position))
      } else if !segment.isEmpty {
        body(.segmentStart(String(segment), at: position))
      }
    }
  }
}

extension StubJSON {
  /// Calls `body` with a required value for each leaf of this one, up to a few. A body that equals or contains this
  /// value has each of them.
  ///
  /// - Parameters:
  ///   - path: The place of the value in the body. Defaults to the whole body.
  ///   - counts: A closure that returns whether a leaf is included. By default, each leaf is.
  package func forEachRequiredLeaf(
    at path: JSONPath? = nil, where counts: (StubJSON) -> Bool = { _ in true }, _ body: (RequiredValue) -> Void
  ) {
    var left = 8
    func visit(_ value: StubJSON, _ steps: [JSONPath.Step]) {
      if left == 0 { return }
      switch value {
      case .array(let elements) where !elements.isEmpty:
        for (index, element) in elements.enumerated() { visit(element, steps + [.index(index)]) }
      case .object(let members) where !members.isEmpty:
        // Swift may find other keys equal that differ.
        for (key, member) in members where key.isASCII { visit(member, steps + [.key(key)]) }
      default:
        guard counts(value) else { return }
        left -= 1
        body(.json(value, at: JSONPath(steps)))
      }
    }
    let steps = path?.steps ?? []
    if steps.allSatisfy({ if case .key(let key) = $0 { key.isASCII } else { true } }) { visit(self, steps) }
  }
}

extension RequestMatcher {
  /// Returns the values that each alternative of the condition requires, or `nil` if some alternative requires none, so
  /// that every request must be checked. A condition that nothing meets has no alternatives.
  ///
  /// The verification of the candidate covers everything else, and more alternatives than `limit`.
  func requiredValues(limit: Int = 8) -> [[RequiredValue]]? {
    let alternatives = node.alternatives(limit: limit)
    return alternatives.contains { $0.isEmpty } ? nil : alternatives
  }
}

extension RequestMatcher.Node {
  /// Returns necessary conditions in disjunctive form. No values stand for "anything".
  fileprivate func alternatives(limit: Int) -> [[RequiredValue]] {
    switch self {
    case .criterion(let criterion):
      var values: [RequiredValue] = []
      criterion.forEachRequiredValue { values.append($0) }
      return [values]
    case .closure, .not: return [[]]
    case .group(isEither: true, let children, _):
      var alternatives: [[RequiredValue]] = []
      for child in children {
        alternatives += child.alternatives(limit: limit)
        if alternatives.count > limit { return [[]] }
      }
      return alternatives
    case .group(_, let children, _):
      var common: [RequiredValue] = []
      common.reserveCapacity(children.count)
      var alternatives: [[RequiredValue]]?
      for child in children {
        if case .criterion(let criterion) = child {
          criterion.forEachRequiredValue { common.append($0) }
          continue
        }
        let more = child.alternatives(limit: limit)
        guard let known = alternatives else {
          alternatives = more
          continue
        }
        guard known.count * more.count <= limit else { continue }
        alternatives = known.flatMap { left in more.map { left + $0 } }
      }
      return alternatives.map { $0.map { common + $0 } } ?? [common]
    }
  }
}
