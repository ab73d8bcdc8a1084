import Foundation

/// Verifies that requests met the conditions in this order. Other requests can come before, between and after them.
///
/// ```swift
/// try verifyInOrder(isPath("/login"), isPath("/items"), isPath("/logout"))
/// ```
///
/// Each condition takes the first request that certainly meets it after the request that the previous condition took. A
/// request counts for only one condition. The order is that in which the requests were made.
///
/// - Parameters:
///   - conditions: The conditions that the requests must meet, one after another.
///   - registry: The registry that received them. Defaults to ``StubRegistry/current``.
///   - location: The location of the verification, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which says how far the order was met, and lists the requests after that, nearest
///   first.
public func verifyInOrder(
  _ conditions: RequestMatcher..., in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    order: conditions, in: registry, by: "verifyInOrder", at: location ?? StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

extension RequestStep {
  private var stub: Stub? { self as? Stub }
  /// What a request must meet.
  fileprivate var condition: RequestMatcher { stub?.condition ?? self as? RequestMatcher ?? .nothing }

  fileprivate var mistake: String? {
    stub.map { $0.isMistaken ? $0.mistake : nil } ?? condition.mistakeInJournal
  }

  /// Returns the request, compared with the condition, and whether it is the one of the step, or `nil` if that isn't
  /// known.
  fileprivate func observe(_ request: RecordedRequest) -> (request: ObservedRequest, verdict: Bool?) {
    guard let stub else {
      let observed = ObservedRequest(request, of: condition, isVerified: true)
      return (observed, observed.verdict)
    }
    let observed = ObservedRequest(request, of: condition, asksClosures: false)
    return (observed, observed.canBecomeCall ? nil : request.stub?.id == stub.id)
  }
}

extension VerificationError {
  /// Returns `nil` if requests certainly were made in an order.
  ///
  /// - Parameters:
  ///   - verification: The verification, as the description begins with it.
  ///   - location: The location of the verification.
  package init?(
    order steps: [any RequestStep], in registry: StubRegistry, by verification: String, at location: StubLocation
  ) {
    let isEmpty = steps.isEmpty ? "No condition is given, so nothing is checked. Pass one for each request." : nil
    if let mistake = isEmpty ?? steps.lazy.compactMap(\.mistake).first {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    let look = LookBack(at: registry)
    var rest = look.entries
    // The requests up to the last one that is in order.
    var seen: [(request: RecordedRequest, isInOrder: Bool)] = []
    // Requests that an earlier step has passed over.
    var unknown: [ObservedRequest] = []
    for (position, step) in steps.enumerated() {
      var passed: [ObservedRequest] = []
      var met: RecordedRequest?
      while met == nil, let request = rest.popFirst()?.request {
        // No server would have received it.
        guard request.isSent else { continue }
        let (observed, verdict) = step.observe(request)
        if verdict == true { met = request } else { passed.append(observed) }
        if verdict == nil { unknown.append(observed) }
      }
      if let met {
        seen += passed.map { ($0.entry, false) } + [(met, true)]
        continue
      }
      let inOrder = seen.filter(\.isInOrder).map(\.request)
      let early = seen.firstIndex { !$0.isInOrder && step.observe($0.request).verdict == true }
      var details = look.reasons(unknown, look.strays(meeting: step.condition), droppedCount: look.droppedCount)
      let lines = inOrder.indices.map { "  ✓ \($0 + 1). \(steps[$0]): \(inOrder[$0].request.shortSummary)" }
      details += lines.count > 6 ? ["  … \(lines.count - 5) earlier ones"] + lines.suffix(5) : lines
      if let early { details.append("It came earlier, as request \(early + 1): \(seen[early].request.line)") }
      details += look.closest(passed, place: inOrder.isEmpty ? "" : " after that") + registry.journal.inferredHits
      let after = inOrder.last.map { " after \($0.request.shortSummary)" } ?? ""
      self.init(
        "\(verification): no request\(after) meets condition \(position + 1) of \(steps.count), \(step)",
        at: location, details: details)
      return
    }
    return nil
  }
}

/// A step of an order of requests: a stub, or a condition.
///
/// ```swift
/// let steps: [any RequestStep] = [login, isPath("/items")]
/// ```
public protocol RequestStep: Sendable {}

extension Stub: RequestStep {}
extension RequestMatcher: RequestStep {}
