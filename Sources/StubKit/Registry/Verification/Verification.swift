import Foundation

/// Verifies how many requests met a condition, whichever stub answered them, if any.
///
/// ```swift
/// try await client.signIn()
/// try verify(
///   isMethod(.post) && isPath("/login") && hasJSON(at: "user", equals: "ann"))
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Each request of a chain of redirects counts by itself. The requests are those of the journal, so requests from
/// before it was cleared don't count. A closure in the condition runs for each request, as often as the condition has
/// it.
///
/// A request counts as soon as its task was resumed. The verification waits until the stub and the body of each such
/// request are known, for a second at most. It costs nothing if all are known. A request that URLSession refuses to
/// send, such as a GET with a body, doesn't count.
///
/// The verification fails and says so, whatever it expects, if it depends on something unknown: on requests that
/// the journal's limit has dropped or that can belong to any of several scopes, on a registry that isn't asked where
/// the code runs, on a body that the journal doesn't have, on the content of a compressed body, or on a header that
/// URLSession adds later. The journal doesn't have a body of more than a megabyte, unless
/// ``RequestJournal/keepsLargeBodies`` is set, and a stream that no stub needed. A closure may read the body, so
/// StubKit doesn't ask it without one. Combine it with matchers for the URL. A condition on a ``StubScenario`` is a
/// mistake here: verify the stub, whose condition asks it when the request arrives.
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to ``StubRegistry/current``.
///   - location: The location of the verification, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that were made, closest first.
public func verify(
  _ condition: RequestMatcher, called count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    .condition(condition, in: registry), count, by: "verify(\(condition))",
    at: location ?? StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

/// Verifies how many requests a stub was chosen for.
///
/// ```swift
/// let login = stub(
///   .post, "https://api.example.com/login",
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// try verify(login, called: .once)
/// ```
///
/// The stub counts its calls itself, so clearing or limiting the journal doesn't change the result. The verification
/// waits until the stub of each request that was resumed is known, for a second at most. If one takes longer and the
/// stub could still be chosen for it, the result is uncertain, and the verification fails.
///
/// - Parameters:
///   - stub: The stub.
///   - count: The expected number of calls. Defaults to at least one.
///   - location: The location of the verification, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that were made, closest first.
public func verify(
  _ stub: Stub, called count: CallCount = .atLeast(1), at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    .stub(stub), count, by: "verify(\(stub))", at: location ?? StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

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

  /// Notes that a verification asks about requests. One about a stub asks nothing of a request.
  fileprivate func note(in registry: StubRegistry) { if stub == nil { registry.note(condition) } }

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
    for step in steps { step.note(in: registry) }
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

extension HTTPStubs {
  /// Verifies that each stub of the current registry has been chosen for a request. A stub that never was is
  /// superfluous, or its request was not made.
  ///
  /// ```swift
  /// try HTTPStubs.verifyAllStubsUsed()
  /// ```
  ///
  /// Removed stubs don't count, and neither do those that say with `calls:` how often they are called.
  ///
  /// - Parameters:
  ///   - location: The location for the error, for a function of your own. Defaults to that of the call.
  ///   - fileID: The source file of the call. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: ``VerificationError``, which names the unused stubs.
  public static func verifyAllStubsUsed(
    at location: StubLocation? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    try StubRegistry.current.verifyAllStubsUsed(
      at: location ?? StubLocation(fileID, filePath, line, column))
  }
}

extension StubRegistry {
  /// Notes that a verification asks about requests, for the end of the test. One that is asked again and again, until
  /// it passes, is one.
  package func note(_ condition: RequestMatcher) {
    if testReport != nil { journal.verified.withLock { $0[condition.description] = condition } }
  }

  /// Verifies that each stub has been chosen for a request. See
  /// ``HTTPStubs/verifyAllStubsUsed(at:fileID:filePath:line:column:)``.
  ///
  /// The parameters are the same.
  ///
  /// - Throws: ``VerificationError``, which names the unused stubs.
  public func verifyAllStubsUsed(
    at location: StubLocation? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let look = LookBack(at: self, for: .ofStubs)
    let judged = stubsWithExpectedCalls
    let uncalled = allStubs.filter { $0.useCount == 0 && !$0.isMistaken && !judged.contains($0.id) }
    guard isBlind || !uncalled.isEmpty else { return }
    let unused = uncalled.filter { FoundCalls(.stub($0), in: look).mostCount == 0 }
    var details = look.reasons(
      [], look.strays(meeting: .anything), elsewhere: "Write registry.verifyAllStubsUsed()")
    details += unused.map { "  \($0.descriptionWithEntry)" }.cut(to: 16) { "  and \($0) more" }
    details.append("\(look.entries.count.requestsMade).")
    details += look.undecidedRequests.map { "  \($0.line)" }.cut(to: 4) { "  and \($0) more" }
    details += journal.inferredHits
    let headline =
      unused.isEmpty
      ? "it isn't certain whether all stubs were used"
      : "\(unused.count) of \(allStubs.count) stubs \(unused.count == 1 ? "was" : "were") never used"
    throw VerificationError(
      "verifyAllStubsUsed: \(headline)", at: location ?? StubLocation(fileID, filePath, line, column),
      details: details)
  }
}

extension Int {
  /// A number of calls in words.
  var calls: String { self == 1 ? "1 call" : "\(self) calls" }
  /// A number of requests in words.
  package var requests: String { self == 1 ? "1 request" : "\(self) requests" }
  /// How many requests were made, in words.
  var requestsMade: String { "\(requests) \(self == 1 ? "was" : "were") made" }
}
