import Foundation

@testable import StubKit

/// A fault, and the fewest steps and smallest conditions found that still show one.
struct Counterexample: CustomStringConvertible {
  private(set) var fault: String
  private(set) var steps: [Step]
  private let request: URLRequest
  private let closures: ClosureLog
  private let limits: StubIndex.Limits

  init(fault: String, history: StubHistory, request: URLRequest, closures: ClosureLog) {
    self.fault = fault
    steps = history.steps
    limits = history.limits
    self.request = request
    self.closures = closures
    shrink()
  }

  var description: String {
    let body =
      request.httpBody.map { ", body \($0.swiftSource)" } ?? (request.httpBodyStream == nil ? "" : ", a stream")
    let lines = [
      fault,
      "request: \(request.httpMethod ?? "no method") \(request.url?.absoluteString.debugDescription ?? "no URL")"
        + ", headers \(request.allHTTPHeaderFields ?? [:])" + body,
    ]
    return (lines + steps.map(\.description)).joined(separator: "\n  ")
  }

  /// Greedily: leaves out steps, then parts of conditions, as long as there is a fault.
  private mutating func shrink() {
    guard replay(steps) != nil else { return }
    var position = steps.count
    while position > 0 {
      position -= 1
      var fewer = steps
      fewer.remove(at: position)
      keep(fewer)
    }
    for position in steps.indices {
      while let smaller = steps[position].smaller.first(where: { keep(replacing: position, by: $0) }) { _ = smaller }
    }
  }

  private mutating func keep(replacing position: Int, by step: Step) -> Bool {
    var changed = steps
    changed[position] = step
    return keep(changed)
  }

  @discardableResult
  private mutating func keep(_ steps: [Step]) -> Bool {
    guard let fault = replay(steps) else { return false }
    (self.fault, self.steps) = (fault, steps)
    return true
  }

  private func replay(_ steps: [Step]) -> String? {
    EquivalenceCheck(
      request: request, number: 0, specification: Specification(requests: [request]), closures: closures
    ).fault(StubHistory(replaying: steps, limits), thoroughly: true)
  }
}

extension Step {
  /// The step with a condition that is smaller by one node, or with one stub instead of two.
  fileprivate var smaller: [Step] {
    switch self {
    case .insert(let id, let condition, let times, let priority, let sequence, let closures):
      condition.node.smaller.map {
        .insert(
          id: id, condition: RequestMatcher($0), times: times, priority: priority, sequence: sequence,
          closures: closures)
      }
    case .insertCrossed(let id, let first, let second):
      [
        .insert(id: id + 1, condition: second, times: nil, priority: 0, sequence: nil, closures: 0..<0),
        .insert(id: id, condition: first, times: nil, priority: 0, sequence: nil, closures: 0..<0),
      ]
        + first.node.smaller.map { .insertCrossed(id: id, first: RequestMatcher($0), second: second) }
        + second.node.smaller.map { .insertCrossed(id: id, first: first, second: RequestMatcher($0)) }
    case .remove, .claim, .removeAll: []
    }
  }
}

extension RequestMatcher.Node {
  /// The tree with one node replaced by one of its children, or without one child.
  fileprivate var smaller: [Self] {
    switch self {
    case .criterion, .closure: []
    case .not(let child): [child] + child.smaller.map { .not($0) }
    case .all(let children, _): children + Self.smaller(children).map { .all($0) }
    case .either(let children, _): children + Self.smaller(children).map { .either($0) }
    }
  }

  private static func smaller(_ children: [Self]) -> [[Self]] {
    children.indices.flatMap { position in
      var without = children
      let child = without.remove(at: position)
      return (without.count > 1 ? [without] : [])
        + child.smaller.map { smaller in
          var changed = children
          changed[position] = smaller
          return changed
        }
    }
  }
}
