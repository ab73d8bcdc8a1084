import Foundation
import StubKit
import Testing

/// The scope of one test, from before its first line until after its last one: its registry, what it uses there, such
/// as a recording, and what it finds at its end.
package final class TestScope: Sendable {
  /// What a trait or a test case leaves to the scope inside it, which creates the test's registry.
  @TaskLocal package static var pendingUse: PendingUse?

  /// What compares the requests of a test case, whose scope is inside.
  @TaskLocal package static var pendingCheck: (any RequestCheck)?

  /// Begins something that a test uses in its registry, such as a recording. If it can't, the test doesn't run.
  package typealias PendingUse = @Sendable (_ registry: StubRegistry) throws -> any ScopedUse

  let registry = StubRegistry()
  private let reportUnused: Bool
  private let testReport: TestReport
  private let location: StubLocation?
  private let verdict: TestVerdict
  let attaches: AttachmentPolicy
  private let check: (any RequestCheck)?

  /// How a test ended by itself, before the end of its scope finds anything.
  enum Ending {
    /// It ran to its end.
    case whole
    /// It stopped in the middle, or can't tell where its failures come from. Unused stubs say nothing then.
    case stopped
    /// It was skipped, or cancelled.
    case skipped

    /// Why what it has recorded replaces nothing, although it has not failed.
    var reason: String? { self == .skipped ? "its test was skipped" : nil }
  }

  /// - Parameters:
  ///   - test: The name of the test, for reports.
  ///   - location: Where it is declared, or `nil` if that is unknown.
  ///   - runsAlone: Whether no other test runs meanwhile.
  ///   - timeLimit: After which its framework cancels it, or `nil` for never.
  ///   - check: What its requests are compared with, if there is anything.
  package init(
    _ options: ScopeOptions, of test: String? = nil, at location: StubLocation? = nil, runsAlone: Bool = false,
    timeLimit: Duration? = nil, check: (any RequestCheck)? = nil
  ) {
    RunningTest.prepare()
    reportUnused = options.reportUnused ?? false
    attaches = options.attaches ?? .onFailure
    options.apply(to: registry)
    testReport = TestReport(of: test, runsAlone: runsAlone, everyRequest: options.everyRequest)
    registry.testReport = testReport
    if let everyRequest = options.everyRequest {
      // A transcript leaves out the headers that every request must have.
      registry.journal.untranscribed.withLock { $0 = everyRequest.requiredHeaders }
    }
    (self.location, self.check) = (location, check)
    verdict = TestVerdict(of: test, timeLimit: timeLimit)
  }

  /// Runs a test with the use that is pending, and then records its issues.
  package func run(_ body: @Sendable () async throws -> Void, of test: Test) async throws {
    let (findings, error) = await run(body)
    for finding in findings { finding.record(of: test) }
    let hasFailed = error != nil || verdict.hasFailed || findings.contains { !$0.isNote }
    for file in attaches.files(of: test.plainNames, registry, hasFailed: hasFailed) { file.attach(to: test) }
    if let error { throw error }
  }

  /// Runs a test with the use that is pending.
  ///
  /// - Parameter body: The test.
  /// - Returns: What is wrong with the test besides the error that it throws.
  package func run(_ body: @Sendable () async throws -> Void) async -> (findings: [Finding], error: (any Error)?) {
    var (issues, notes): ([Finding], [Finding]) = ([], [])
    var error: (any Error)?
    let errors = await verdict.run(in: registry) {
      let use: (any ScopedUse)?
      do { use = try Self.pendingUse?(registry) } catch {
        issues.append(Finding("\(error)"))
        return (nil, nil)
      }
      do {
        try await Self.$pendingUse.withValue(nil, operation: body)
      } catch let thrown { error = thrown }
      // What the test has asked for is seen before anything is found.
      let unsettled = await registry.settleRequests()
      let ending = ending(error)
      (issues, notes) = findings(ending, throwing: error, unsettled)
      return (use, ending.reason)
    }
    return (issues + errors.map { Finding("\($0)") } + notes, error)
  }

  /// Runs a test that reports its errors itself, with the use that is pending.
  ///
  /// - Parameters:
  ///   - body: The test.
  ///   - ending: A closure that returns how it ended.
  func run(_ body: () -> Void, ending: () -> Ending) -> [Finding] {
    var (issues, notes): ([Finding], [Finding]) = ([], [])
    let errors = verdict.run(in: registry) {
      let use: (any ScopedUse)?
      do { use = try Self.pendingUse?(registry) } catch {
        issues.append(Finding("\(error)"))
        return (nil, nil)
      }
      Self.$pendingUse.withValue(nil, operation: body)
      let unsettled = registry.settleRequests()
      let ending = ending()
      (issues, notes) = findings(ending, unsettled)
      return (use, ending.reason)
    }
    return issues + errors.map { Finding("\($0)") } + notes
  }

  private func ending(_ error: (any Error)?) -> Ending {
    // A time limit ends a test that has failed, and everything else ends one that isn't wanted any more.
    if verdict.isOverTime { return .stopped }
    if error == nil { return .whole }
    return Task.isCancelled ? .skipped : .stopped
  }

  /// Completes the verdict at the end of the test, with what only the end finds, and so says what a use may keep of it.
  ///
  /// - Parameters:
  ///   - error: What the test throws. The test framework reports it.
  ///   - unsettled: What the end of the test could not wait for.
  /// - Returns: What is wrong with the test besides its failures so far, and what helps to understand them.
  private func findings(
    _ ending: Ending, throwing error: (any Error)? = nil, _ unsettled: [TestReport.Mistake]
  ) -> (issues: [Finding], notes: [Finding]) {
    // A request that comes to wait for the test after this is a warning. So those that wait are counted afterwards.
    let missed = testReport.finish()
    let thrown = error.map { UnmatchedRequestError(from: $0)?.description ?? "\($0)" }
    let said = verdict.said + [thrown, error?.localizedDescription].compactMap { $0 }
    // What is wrong with the test's stubs themselves.
    let calls = ending == .skipped ? [] : registry.judgeCalls(isWhole: ending == .whole)
    let mistakes = (testReport.mistakes + registry.untakenCalls + unsettled).compactMap { Finding($0, besides: said) }
    var issues = mistakes + findings(about: missed, besides: said) + registry.requestsWithoutHost
    issues += (testReport.everyRequest?.findings(in: registry) ?? []).map { Finding($0) }
    issues += calls.map { Finding($0.description, at: $0.location) }
    if ending == .stopped || !missed.isEmpty || !issues.isEmpty { verdict.fail() }
    let hasFailedOtherwise = verdict.hasFailed
    if ending != .skipped, let difference = check?.check(registry, hasFailed: hasFailedOtherwise) {
      issues.append(Finding(difference))
      verdict.fail()
    }
    let reportsUnused = reportUnused && ending == .whole
    let hasFailed = verdict.hasFailed
    var notes = hasFailed ? aboutFailure(besideUnused: reportsUnused, said, missed) : []
    if reportsUnused {
      let shadowed = registry.shadowedStubs(in: location).map(\.id)
      issues += registry.unusedStubs.map { Finding($0, isShadowed: shadowed.contains($0.id)) }
      issues += registry.halfUsedStubs.map { Finding($0, usedCount: $1, $2) }
    }
    let journal = registry.journal
    // A comparison shows the requests itself.
    let requests =
      hasFailedOtherwise
      ? journal.newestRequests(besides: said + (issues + notes).map(\.description)) + journal.hitsOutsideOfScopes : []
    if !requests.isEmpty { notes.append(Finding(requests.lines, isNote: true)) }
    if !issues.isEmpty { verdict.fail() }
    return (issues, notes)
  }

  /// Returns the findings about requests that failed, in a line where the test framework has reported the rest.
  ///
  /// - Parameter said: The failures of the test so far.
  private func findings(about missed: [TestReport.Miss], besides said: [String]) -> [Finding] {
    missed.compactMap { miss in
      // Failures that name the miss: `true` for one that has all of its report.
      let tellings = said.compactMap(miss.isWhole)
      let latecomer = registry.latecomer(to: miss)
      if tellings.contains(true), miss.count == 1, miss.otherCount == 0, latecomer == nil { return nil }
      return Finding(miss, latecomer, isSaid: !tellings.isEmpty)
    } + (testReport.omission.map { [Finding($0)] } ?? [])
  }

  /// What helps to understand why the test failed, and is no failure by itself: stubs whose requests others answered,
  /// other unused ones, stubs that kept a client waiting until it gave up, and responses that a client hardly expects.
  ///
  /// - Parameters:
  ///   - isReported: Whether unused stubs are reported anyway.
  ///   - said: The failures of the test so far. A stub that one of them names isn't named again.
  ///   - missed: Requests whose reports compare them with the nearest stubs.
  private func aboutFailure(
    besideUnused isReported: Bool, _ said: [String], _ missed: [TestReport.Miss]
  ) -> [Finding] {
    let shadowed = isReported ? [] : registry.shadowedStubs(in: location).suffix(3)
    var notes = shadowed.map { Finding($0, isShadowed: true, isNote: true) }
    if !isReported, missed.isEmpty { notes += registry.notesAboutNearlyUsedStubs(3, besides: Array(shadowed), said) }
    notes += registry.journal.timeouts + registry.journal.repeatedResponses + registry.journal.cachedResponses
    notes += registry.journal.surprises
    return notes
  }
}

/// What compares the requests of a test, at its end.
package protocol RequestCheck: Sendable {
  /// Returns what is wrong with the requests of a registry, or `nil`.
  ///
  /// - Parameter hasFailed: Whether the test has failed otherwise.
  func check(_ registry: StubRegistry, hasFailed: Bool) -> String?
}

/// A trait whose tests have such a check.
package protocol RequestCheckTrait: Trait {
  func check(of test: Test, _ testCase: Test.Case?) -> any RequestCheck
}

extension Test {
  /// The check of the innermost trait that has one, or `nil`.
  package func requestCheck(of testCase: Test.Case?) -> (any RequestCheck)? {
    traits.lazy.reversed().compactMap { $0 as? any RequestCheckTrait }.first?.check(of: self, testCase)
  }
}

/// The options of a test's scope. `nil` stands for the option of the enclosing scope.
package struct ScopeOptions: Sendable {
  var reportUnused: Bool?
  var clock: (any StubClock)?
  var network: NetworkConditions?
  var unmatched: UnmatchedPolicy?
  /// Comes from an enclosing `withStubs` only.
  var loopback: UnscopedPolicy?
  var everyRequest: RequestMatcher?
  var httpVersion: StubResponse.HTTPVersion?
  var attaches: AttachmentPolicy?

  /// The options outside of all scopes of the test framework, which are those of a `withStubs`, if there is one.
  package static var enclosing: ScopeOptions {
    let registry = StubRegistry.current
    guard registry !== StubRegistry.global else { return ScopeOptions() }
    return ScopeOptions(
      clock: registry.clock, network: registry.network, unmatched: registry.unmatched, loopback: registry.loopback,
      httpVersion: registry.httpVersion)
  }

  func overridden(by inner: ScopeOptions) -> ScopeOptions {
    ScopeOptions(
      reportUnused: inner.reportUnused ?? reportUnused,
      clock: inner.clock ?? clock, network: inner.network ?? network, unmatched: inner.unmatched ?? unmatched,
      loopback: inner.loopback ?? loopback,
      everyRequest: inner.everyRequest ?? everyRequest, httpVersion: inner.httpVersion ?? httpVersion,
      attaches: inner.attaches ?? attaches)
  }

  func apply(to registry: StubRegistry) {
    if let unmatched { registry.unmatched = unmatched }
    if let clock { registry.clock = clock }
    if let network { registry.network = network }
    if let loopback { registry.loopback = loopback }
    if let httpVersion { registry.httpVersion = httpVersion }
  }
}
