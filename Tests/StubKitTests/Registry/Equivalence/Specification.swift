import Foundation

@testable import StubKit

/// What the index is held to: a plain scan, highest priority first, newest stub first, of those that match and have uses left.
///
/// Whether a condition matches a request does not depend on what else is registered, so it is asked once and kept.
final class Specification {
  struct Match {
    let stub: Stub
    let captures: [String: String]
  }

  private let requests: [URLRequest]
  private var verdicts: [UInt64: [Bool?]] = [:]

  init(requests: [URLRequest]) { self.requests = requests }

  /// The stub that answers, of those in the registry.
  func answering(_ stubs: [Stub], request: Int) -> Stub? {
    for stub in stubs.inAnsweringOrder where !stub.isUsedUp && matches(stub, request) { return stub }
    return nil
  }

  /// Every stub that could, in the order in which they would.
  func all(_ stubs: [Stub], request: Int) -> [Match] {
    stubs.inAnsweringOrder.filter { !$0.isUsedUp && matches($0, request) }
      .map { Match(stub: $0, captures: $0.condition.captures(requests[request]) ?? [:]) }
  }

  /// How many stubs answer before one is met that can hang on a closure or on an unread body; nil if none is met.
  func taskNeededAfter(_ stubs: [Stub], request: Int) -> Int? {
    var found = 0
    var facts = RequestFacts(requests[request])
    for stub in stubs.inAnsweringOrder where !stub.isUsedUp {
      if stub.condition.needsTask(&facts) { return found }
      if matches(stub, request) { found += 1 }
    }
    return nil
  }

  private func matches(_ stub: Stub, _ request: Int) -> Bool {
    if let known = verdicts[stub.id]?[request] { return known }
    let verdict = stub.condition.node.verdict(on: requests[request])
    verdicts[stub.id, default: Array(repeating: nil, count: requests.count)][request] = verdict
    return verdict
  }
}

extension RequestMatcher.Node {
  /// What two-valued logic makes of what each criterion says alone.
  fileprivate func verdict(on request: URLRequest) -> Bool {
    switch self {
    case .all(let children, _): children.allSatisfy { $0.verdict(on: request) }
    case .either(let children, _): children.contains { $0.verdict(on: request) }
    case .not(let child): !child.verdict(on: request)
    case .criterion, .closure: RequestMatcher(self).matches(request)
    }
  }
}
