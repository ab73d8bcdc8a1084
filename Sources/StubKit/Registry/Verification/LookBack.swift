import Foundation

/// What a look back at a registry finds: the requests that were made, how many of them count, and what isn't known.
///
/// Some of it is certain. The rest can only add to that:
///
/// - A request whose body or stub isn't known. See ``ObservedRequest/doubt``.
/// - A *stray*, which can belong to any of several scopes.
/// - A request that the limit of the journal has dropped. A stub counts its calls itself.
/// - Any number of requests, if the registry is one that doesn't receive those in question.
struct LookBack {
  /// The registry, or `nil` if it no longer exists.
  let registry: StubRegistry?
  /// The requests that were made before the look back, oldest first.
  let entries: ArraySlice<JournalEntry>
  let droppedCount: Int
  private let isDecided: Bool

  /// Waits until the requests that have been made are known, as far as a reader asks.
  ///
  /// - Parameter reader: Who looks back, or `nil` for one that waits for nothing.
  init(at registry: StubRegistry?, for reader: RequestLife.Readers? = .ofRequests) {
    self.registry = registry
    (entries, droppedCount) = registry?.journal.entries(for: reader) ?? ([], 0)
    isDecided = registry?.journal.inFlight.isDecided ?? true
  }

  /// The requests that could be sent. No server would have received the others.
  var sentRequests: [RecordedRequest] { entries.map(\.request).filter(\.isSent) }

  /// The requests whose stub is still being looked for.
  var undecidedRequests: [RecordedRequest] { isDecided ? [] : sentRequests.filter(\.isUndecided) }

  /// Returns the strays that can be of this registry, and that can meet a condition. One whose host nothing here names
  /// belongs to another test: no stub, no request that was made, and not the condition.
  func strays(meeting condition: RequestMatcher) -> [URLRequest] {
    guard let registry, case let strays = registry.journal.strays(meeting: condition), !strays.isEmpty else {
      return []
    }
    let hosts = Set(entries.compactMap(\.request.url.host))
    let stubs = registry.allStubs
    return strays.filter { request in
      if let host = request.url?.host, hosts.contains(host) { return true }
      var facts = RequestFacts(request)
      return condition.namesHost(of: &facts) || stubs.contains { $0.condition.namesHost(of: &facts) }
    }
  }

  /// Returns why a result isn't certain, and what to do about it.
  ///
  /// - Parameters:
  ///   - droppedCount: The number of dropped requests that put it in doubt.
  ///   - elsewhere: How to ask another registry.
  func reasons(
    _ doubts: [ObservedRequest], _ strays: [URLRequest], droppedCount: Int = 0,
    elsewhere: String = "Pass in: registry"
  ) -> [String] {
    var lines = reasonsElsewhere(elsewhere)
    if droppedCount > 0, let limit = registry?.journal.limit {
      lines.append(
        "\(Self.note(onDropped: droppedCount)), which keeps \(limit), so the result is uncertain. Raise its limit, or verify the "
          + "stub, which counts its calls itself.")
    }
    if !doubts.isEmpty {
      lines.append("It is unknown whether \(doubts.count.requests) met the condition:")
      lines += doubts.flatMap { ["  \($0.entry.line)", "     ? \($0.doubt)"] }.cut(to: 9) { "  and \($0 / 2) more" }
    }
    if !strays.isEmpty {
      lines.append(
        "It is unknown whose \(strays.count == 1 ? "request this is" : "requests these are"), made on a plain queue or in a "
          + "detached task beside several open scopes:")
      lines += strays.map { "  \($0.shortSummary)" }.cut(to: 5) { "  and \($0) more" }
      lines.append(Self.cureOfStrays)
    }
    return lines
  }

  /// What to do about requests that can be those of several tests.
  private static let cureOfStrays =
    "Give the client a session that the test creates, such as HTTPStubs.makeSession(). A client that creates its own "
    + "session outside of the test, as a static singleton does, needs tests that run one at a time: .serialized."

  /// What to do if the registry isn't the one that receives the requests in question, and why. Usually empty.
  ///
  /// - Parameter cure: How to ask another registry.
  private func reasonsElsewhere(_ cure: String) -> [String] {
    guard let registry, registry.isBlind else { return [] }
    guard registry === StubRegistry.global else {
      return ["Set isEnabled = true. The registry isn't enabled, so it receives no requests."]
    }
    let scopes = OpenScopes.shared.enabledScopes.map { " \($0)" } ?? ""
    return [
      "\(cure), or run this in the scope of the test. The global registry is asked, because this code runs outside of "
        + "every scope.\(scopes)"
    ]
  }

  /// A note about the requests that the journal has dropped, or none.
  var dropped: [String] { droppedCount > 0 ? ["\(Self.note(onDropped: droppedCount))."] : [] }

  private static func note(onDropped count: Int) -> String {
    "\(count) earlier \(count == 1 ? "request is" : "requests are") no longer in the journal"
  }

  /// Returns the requests, closest first, with what kept each of them from meeting the condition.
  ///
  /// - Parameters:
  ///   - stub: The stub that should have answered them, if it is about one.
  ///   - place: When they were made, in words.
  ///   - most: The largest number of requests to list.
  func closest(
    _ requests: [ObservedRequest], answeredBy stub: UInt64? = nil, place: String = "", most: Int = 10
  ) -> [String] {
    // Nothing was made, unless the journal has dropped it.
    guard !requests.isEmpty else {
      guard droppedCount == 0 || !place.isEmpty else { return [] }
      if place.isEmpty, let registry { return registry.noRequests }
      return ["No \(place.isEmpty ? "" : "more ")requests were made\(place)."]
    }
    var lines = ["\(requests.count.requestsMade)\(place), closest first:"]
    let nearest = requests.nearest(most, \.distance)
    var count = 0
    for request in nearest where lines.count < 16 {
      count += 1
      lines.append("  \(count). \(request.entry.line)")
      if request.entry.isUndecided { continue }
      if !request.isMet {
        let mismatches = request.explainMismatch(isDetailed: true).mismatches.prefix(3)
        lines += mismatches.map { "     \($0.unknown == nil ? "✗" : "?") \(StubRegistry.current.shown($0))" }
      } else if let stub, request.entry.stub?.id != stub {
        lines.append("     answered by \(request.entry.stub.map { "another stub, \($0)" } ?? "no stub")")
      }
    }
    return lines + (requests.count > count ? ["  and \(requests.count - count) more"] : [])
  }
}

/// What a verification counts.
package enum CountedCalls {
  /// The requests that a stub was chosen for, which it counts itself.
  case stub(Stub)
  /// The requests that met a condition, whichever stub answered them.
  case condition(RequestMatcher, in: StubRegistry)
}

/// The calls that a look back finds.
struct FoundCalls {
  let look: LookBack
  private let calls: CountedCalls
  /// The number of calls that are certain.
  let count: Int
  /// The requests that may be calls.
  let doubts: [ObservedRequest]
  let strays: [URLRequest]
  private let requests: [ObservedRequest]?

  init(_ calls: CountedCalls, in earlierLook: LookBack? = nil) {
    self.calls = calls
    switch calls {
    case .stub(let stub):
      look = earlierLook ?? LookBack(at: stub.home, for: .ofStubs)
      count = stub.count(of: .chosen)
      doubts = look.undecidedRequests.map { ObservedRequest($0, of: stub.condition) }.filter(\.canBecomeCall)
      strays = look.strays(meeting: stub.condition)
      requests = nil
    case .condition(let condition, let registry):
      look = LookBack(at: registry)
      let all = look.sentRequests.map { ObservedRequest($0, of: condition, isVerified: true) }
      count = all.count(where: \.isMet)
      doubts = all.filter { $0.verdict == nil }
      strays = look.strays(meeting: condition)
      requests = all
    }
  }

  private var stub: Stub? { if case .stub(let stub) = calls { stub } else { nil } }

  /// The requests, compared with the condition.
  var observedRequests: [ObservedRequest] {
    requests ?? look.sentRequests.map { ObservedRequest($0, of: stub?.condition ?? .anything, asksClosures: false) }
  }

  /// The number of dropped requests that may be calls.
  private var droppedCount: Int { stub == nil ? look.droppedCount : 0 }

  /// The largest number of calls that there can be.
  var mostCount: Int {
    look.registry?.isBlind == true ? stub?.limit ?? .max : mostHere
  }

  /// The largest number of calls among the requests that the registry has received.
  var mostHere: Int { min(count + doubts.count + strays.count + droppedCount, stub?.limit ?? .max) }

  /// A Boolean value that indicates whether no request can be another call.
  var isWhole: Bool { mostHere == min(count, stub?.limit ?? .max) }

  /// Returns whether it is certain that a number of calls is right, or that it is wrong.
  func isCertain(_ expected: CallCount) -> Bool {
    // What isn't known could only increase the number.
    if expected.contains(count) { return expected.contains(mostCount) }
    return count >= expected.least || mostCount < expected.least
  }

  /// Returns why it isn't certain, if so, and which requests there were.
  func details(_ expected: CallCount) -> [String] {
    let isCertain = isCertain(expected)
    let isTooFew = count < expected.least
    var details =
      isCertain ? look.reasons([], []) : look.reasons(doubts, strays, droppedCount: droppedCount)
    if stub != nil { details += look.dropped }
    if isTooFew {
      let requests = observedRequests
      details += look.closest(requests, answeredBy: stub?.id) + laterOnes(requests, expected)
    } else if !expected.contains(count) {
      let counted = observedRequests.filter { stub == nil ? $0.isMet : $0.entry.stub?.id == stub?.id }
      details.append("These requests were counted:")
      details += counted.indices.map { "  \($0 + 1). \(counted[$0].entry.line)" }.cut(to: 16) { "  and \($0) more" }
    }
    if let stub {
      // Clearing the journal keeps the count of a stub.
      let gone = count - look.entries.count { $0.stub?.id == stub.id }
      let verb = gone == 1 ? "call is" : "calls are"
      if gone > 0 {
        details.append(
          "\(gone) earlier \(verb) no longer in the journal. A stub counts its calls itself, also those from before the journal "
            + "was cleared. To forget both, call HTTPStubs.forgetRequests().")
      }
    }
    return details + (look.registry?.journal.inferredHits ?? [])
  }

  /// Returns how to wait for what a verification misses, unless a request that was made is nearly right.
  private func laterOnes(_ requests: [ObservedRequest], _ expected: CallCount) -> [String] {
    let isNearlyRight = requests.contains { request in
      guard request.isMet else { return request.distance <= Points.otherBody }
      return stub != nil && request.entry.stub?.id != stub?.id
    }
    guard !isNearlyRight, stub?.isActive ?? true else { return [] }
    return [
      "If it is still on its way, wait for its stub first: try await stub.waitForCalls("
        + "\(expected.least > 1 ? "\(expected.least)" : "")). If the code below makes it, verify after that."
    ]
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

  /// - Parameters:
  ///   - isVerified: Whether a verification asks what was sent. Defaults to `false`: a stub is asked.
  ///   - asksClosures: Whether the closures in the condition run, once for each request. A report runs none.
  init(_ entry: RecordedRequest, of condition: RequestMatcher, isVerified: Bool = false, asksClosures: Bool = true) {
    self.entry = entry
    self.condition = condition
    facts = RequestFacts(entry, isVerified: isVerified)
    verdict =
      switch entry.life.search {
      // Not even its headers are known.
      case .made: nil
      // The closures of conditions are being asked, or will be.
      case .running where entry.isUndecided: condition.verdictWithoutClosures(&facts)
      // Its head is all there is.
      case .unasked: condition.verdictWithoutClosures(&facts)
      case .absent: false
      case .running, .reporting, .decided, .dropped:
        asksClosures ? condition.verdict(&facts) : condition.verdictWithoutClosures(&facts)
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
