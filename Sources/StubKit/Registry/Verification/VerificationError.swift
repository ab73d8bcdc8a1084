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
    let ownMistake = if let stub { stub.isMistaken ? stub.mistake : nil } else { condition.mistakeInJournal }
    if let mistake = count.mistake ?? ownMistake {
      self.init("\(verification): \(mistake)", at: location, details: [])
      return
    }
    if stub == nil { journal?.note(condition) }
    let history = journal?.settledHistory(for: stub == nil ? .ofRequests : .ofStubs)
    if let stub, journal?.inFlight.isDecided != false, count.contains(stub.useCount) { return nil }
    let (entries, droppedCount) = history ?? ([], 0)
    // No server would have received the others.
    let requests = entries.filter(\.isSent).map { ObservedRequest($0, of: condition, isVerified: stub == nil) }
    let calls = stub?.useCount ?? requests.count(where: \.isMet)
    let (isTooFew, isRight) = (calls < count.least, count.contains(calls))
    // What isn't known could only increase the number. A stub counts its calls itself.
    let doubts = stub == nil ? requests.filter { $0.verdict == nil } : requests.filter(\.canBecomeCall)
    let strays = stub == nil ? journal?.strays(meeting: condition) ?? [] : []
    var unknown = doubts.count + strays.count
    if stub == nil { unknown += droppedCount }
    let isCertain =
      if isRight {
        count.contains(calls + unknown) && registry?.isBlind != true
      } else {
        !isTooFew || calls + unknown < count.least
      }
    guard !isCertain || !isRight else { return nil }
    var details = Self.outside(registry)
    if !isCertain || stub != nil { details += Self.dropped(droppedCount, limit: isCertain ? nil : journal?.limit) }
    if !isCertain { details += Self.unknown(doubts) + Self.strays(strays) }
    if !isRight { details += Self.arrivals(requests, wantsMore: isTooFew, answeredBy: stub?.id, in: journal) }
    if isTooFew { details += Self.laterOnes(requests, count, of: stub) }
    details += journal?.inferredHits ?? []
    let got = isCertain ? "got \(calls)" : "got \(calls) for certain"
    self.init("\(verification): expected \(count), \(got)", at: location, details: details)
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
    guard !requests.isEmpty else { return [] }
    let lines = requests.flatMap { ["  \($0.entry.line)", "     ? \($0.doubt)"] }
    return ["It is unknown whether \(requests.count.requests) met the condition:"]
      + lines.cut(to: 9) { "  and \($0 / 2) more" }
  }

  /// Returns the requests that can belong to any of several scopes, and what to do about them.
  private static func strays(_ requests: [URLRequest]) -> [String] {
    guard !requests.isEmpty else { return [] }
    let lines = requests.map { "  \($0.summary)" }
    return [
      "It is unknown whose \(requests.count == 1 ? "request this is" : "requests these are"), made on a plain queue or in a "
        + "detached task beside several open scopes:"
    ] + lines.cut(to: 5) { "  and \($0) more" } + [
      "Create the session of the client in the test, with StubRegistry.current.makeSession() for example."
    ]
  }

  /// Returns a line about a verification that asked a registry that may not receive the requests in question.
  static func outside(_ registry: StubRegistry?) -> [String] {
    guard let registry, registry.isBlind else { return [] }
    guard registry === StubRegistry.global else {
      return ["The registry isn't enabled, so it receives no requests. Set isEnabled = true, or pass in: registry."]
    }
    let scopes = OpenScopes.shared.registries.map(\.registry).filter(\.isEnabled)
    let open = scopes.map { "\($0.test ?? "withStubs") has \($0.journal.history.entries.count.requests)" }
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
      guard request.isMet else { return request.distance <= Points.otherBody }
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
  ///   - journal: The journal, which knows what its limit has dropped.
  static func arrivals(
    _ requests: [ObservedRequest], wantsMore: Bool, answeredBy stub: UInt64? = nil, place: String = "", most: Int = 10,
    in journal: RequestJournal? = nil
  ) -> [String] {
    // Nothing arrived, unless the journal has dropped it.
    guard !requests.isEmpty else {
      guard (journal?.history.droppedCount ?? 0) == 0 || !place.isEmpty else { return [] }
      return ["No \(place.isEmpty ? "" : "more ")requests arrived\(place)."]
    }
    if !wantsMore {
      let counted = requests.filter { stub == nil ? $0.isMet : $0.entry.stub?.id == stub }
      return ["These requests were counted:"]
        + counted.indices.map { "  \($0 + 1). \(counted[$0].entry.line)" }.cut(to: 16) { "  and \($0) more" }
    }
    var lines = ["\(requests.count.requests) arrived\(place), closest first:"]
    let nearest = requests.nearest(most, \.distance)
    var count = 0
    for request in nearest where lines.count < 16 {
      count += 1
      lines.append("  \(count). \(request.entry.line)")
      if !request.isMet, !request.entry.isUndecided {
        let mismatches = request.explainMismatch(isDetailed: true).mismatches.prefix(3)
        lines += mismatches.map { "     \($0.unknown == nil ? "✗" : "?") \(StubRegistry.current.shown($0))" }
      } else if let stub, !request.entry.isUndecided, request.entry.stub?.id != stub {
        lines.append("     answered by \(request.entry.stub.map { "another stub, \($0)" } ?? "no stub")")
      }
    }
    return lines + (requests.count > count ? ["  and \(requests.count - count) more"] : [])
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
    verdict =
      switch entry.stage {
      // Its client has left before it arrived, so its head is all there is. Or the closures of conditions are being
      // asked, or will be.
      case .made where !entry.isUndecided, .arrived where entry.isUndecided: condition.verdictWithoutClosures(&facts)
      // Not even its headers are known.
      case .made: nil
      case .withdrawn: false
      case .arrived, .decided: condition.verdict(&facts)
      }
  }

  /// A Boolean value that indicates whether the stub with the condition can still be chosen for the request.
  var canBecomeCall: Bool { entry.isUndecided && verdict != false }

  /// How far the request is from meeting the condition.
  var distance: Int { isMet || entry.isUndecided ? 0 : explainMismatch(isDetailed: false).distance }

  /// Why the verdict isn't known, and what to do about it.
  var doubt: String {
    if entry.isUndecided { return "its stub isn't known yet. Wait for the request before you look back at it." }
    if let missing = entry.missingBody { return "body: \(missing.sentence)" }
    return condition.unknownFacts(&facts).first?.sentence ?? "That hangs on something that isn't known."
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
