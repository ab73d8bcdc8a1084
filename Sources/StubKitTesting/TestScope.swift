import Foundation
import StubKit
import Testing
import XCTest

/// The scope of one test.
package final class TestScope: Sendable {
  /// What a trait or a test case leaves to the scope inside it, which creates the test's registry.
  @TaskLocal package static var pendingUse: (any ScopedUse)?

  private let registry = StubRegistry()
  private let reportUnused: Bool
  private let isStrict: Bool
  private let misses: MissCollection
  private let location: StubLocation?

  /// - Parameters:
  ///   - test: The name of the test, for reports.
  ///   - location: Where it is declared, or `nil` if that is unknown.
  ///   - runsAlone: Whether no other test runs meanwhile.
  package init(
    _ options: ScopeOptions, of test: String? = nil, at location: StubLocation? = nil, runsAlone: Bool = false
  ) {
    RunningTest.prepare()
    (reportUnused, isStrict) = (options.reportUnused ?? false, options.isStrict ?? false)
    options.apply(to: registry)
    misses = registry.collectMisses(of: test, runsAlone: runsAlone, isStrict: isStrict)
    self.location = location
  }

  /// Runs a test.
  ///
  /// - Parameters:
  ///   - use: What the test uses.
  ///   - body: The test.
  /// - Returns: What is wrong with the test besides the error that it throws.
  package func run(
    with use: (any ScopedUse)? = nil, _ body: @Sendable () async throws -> Void
  ) async -> (findings: [Finding], error: (any Error)?) {
    await withStubs(registry: registry) {
      let begun: (any BegunUse)?
      do { begun = try use?.begin(in: registry) } catch { return ([Finding("\(error)")], nil) }
      let verdict = TestVerdict()
      var error: (any Error)?
      await RunningTest.watch(for: verdict) {
        do { try await TestVerdict.$current.withValue(verdict, operation: body) } catch let thrown { error = thrown }
      }
      // The test framework reports what a test throws, so it isn't reported twice.
      let thrown = error.map { UnmatchedRequestError(from: $0)?.description ?? "\($0)" }
      // A request that comes to wait for the test after this is a warning. So those that wait are counted afterwards.
      let misses = misses.finish()
      let said = verdict.said + (thrown.map { [$0] } ?? [])
      let unsaid = findings(about: misses, besides: said)
      let missed = mistakes + unsaid + registry.requestsWithoutHost
      if error != nil || !missed.isEmpty { verdict.fail() }
      let isExplained = verdict.hasFailed && (error == nil || !Task.isCancelled)
      let notes = isExplained ? aboutFailure(besideUnused: error == nil && reportUnused, said, misses) : []
      // Only a recording in use knows what it hides.
      let (unused, unasked) = (error == nil ? unusedStubs : [], unaskedParts)
      let problems = (await begun?.end(isWhole: !verdict.hasFailed) ?? []).map { Finding($0) }
      return (missed + problems + unused + unasked + notes, error)
    }
  }

  /// Runs a test that reports its errors itself.
  ///
  /// - Parameters:
  ///   - use: What the test uses.
  ///   - body: The test.
  ///   - hasPassed: A closure that returns whether the test ran to its end, without a failure. If it didn't, unused
  ///     stubs aren't reported, and nothing is recorded.
  func run(with use: (any ScopedUse)?, _ body: () -> Void, hasPassed: () -> Bool) -> [Finding] {
    withStubs(registry: registry) {
      let begun: (any BegunUse)?
      do { begun = try use?.begin(in: registry) } catch { return [Finding("\(error)")] }
      let verdict = TestVerdict()
      RunningTest.watch(for: verdict) { TestVerdict.$current.withValue(verdict, operation: body) }
      let (missed, said) = (misses.finish(), verdict.said)
      let (unsaid, hasMissed) = (findings(about: missed, besides: said), !missed.isEmpty)
      let (hasPassed, withoutHost) = (hasPassed(), registry.requestsWithoutHost)
      if !hasPassed || hasMissed || !withoutHost.isEmpty { verdict.fail() }
      // A test that was skipped has neither passed nor failed.
      let hasFailed = hasMissed || !said.isEmpty
      let notes = hasFailed ? aboutFailure(besideUnused: hasPassed && reportUnused, said, missed) : []
      let (unused, unasked) = (hasPassed ? unusedStubs : [], hasPassed || hasFailed ? unaskedParts : [])
      let problems = (begun?.end(isWhole: !verdict.hasFailed) ?? []).map { Finding($0) }
      return mistakes + unsaid + withoutHost + problems + unused + unasked + notes
    }
  }

  /// Returns the findings about requests that failed, in a line where the test framework has reported the rest.
  ///
  /// - Parameter said: The failures of the test so far.
  private func findings(about missed: [MissCollection.Miss], besides said: [String]) -> [Finding] {
    missed.compactMap { miss in
      let (isWhole, latecomer) = (said.lazy.compactMap(miss.isWhole).max { !$0 && $1 }, registry.latecomer(to: miss))
      if isWhole == true, miss.count == 1, miss.otherCount == 0, latecomer == nil { return nil }
      return Finding(miss, latecomer, isSaid: isWhole != nil)
    } + (misses.omission.map { [Finding($0)] } ?? [])
  }

  /// What is wrong with the test's stubs themselves.
  private var mistakes: [Finding] {
    (misses.mistakes + registry.untakenCalls).map { Finding($0.sentence, at: $0.location) }
  }
  private var unusedStubs: [Finding] {
    guard reportUnused else { return [] }
    let shadowed = registry.shadowedStubs(in: location).map(\.id)
    return registry.unusedStubs.map { Finding($0, isShadowed: shadowed.contains($0.id)) }
  }

  private var unaskedParts: [Finding] { isStrict ? registry.unaskedParts(isNote: false) : [] }

  /// What helps to understand why the test failed, and is no failure by itself: stubs whose requests others answered,
  /// other unused ones, stubs that kept a client waiting until it gave up, responses that a client hardly expects, and
  /// what it sent and nothing asked about. Ask before the use ends, while a recording knows what it hides.
  ///
  /// - Parameters:
  ///   - isReported: Whether unused stubs are reported anyway.
  ///   - said: The failures of the test so far. A stub that one of them names isn't named again.
  ///   - missed: Requests whose reports compare them with the nearest stubs.
  private func aboutFailure(
    besideUnused isReported: Bool, _ said: [String], _ missed: [MissCollection.Miss]
  ) -> [Finding] {
    let shadowed = isReported ? [] : registry.shadowedStubs(in: location).suffix(3)
    let unused = isReported || !missed.isEmpty ? [] : registry.nearestUnusedStubs(3)
    let others = unused.filter { stub in !shadowed.contains { $0 === stub } && !said.contains { $0.contains("\(stub)") }
    }
    return shadowed.map { Finding($0, isShadowed: true, isNote: true) }
      + others.map { Finding($0, isShadowed: false, isNote: true) } + registry.journal.timeouts
      + registry.journal.repeatedResponses + registry.unaskedParts(isNote: true, besideStrict: isStrict)
      + registry.journal.surprises
  }
}

/// The options of a test's scope. `nil` stands for the option of the enclosing scope.
package struct ScopeOptions: Sendable {
  var unmatched: UnmatchedPolicy?
  var reportUnused: Bool?
  var clock: (any StubClock)?
  var network: NetworkConditions?
  var loopback: LoopbackPolicy?
  var isStrict: Bool?

  /// The options outside of all scopes of the test framework, which are those of a `withStubs`, if there is one.
  package static var enclosing: ScopeOptions {
    let registry = StubRegistry.current
    guard registry !== StubRegistry.global else { return ScopeOptions() }
    return ScopeOptions(
      unmatched: registry.unmatched, clock: registry.clock, network: registry.network, loopback: registry.loopback)
  }

  func overridden(by inner: ScopeOptions) -> ScopeOptions {
    ScopeOptions(
      unmatched: inner.unmatched ?? unmatched, reportUnused: inner.reportUnused ?? reportUnused,
      clock: inner.clock ?? clock, network: inner.network ?? network, loopback: inner.loopback ?? loopback,
      isStrict: inner.isStrict ?? isStrict)
  }

  func apply(to registry: StubRegistry) {
    if let unmatched { registry.unmatched = unmatched }
    if let clock { registry.clock = clock }
    if let network { registry.network = network }
    if let loopback { registry.loopback = loopback }
  }
}

/// Something that a test uses in its registry, from before its first line until after its last one, such as a
/// recording.
package protocol ScopedUse: Sendable {
  /// Begins the use. If it can't, the test doesn't run.
  func begin(in registry: StubRegistry) throws -> any BegunUse
}

/// A use that has begun. Both ways to end it return a sentence about each problem.
package protocol BegunUse: Sendable {
  /// Ends the use after synchronous code, which can block the thread.
  ///
  /// - Parameter isWhole: Whether the test ended normally.
  func end(isWhole: Bool) -> [String]

  /// Ends the use after asynchronous code, without blocking a thread.
  func end(isWhole: Bool) async -> [String]
}

/// Something wrong with a test that its stubs reveal.
package struct Finding: Sendable, CustomStringConvertible {
  package let description: String
  /// A Boolean value that indicates whether it is a note beside the failures of the test.
  let isNote: Bool
  /// The location of the stub concerned, or `nil` for a request, which can come from anywhere.
  let stub: StubLocation?
  /// The location of the stub that is nearest to a request.
  let nearest: StubLocation?

  /// - Parameters:
  ///   - latecomer: A stub that matches the request, and was registered after it.
  ///   - isSaid: Whether a failure of the test says already what kept the request from its nearest stub.
  init(_ miss: MissCollection.Miss, _ latecomer: Stub?, isSaid: Bool) {
    let report = miss.error.description
    var lines = [isSaid ? "\(report.prefix { !$0.isNewline }), as a failure above says." : report]
    if let latecomer { lines.append("\(latecomer) matches it, but was registered after the request was made.") }
    if miss.count > 1 { lines.append("\(miss.count) such requests failed; this is the report of the first.") }
    if miss.otherCount > 0 {
      lines.append(
        "\(miss.otherCount.requests) with this method and URL failed with further reports, which are not shown.")
    }
    self.init(lines.joined(separator: "\n"), nearest: miss.error.nearest.first?.stub.location)
  }

  package init(_ sentence: String, at stub: StubLocation? = nil, nearest: StubLocation? = nil, isNote: Bool = false) {
    (description, self.isNote, self.stub, self.nearest) = (sentence, isNote, stub, nearest)
  }

  /// - Parameters:
  ///   - unused: A stub that answered no request.
  ///   - isShadowed: Whether others answered requests that meet its condition.
  init(_ unused: Stub, isShadowed: Bool, isNote: Bool = false) {
    let cure =
      isShadowed
      ? "The newest matching stub answers. Register this one after the other, give it a higher priority, or pass both responses "
        + "to one stub, in turn: responses: [first, second]."
      : "Remove the stub, or fix its condition or the request."
    let arrivals = unused.arrivals(most: isNote && !isShadowed ? 1 : 3, ofNewest: 100)
    let lines = ["No request used the stub \(unused)"] + arrivals + [cure]
    self.init(lines.joined(separator: "\n"), at: unused.location, isNote: isNote)
  }

  package func record(of test: Test) { Issue.record(description, of: test, at: stub, isWarning: isNote) }
}

/// Expects that a stub has been chosen for a number of requests, and records an issue at this line if it has not.
///
/// Unlike `verify(_:called:)`, it throws no error. The test continues, so one run shows every expectation that fails.
///
/// ```swift
/// let login = stub(
///   .post, "https://api.example.com/login",
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// expectCalls(to: login, .once)
/// expectCalls(to: isPath("/ads"), .never)
/// ```
///
/// In an XCTest test, it records a failure. In a detached task, in a handler or on a queue, no test is known to run.
/// The test that the scope belongs to then has the issue at its end. Without one, it prints to standard error.
///
/// A function of your own around it takes a source location, and passes it on as `at: .init(sourceLocation)`. In
/// XCTest, it takes a `file` and a `line` with the same defaults.
///
/// - Parameters:
///   - stub: The stub. It counts its calls itself, so requests that the journal has dropped still count.
///   - count: The expected number of calls. Defaults to at least one.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to stub: Stub, _ count: CallCount = .atLeast(1), at location: StubLocation? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = location ?? StubLocation(fileID, file, line, column)
  VerificationError(ofCallsTo: stub.condition, count, of: stub, by: "expectCalls(to: \(stub))", at: location)?
    .record(file, line, in: stub.home)
}

/// Expects that a number of requests have met a condition, whichever stub answered them, and records an issue at this
/// line if they have not, or if that hangs on something that isn't known. See `verify(_:called:in:)`.
///
/// ```swift
/// expectCalls(to: isMethodPOST() && isPath("/login"), .once)
/// ```
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to condition: RequestMatcher, _ count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  at location: StubLocation? = nil, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = location ?? StubLocation(fileID, file, line, column)
  let call = "expectCalls(to: \(condition))"
  VerificationError(ofCallsTo: condition, count, in: registry, by: call, at: location)?
    .record(file, line, in: registry)
}

extension VerificationError {
  fileprivate func record(_ file: StaticString, _ line: UInt, in registry: StubRegistry?) {
    if let test = Test.current {
      return Issue.record(description, of: test, at: location, isWarning: false)
    }
    // Xcode's XCTest evaluates the message without a test, too, so only its observers know what was recorded.
    let sentence = String(description.prefix { !$0.isNewline })
    guard !FailureWatch.sees(sentence, { XCTAssert(false, description, file: file, line: line) }) else { return }
    // A handler or a detached task runs in no test, but its scope can belong to one, which is told at its end.
    if registry?.misses?.add(description, at: location) == true { return }
    FileHandle.standardError.write(Data("StubKit: outside of a test, \(description)\n".utf8))
  }
}
