import Foundation

/// An error that says that a verification failed.
///
/// ```text
/// verify(isPath("/users/42")): expected exactly 1 call, got 0
///   at AppTests/UserTests.swift:31
/// 2 requests arrived, closest first:
///   1. GET https://api.example.com/users/43: answered with 200
///      ✗ path: expected /users/42, got /users/43
///   2. POST https://api.example.com/login: answered with 200
///      ✗ path: expected /users/42, got /login
/// ```
public struct VerificationError: StubKitError {
  /// The location of the verification in the source code.
  public let location: StubLocation
  /// What was expected, what arrived, and where, in at most about 25 lines.
  public let description: String

  init(_ headline: String, at location: StubLocation, details: [String]) {
    self.location = location
    description = (["\(headline)", "  at \(location)"] + details).joined(separator: "\n")
  }

  /// Returns `nil` if the expected number of requests met the condition, or if the stub was chosen for it.
  ///
  /// - Parameters:
  ///   - stub: The stub with the condition, which counts its calls itself, or `nil` to count the requests in the
  ///     journal.
  ///   - registry: The registry that received the requests, unless it is that of the stub.
  ///   - verification: The verification, as the description begins with it.
  ///   - location: The location of the verification.
  package init?(
    ofCallsTo condition: RequestMatcher, _ count: CallCount, of stub: Stub? = nil, in registry: StubRegistry? = nil,
    by verification: String, at location: StubLocation
  ) {
    let journal = registry?.journal ?? stub?.journal
    let mistakeOfCondition = stub == nil ? condition.mistakeInJournal : condition.mistake
    if let mistake = count.mistake ?? mistakeOfCondition ?? (stub?.isMistaken == true ? stub?.mistake : nil) {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    if stub == nil { journal?.note(condition) }
    if let stub, count.contains(stub.callCount) { return nil }
    // This comes first, because a request has its entry before it is no longer under way.
    let underWay = stub == nil ? journal?.underWay(for: condition) ?? 0 : 0
    let (entries, droppedCount) = journal?.history ?? ([], 0)
    let requests = entries.map { ObservedRequest($0, of: condition, isVerified: stub == nil) }
    let calls = stub?.callCount ?? requests.filter(\.isMet).count
    let (isTooFew, isRight) = (calls < count.least, count.contains(calls))
    // What isn't known could only increase the number.
    let unknown = stub == nil ? requests.count { $0.verdict == nil } + droppedCount + underWay : 0
    // A registry that isn't enabled receives nothing.
    let isBlind = registry === StubRegistry.global && registry?.isEnabled == false
    let isCertain = isRight ? count.contains(calls + unknown) && !isBlind : !isTooFew || calls + unknown < count.least
    guard !isCertain || !isRight else { return nil }
    let dropped = isCertain && stub == nil ? [] : Self.dropped(droppedCount, limit: isCertain ? nil : journal?.limit)
    self.init(
      "\(verification): expected \(count), got \(calls)\(isCertain ? "" : " for certain")", at: location,
      details: Self.outside(registry) + dropped + (isCertain ? [] : Self.unknown(requests))
        + (isRight
          ? underWay > 0 ? journal?.arrivingLines ?? [] : []
          : Self.arrivals(requests, wantsMore: isTooFew, answeredBy: stub?.id, in: journal))
        + (isTooFew ? Self.laterOnes(requests, count, of: stub) : []) + (journal?.inferredHits ?? []))
  }

  /// Returns a note about requests that are no longer in the journal.
  ///
  /// - Parameter limit: The limit of the journal, if they put the result in doubt.
  static func dropped(_ count: Int, limit: Int? = nil) -> [String] {
    guard count > 0 else { return [] }
    let note = "\(count) earlier \(count == 1 ? "request is" : "requests are") no longer in the journal"
    guard let limit else { return ["\(note)."] }
    return [
      "\(note), which keeps \(limit), so the result is uncertain. Raise its limit, or verify the stub, which counts its calls "
        + "itself."
    ]
  }

  /// Returns why it is unknown whether some requests met a condition, and what to do about it.
  static func unknown(_ requests: [ObservedRequest]) -> [String] {
    let missing = requests.filter { $0.verdict == nil }.map { ($0.entry.line, $0.reasonUnknown) }
    guard !missing.isEmpty else { return [] }
    return ["It is unknown whether \(missing.count.requests) met the condition:"]
      + missing.flatMap { ["  \($0)", "     ? \($1)"] }.cut(to: 9) { "  and \($0 / 2) more" }
  }

  /// Returns a line about a verification that asked the global registry, which has received nothing.
  static func outside(_ registry: StubRegistry?) -> [String] {
    guard let registry, registry === StubRegistry.global, registry.journal.entries.isEmpty else { return [] }
    let scopes = OpenScopes.shared.registries.map(\.registry).filter(\.isEnabled)
    if registry.isEnabled, scopes.isEmpty { return [] }
    let open = scopes.map { "\($0.test ?? "withStubs") has \($0.journal.entries.count.requests)" }
    let list = open.isEmpty ? "" : " Of the open ones, \(open.cut(to: 6) { "\($0) more" }.joined(separator: ", "))."
    return [
      "The verification asks the global registry, because it runs outside of every scope.\(list) Pass in: registry."
    ]
  }

  /// Returns the requests that were in order so far.
  static func order(_ taken: [RecordedRequest], _ conditions: [RequestMatcher]) -> [String] {
    let lines = taken.indices.map { "  ✓ \($0 + 1). \(conditions[$0]): \(taken[$0].request.summary)" }
    return lines.count > 6 ? ["  … \(lines.count - 5) earlier ones"] + lines.suffix(5) : lines
  }

  /// Returns a note about a request that met a condition too early for the order.
  ///
  /// - Parameter taken: The positions of the requests that were in order so far.
  static func earlier(_ entries: ArraySlice<RecordedRequest>, _ taken: [Int], _ condition: RequestMatcher) -> [String] {
    let early = entries.indices.first {
      !taken.contains($0) && ObservedRequest(entries[$0], of: condition, isVerified: true).isMet
    }
    guard let early else { return [] }
    return ["It came earlier, as request \(early + 1): \(entries[early].line)"]
  }

  /// Returns how to wait for what a verification misses, unless a request that arrived is nearly right.
  private static func laterOnes(_ requests: [ObservedRequest], _ count: CallCount, of stub: Stub? = nil) -> [String] {
    let isNearlyRight = requests.contains { request in
      guard request.isMet else { return request.explainMismatch(isDetailed: false).distance <= Points.otherBody }
      return stub != nil && request.entry.stub?.id != stub?.id
    }
    guard !isNearlyRight, stub?.isActive ?? true else { return [] }
    return [
      "If it is still on its way, wait for its stub first: try await stub.waitForCalls(\(count.least > 1 ? "\(count.least)" : "")). "
        + "If the code below makes it, verify after that."
    ]
  }

  /// Returns the requests that arrived.
  ///
  /// - Parameters:
  ///   - wantsMore: Whether there were too few requests, so that those that did not meet the condition matter.
  ///     Otherwise those that met it matter.
  ///   - stub: The stub that should have answered them, if the verification is about one.
  ///   - place: When they arrived, in words.
  ///   - most: The largest number of requests that did not meet the condition.
  ///   - journal: The journal, which knows what else is under way.
  static func arrivals(
    _ requests: [ObservedRequest], wantsMore: Bool, answeredBy stub: UInt64? = nil, place: String = "", most: Int = 10,
    in journal: RequestJournal? = nil
  ) -> [String] {
    let arriving = journal?.arrivingLines ?? []
    // Nothing arrived, unless the journal has dropped it.
    guard !requests.isEmpty else {
      return arriving.isEmpty && ((journal?.history.droppedCount ?? 0) == 0 || !place.isEmpty)
        ? ["No \(place.isEmpty ? "" : "more ")requests arrived\(place)."] : arriving
    }
    if !wantsMore {
      let counted = requests.filter { stub == nil ? $0.isMet : $0.entry.stub?.id == stub }
      return ["These requests were counted:"]
        + counted.indices.map { "  \($0 + 1). \(counted[$0].entry.line)" }.cut(to: 16) { "  and \($0) more" }
    }
    var lines = ["\(requests.count.requests) arrived\(place), closest first:"]
    let nearest = requests.nearest(most) { $0.isMet ? 0 : $0.explainMismatch(isDetailed: false).distance }
    var count = 0
    for request in nearest where lines.count < 16 {
      count += 1
      lines.append("  \(count). \(request.entry.line)")
      if !request.isMet {
        let mismatches = request.explainMismatch(isDetailed: true).mismatches.prefix(3)
        lines += mismatches.map { "     \($0.unknown == nil ? "✗" : "?") \(StubRegistry.current.shown($0))" }
      } else if let stub, request.entry.stub?.id != stub {
        lines.append("     answered by \(request.entry.stub.map { "another stub, \($0)" } ?? "no stub")")
      }
    }
    return lines + (requests.count > count ? ["  and \(requests.count - count) more"] : []) + arriving
  }
}

/// A request that was made, compared with the condition of a verification. A class, because the facts are large.
final class ObservedRequest {
  let entry: RecordedRequest
  /// Whether the request met the condition, or `nil` if that hangs on something that the journal doesn't have.
  let verdict: Bool?
  var isMet: Bool { verdict == true }
  private let condition: RequestMatcher
  /// The facts, with the results of the user's closures, which run only once.
  private var facts: RequestFacts

  /// - Parameter isVerified: Whether a verification asks what was sent. Defaults to `false`: a stub is asked.
  init(_ entry: RecordedRequest, of condition: RequestMatcher, isVerified: Bool = false) {
    self.entry = entry
    self.condition = condition
    facts = RequestFacts(entry, isVerified: isVerified)
    verdict = condition.verdict(&facts)
  }

  /// Why the verdict is `nil`, and what to do about it. A closure isn't asked without the body.
  var reasonUnknown: String {
    entry.missingBody.map { "body: \($0.sentence)" } ?? condition.unknownFacts(&facts).first?.sentence ?? ""
  }

  func explainMismatch(isDetailed: Bool) -> ScoredMismatches {
    condition.node.explainMismatch(&facts, isDetailed: isDetailed)
  }
}

extension [String] {
  /// Returns the first lines, and one that counts the omitted ones.
  func cut(to count: Int, _ rest: (Int) -> String) -> [String] {
    self.count > count ? Array(prefix(count - 1)) + [rest(self.count - count + 1)] : self
  }
}
