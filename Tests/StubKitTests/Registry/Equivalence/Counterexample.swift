import Foundation

@testable import StubKit

/// A fault, and the fewest steps found that still show one.
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

  /// Greedily: leaves out steps as long as there is a fault.
  private mutating func shrink() {
    for position in steps.indices.reversed() {
      var fewer = steps
      fewer.remove(at: position)
      guard let fault = replay(fewer) else { continue }
      (self.fault, steps) = (fault, fewer)
    }
  }

  private func replay(_ steps: [Step]) -> String? {
    EquivalenceCheck(
      request: request, number: 0, specification: Specification(requests: [request]), closures: closures
    ).fault(StubHistory(replaying: steps, limits), thoroughly: true)
  }
}
