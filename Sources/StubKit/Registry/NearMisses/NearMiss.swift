import Foundation

/// A stub that almost matched a request, and why it didn't.
///
/// It prints what ``UnmatchedRequestError`` says about the stub:
///
/// ```text
/// "user" isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
///   path: expected /users/42, got /users/43
/// ```
///
/// A recorded entry is named by its request and by what differs, because its condition was generated:
///
/// ```text
/// GET /users?page=2, users.har, entry 3: query item page differs
///   query item page: expected 2, got 3
/// ```
///
/// The distance is measured in points. The stubs with the fewest points are the nearest, and among equally near ones
/// the newer one comes first. Each criterion that the request doesn't meet counts:
///
/// | What differs | Points |
/// | --- | --- |
/// | Nothing, but all uses are spent | 1 |
/// | A closure that was not asked, a body that was not read | 4 |
/// | The state of a scenario | 8 |
/// | The value of an item (query, header, cookie, form field) | 4 to 10 |
/// | A missing or superfluous item | 12, for all items of a criterion at most 24 |
/// | The method, the path extension, something under a `!`, a closure that returned `false` | 10 |
/// | The path | 5 to 40 |
/// | The scheme, the port | 15 |
/// | The host | 15 to 60 |
/// | The absolute URL | 5 to 60 |
/// | The body | 5 to 25, or 28 for another kind of body or none |
///
/// Where a row has a range, the points depend on how much differs. For text, that is the share of letters to change
/// in the longer text, or that of its segments between slashes if it is less. For JSON, it is the share of the expected
/// values that differ. What a regular expression does not match counts the most. The points of an `&&` add up, and an
/// `||` counts its nearest side.
public struct NearMiss: Sendable, CustomStringConvertible {
  /// The stub.
  public let stub: Stub

  /// Why the stub didn't match, in the order of its condition. Empty for a stub whose condition the request meets,
  /// but whose uses are spent. It can be empty for a stub with a ``Stub/mistake``.
  public let mismatches: [RequestMatcher.Mismatch]

  /// A Boolean value that indicates whether all uses of the stub were spent.
  public let isUsedUp: Bool

  /// The recorded entry that the stub plays, or `nil` if it plays none.
  let annotation: StubAnnotation?

  /// The stub on one line, followed by what differs.
  public var description: String { lines(limit: .max).joined(separator: "\n") }
}

extension NearMiss {
  /// - Parameters:
  ///   - facts: The facts, with the results of the closures that have run for the request. None runs here.
  ///   - registry: The registry that received the request.
  init(_ stub: Stub, _ facts: inout RequestFacts, in registry: StubRegistry) {
    self.stub = stub
    annotation = registry.annotations[stub.id]
    mismatches = stub.condition.explainMismatch(&facts).mismatches.map(registry.shown)
    isUsedUp = stub.isUsedUp && !stub.isMistaken
  }

  /// - Parameter limit: The largest number of lines after the first.
  func lines(limit: Int) -> [String] {
    var differences = stub.isMistaken ? [Excerpt.oneLine(stub.mistake ?? "")] : mismatches.map(\.description)
    if isUsedUp { differences.append("already used \(stub.usage)") }
    if differences.isEmpty { differences = ["matches, but was registered after the request was made"] }
    if differences.count > limit {
      let more = differences.count - (limit - 1)
      differences = differences.prefix(limit - 1) + ["and \(more) more differences"]
    }
    return [annotation.map { "\($0.line()): \(summary)" } ?? stub.line] + differences.map { "  \($0)" }
  }
}

extension Stub {
  /// Returns the distance of a request from meeting the condition, as ``NearMiss`` measures it.
  func distance(_ facts: inout RequestFacts) -> Int {
    // What is wrong with the test comes first.
    if isMistaken { return 0 }
    return condition.explainMismatch(&facts, isDetailed: false).distance + (isUsedUp ? Points.usedUp : 0)
  }

  /// The name, the condition and the location on a line.
  var line: String {
    let name = name.map { "\(Excerpt.oneLine(Excerpt.middle("\"\($0)\"", 30))) " } ?? ""
    return "\(name)\(Excerpt.condition(condition.description)) (\(location))"
  }
}

/// What reports say in place of a stub's condition: for a stub that plays a recording, which request it plays.
package struct StubAnnotation: Sendable {
  /// Whether reports list the stub. Entries of the same request are listed once.
  let isListed: Bool
  /// Returns the line: `GET /users?page=2, users.har, entry 3`.
  let line: @Sendable () -> String
  /// Returns lines that say how a request with these mismatches, and no others, can receive the response.
  let advice: @Sendable ([RequestMatcher.Mismatch]) -> [String]

  package init(
    isListed: Bool, line: @escaping @Sendable () -> String,
    advice: @escaping @Sendable ([RequestMatcher.Mismatch]) -> [String]
  ) {
    (self.isListed, self.line, self.advice) = (isListed, line, advice)
  }
}

extension NearMiss {
  /// What differs from a recorded request, in a few words: `method and body at $.page differ`.
  var summary: String {
    let parts = mismatches.prefix(3).map(\.part)
    guard let first = parts.first else { return isUsedUp ? "already used" : "matches" }
    if mismatches.count > 1 {
      let more = mismatches.count > parts.count ? ["\(mismatches.count - parts.count) more parts"] : []
      let all = parts + more
      return "\(all.dropLast().joined(separator: ", ")) and \(all[all.count - 1]) differ"
    }
    guard first.hasPrefix("body at "), case let path = first.dropFirst(8) else { return "\(first) differs" }
    return "body differs at \(path)"
  }
}

extension RequestMatcher.Mismatch {
  /// The part that differs, with the path of JSON from its root: `body at $.page`.
  package var part: String {
    guard criterion.hasPrefix("body at "), case let path = criterion.dropFirst(8) else { return criterion }
    return "body at $\(path.hasPrefix("[") ? "" : ".")\(path)"
  }
}

/// An explanation of why a stub answers a request, or why none does, as ``StubRegistry/explain(_:)`` returns it.
///
/// ```swift
/// print(StubRegistry.current.explain(request))
/// // GET https://api.example.com/users/43 is answered by no stub
/// //   isPath("/users/42") (AppTests/UserTests.swift:12)
/// //     path: expected /users/42, got /users/43
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
  /// The request.
  public let request: URLRequest
  /// The stub that would answer, or `nil` if none would, or if that hangs on a body that isn't known.
  public var stub: Stub? { isCertain ? found : nil }
  /// The first stub whose condition is certainly met.
  let found: Stub?
  /// The stubs that were asked before that one, newest first, or all stubs if none would answer.
  public let candidates: [NearMiss]
  /// A Boolean value that indicates whether no earlier stub hangs on a body that isn't known.
  let isCertain: Bool

  /// The stub that would answer, followed by what differs for each one that was asked before.
  public var description: String {
    let answer = Excerpt.oneLine("is answered by \(found.map { "\($0)" } ?? "no stub")")
    let verdict = isCertain ? answer : "\(answer), unless its body, which is not known, meets one of these conditions"
    let lines = candidates.flatMap { $0.lines(limit: .max) }.map { "  \($0)" }
    return (["\(request.summary) \(verdict)"] + lines).joined(separator: "\n")
  }
}

/// The requests of one test that fail because no stub matches them, for a test framework to report.
///
/// The journal can't serve for this. Its limit drops entries, a test can clear it, and requests that a test leaves
/// behind still enter it.
package final class MissCollection: Sendable {
  /// The requests with one method, URL and report.
  package struct Miss: Sendable {
    /// The error of the first request.
    package let error: UnmatchedRequestError
    /// The number of requests, at least 1.
    package fileprivate(set) var count = 1
    /// The number of further requests with the method and the URL, after the last of the reports that are kept of them.
    package fileprivate(set) var otherCount = 0
    /// The identifier of the newest stub of the process when the first request failed.
    fileprivate let newestStub: UInt64

    /// Returns whether a text contains the whole report, or lists the request with what differs from its nearest stub, as a
    /// verification does. `nil` if it does neither.
    package func isWhole(in text: String) -> Bool? {
      if text.contains(error.description) { return true }
      guard text.contains("\(error.request.summary): unmatched"), let nearest = error.nearest.first,
        !nearest.mismatches.isEmpty, nearest.mismatches.allSatisfy({ text.contains("✗ \($0)") })
      else { return nil }
      return false
    }
  }

  /// Something wrong in the test's own code: what it is, and what to write instead.
  package typealias Mistake = (sentence: String, location: StubLocation?)

  private struct State {
    var isOpen = true
    var misses: [Miss] = []
    var positions: [String: [Int]] = [:]
    var mistakes: [Mistake] = []
    var missCount = 0
    /// The kinds of which one was told before the end.
    var told: Set<Kind> = []
  }

  /// What the end of a test tells.
  enum Kind { case miss, mistake, call }

  /// The largest number of misses, and of mistakes, that are kept: a client may never give up.
  private static let limit = 100
  private let state = Protected(State())
  /// The largest number of reports about one method and URL. A report can contain a value that always differs.
  static let mostReports = 5
  /// The name of the test, for reports about other tests.
  let test: String?
  /// A Boolean value that indicates whether no other test runs meanwhile, so that a request that names no scope is the
  /// test's if no other scope is open.
  let runsAlone: Bool
  /// How long a finding waits for the end of the test, in real time.
  private let patience: Duration

  init(of test: String?, runsAlone: Bool = false, patience: Duration = .seconds(5)) {
    (self.test, self.runsAlone, self.patience) = (test, runsAlone, patience)
  }

  /// A Boolean value that indicates whether the test is not over.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Records a request that certainly belongs to the test, before it fails. Returns `false` if the test is over.
  @discardableResult
  func add(_ error: UnmatchedRequestError) -> Bool {
    let count: Int? = state.withLock { state in
      guard state.isOpen else { return nil }
      state.missCount += 1
      let request = "\(error.request.httpMethod ?? "GET") \(error.request.url?.absoluteString ?? "")"
      let known = state.positions[request, default: []]
      if let position = known.first(where: { state.misses[$0].error.description == error.description }) {
        state.misses[position].count += 1
      } else if known.count >= Self.mostReports {
        state.misses[known[known.count - 1]].otherCount += 1
      } else if state.misses.count < Self.limit {
        state.positions[request] = known + [state.misses.count]
        state.misses.append(Miss(error: error, newestStub: Stub.newestID))
      }
      return state.missCount
    }
    if count == 1 || count == Self.limit {
      tellEarly(.miss, after: count == 1 ? patience : .zero) { [weak self] in
        self?.state.withLock { $0.misses.first }?.error.description
      }
    }
    return count != nil
  }

  /// Tells a finding on standard error before the end of the test, which may never come, once for each kind.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the end, in real time, or `nil` for as long as usual.
  ///   - finding: A closure that returns the finding, or `nil` if there is none any more.
  func tellEarly(_ kind: Kind, after patience: Duration? = nil, _ finding: @escaping @Sendable () -> String?) {
    _ = PatienceTimer(patience ?? self.patience) { [weak self] in
      guard let self, isOpen, let finding = finding(), state.withLock({ $0.told.insert(kind).inserted }) else { return }
      RequestWarnings.write("\(test ?? "A test") is still running. At its end, it will report this: \(finding)")
    }
  }

  /// Records a mistake, once for all of the same text and place. Returns `false` if the test is over.
  func add(_ sentence: String, at location: StubLocation?) -> Bool {
    let (isOpen, isFirst) = state.withLock { state in
      let isKnown = state.mistakes.count >= Self.limit || state.mistakes.contains { $0 == (sentence, location) }
      if state.isOpen, !isKnown { state.mistakes.append((sentence, location)) }
      return (state.isOpen, state.mistakes.count == 1)
    }
    if isFirst { tellEarly(.mistake) { sentence } }
    return isOpen
  }

  /// A sentence about the misses beyond the limit, or `nil` if there are none.
  package var omission: String? {
    let (count, kept) = state.withLock { ($0.missCount, $0.misses.reduce(0) { $0 + $1.count + $1.otherCount }) }
    return count == kept ? nil : "\(count - kept) more requests failed without a stub. Their reports were not kept."
  }

  /// The mistakes, in order.
  package var mistakes: [Mistake] { state.withLock { $0.mistakes } }

  /// Accepts no more requests, and returns those that failed, ordered by the first request of each.
  package func finish() -> [Miss] {
    state.withLock { state in
      state.isOpen = false
      return state.misses
    }
  }
}

extension StubRegistry {
  /// Collects requests that fail because no stub matches them, from now on. Replaces an earlier collection.
  ///
  /// - Parameters:
  ///   - test: The name of the test.
  ///   - runsAlone: Whether no other test runs meanwhile.
  ///   - patience: How long a finding waits for the end of the test before it is told, in real time.
  package func collectMisses(
    of test: String? = nil, runsAlone: Bool = false, patience: Duration = .seconds(5)
  ) -> MissCollection {
    let collection = MissCollection(of: test, runsAlone: runsAlone, patience: patience)
    misses = collection
    return collection
  }

  /// Returns a stub that matches a request, and was registered after the request had failed. This runs no closure.
  package func latecomer(to miss: MissCollection.Miss) -> Stub? {
    // A body in a stream or a file isn't in the request.
    let body: RequestBody? = miss.error.request.httpBody == nil ? .unread() : nil
    var facts = RequestFacts(IncomingRequest(miss.error.request, body: body))
    return stubs.first { $0.id > miss.newestStub && $0.condition.certainlyMatches(&facts) }
  }

  /// Returns the stubs that were never used, because newer ones, whose conditions are not narrower, answered the requests
  /// that meet theirs. One with the same condition as the newer one is a default that the test overrides, unless the test
  /// itself registered both.
  ///
  /// This runs no closure, and looks at no more than the last hundred requests.
  ///
  /// - Parameter test: The location of the test. What follows in its file, in this order, counts as registered by it.
  package func shadowedStubs(in test: StubLocation?) -> [Stub] {
    let stubs = Dictionary(stubs.map { ($0.id, $0) }) { first, _ in first }
    let unused = unusedStubs.suffix(1_000).map { (stub: $0, text: $0.condition.description) }
    var shadowed: Set<UInt64> = []
    for entry in journal.entries.suffix(100) {
      guard let reference = entry.stub, let answering = stubs[reference.id] else { continue }
      // The request is parsed once for all stubs.
      var facts = RequestFacts(entry)
      let text = answering.condition.description
      for (stub, ownText) in unused where !shadowed.contains(stub.id) {
        let isShadowed =
          (answering.id > stub.id || answering.priority > stub.priority)
          && answering.condition.count <= stub.condition.count
          && (text != ownText || stub.location.isIn(test, before: answering.location))
          && stub.condition.certainlyMatches(&facts)
        if isShadowed { shadowed.insert(stub.id) }
      }
    }
    return unused.map(\.stub).filter { shadowed.contains($0.id) }
  }
}

extension StubLocation {
  /// Returns whether this is in a test, and another location further down in its file.
  fileprivate func isIn(_ test: StubLocation?, before other: StubLocation) -> Bool {
    guard let test, fileID == test.fileID, other.fileID == test.fileID else { return false }
    return test.line <= line && line < other.line
  }
}

extension RequestMatcher {
  /// The number of criteria that must be met together.
  fileprivate var count: Int { if case .all(let children, _) = node { children.count } else { 1 } }

  fileprivate func certainlyMatches(_ facts: inout RequestFacts) -> Bool {
    let readsBody = !facts.bodyNeedsTask
    return !canBe(false, &facts, readsBody: readsBody)
  }
}
