import Foundation

/// The error of a request that no stub matched, under ``UnmatchedPolicy/fail``, or that can't be attributed to a
/// scope.
///
/// Its `description`, and the `localizedDescription` of the error that arrives, name the nearest stubs with file and
/// line, and say for each what was expected and what arrived:
///
/// ```
/// No stub matches GET https://api.example.com/users/43
/// The nearest of 12 stubs:
///   isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
///     path: expected /users/42, got /users/43
///   "login" isMethod(.post) && isHost("api.example.com") && isPath("/login") (AppTests/UserTests.swift:9)
///     method: expected POST, got GET
///     path: expected /login, got /users/43
///   isHost("cdn.example.com") (AppTests/UserTests.swift:8)
///     host: expected cdn.example.com, got api.example.com
/// Register a stub for it, or fix the request or the stub.
/// Guide: Troubleshooting
/// ```
///
/// The last line names the guide that helps. The one before it speaks of the network only if the nearest stub is for
/// another host, which differs in more than two letters, or if there are no stubs. The report has at most 26 lines,
/// unless it is unclear whose request it is and several open scopes have a matching stub. It names each of them. On
/// Apple platforms, URLSession passes on only an `NSError` that stands for this error: ``StubKitError/init(from:)``
/// finds the value in it. <doc:Troubleshooting> explains one line by line.
public struct UnmatchedRequestError: StubKitError {
  /// The request.
  public let request: URLRequest

  /// The nearest stubs of the request, at most three, closest first. ``NearMiss`` describes how the distance is
  /// measured.
  public let nearest: [NearMiss]

  /// The report.
  public let description: String
}

extension UnmatchedRequestError {
  /// Returns the lines of a report about a URL at which a module of this process answers requests of other processes.
  package static let addressNotes = Protected<Closure<@Sendable (URL) -> [String]>?>(nil)

  /// - Parameters:
  ///   - facts: The facts, with the results of the closures that have run for the request. None runs here, and no
  ///     body is read.
  ///   - confidence: How StubKit knows that the request belongs to the registry.
  ///   - creator: The scope that created its session, if it has ended.
  ///   - registry: The registry that received the request.
  init(
    _ facts: RequestFacts, _ confidence: AttributionConfidence = .certain, _ creator: EndedCreator? = nil,
    in registry: StubRegistry, scopes: OpenScopes = .shared
  ) {
    var facts = facts
    // Entries of the same request count once, because they differ from it in the same way.
    let annotations = registry.annotations
    let stubs = registry.stubs.filter { annotations[$0.id]?.isListed ?? true }
    request = facts.request
    // The newest of equally near ones comes first.
    nearest = stubs.reversed().nearest(3) { $0.distance(&facts) }.map { NearMiss($0, &facts, in: registry) }
    var elsewhere = ScopeHints.unmatched(facts.incoming, confidence, creator, in: registry, scopes: scopes)
    elsewhere += registry.journal.inferredHits
    if let url = request.url { elsewhere += Self.addressNotes.current?.call(url) ?? [] }
    // The request doesn't fail in a task of the registry's scope.
    description = StubRegistry.$local.withValue(registry) { [request, nearest, elsewhere] in
      nearest.report(of: request, stubs.count, in: registry, elsewhere).lines
    }
  }

  /// Which guide helps: the last line of each message about an unmatched request.
  package enum Guide: String {
    case troubleshooting = "Troubleshooting"
    case parallelTests = "Parallel tests"
    case recording = "Recording and replaying"

    package var line: String { "Guide: \(rawValue)" }
  }

  /// Returns the report with further lines before its last one, which names a guide.
  package func description(adding lines: [String]) -> String {
    let own = description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return (own.dropLast() + lines + own.suffix(1)).lines
  }

  /// The last line of the report.
  package var guideLine: String { description.split(separator: "\n").last.map(String.init) ?? "" }

  /// The error of a request that can belong to any of several scopes.
  init(unclear request: URLRequest, _ creator: EndedCreator? = nil, scopes: OpenScopes = .shared) {
    self.request = request
    nearest = []
    description = (ScopeHints.unclear(request, creator, scopes) + [Guide.parallelTests.line]).lines
  }

  /// Returns the first line of the report about a request.
  static func heading(of request: URLRequest) -> String {
    let prefix = "No stub matches "
    return prefix + request.summary.middle(100 - prefix.count)
  }

  /// Tells the test that a request certainly belongs to, or else warns about the request.
  ///
  /// - Parameter time: When the request was made.
  func report(to testReport: TestReport?, _ confidence: AttributionConfidence, of time: Date) {
    switch confidence {
    case .certain, .session:
      guard let testReport else { return RequestWarnings.addUnreported(description) }
      guard !testReport.add(self) else { return }
      let isLate = testReport.end.map { $0 < time } ?? false
      let event = isLate ? "it made the request" : "StubKit had looked for the request's stub"
      RequestWarnings.add(
        .late,
        description(adding: ["The test was over when \(event)\(testReport.test.map { ": \($0)" } ?? "")."]))
    case .onlyScope, .global:
      if confidence == .onlyScope, let testReport, testReport.runsAlone, testReport.add(self) { return }
      RequestWarnings.addUnattributed(self)
    }
  }
}

extension [NearMiss] {
  /// Returns the report of an unmatched request, whose nearest stubs these are: at most 26 lines of 100 characters,
  /// except for long conditions and file names, and more only if stubs of several other scopes match.
  ///
  /// - Parameters:
  ///   - registry: The registry that received the request.
  ///   - elsewhere: The lines about scopes.
  fileprivate func report(
    of request: URLRequest, _ stubCount: Int, in registry: StubRegistry, _ elsewhere: [String]
  ) -> [String] {
    // The command that records the request, if a recording plays where it was made.
    let remedy = registry.remedy
    var lines = [UnmatchedRequestError.heading(of: request)]
    // The way out comes first, because a long list of entries can hide it.
    if let remedy { lines += ["To add it to the recording, run the test once with", "    \(remedy)"] }
    lines.append(heading(stubCount, in: registry))
    for miss in self { lines += miss.lines(limit: 4).map { "  \($0)" } }
    lines += first.flatMap { $0.annotation?.advice($0.mismatches) } ?? []
    if request.url?.scheme == nil {
      lines.append("The URL has no scheme and host, so isHost can't match, and no server would be asked.")
    }
    lines += elsewhere
    lines.append(
      remedy == nil ? "Register a stub for it, or \(alternative(for: request))." : "Or register a stub for it.")
    if NetworkAccess.isOff { lines.append("STUBKIT_NETWORK=off keeps it from the network, whatever the policy.") }
    lines.append((remedy == nil ? UnmatchedRequestError.Guide.troubleshooting : .recording).line)
    return lines
  }

  /// A host of which the nearest stub knows nothing can be one that the test leaves to the network. One that differs
  /// from that of the stub in a few letters is misspelt.
  private func alternative(for request: URLRequest) -> String {
    let host = request.url?.host()
    func isOther(_ expected: String?) -> Bool {
      guard let expected, let host else { return true }
      return [UInt8](expected.lowercased().utf8).editDistance(to: [UInt8](host.lowercased().utf8)) > 2
    }
    let isOfOtherHost =
      first?.mismatches.contains { mismatch in
        switch mismatch.criterion {
        case "host": isOther(mismatch.expected)
        case "URL": isOther(URL(string: mismatch.expected)?.host() ?? mismatch.expected)
        default: false
        }
      } ?? true
    return isOfOtherHost && request.url?.scheme != nil
      ? "let it reach the network with HTTPStubs.unmatched = .passThrough" : "fix the request or the stub"
  }

  private func heading(_ stubCount: Int, in registry: StubRegistry) -> String {
    // A report of a recording speaks of requests, because entries of the same request count once.
    let noun = allSatisfy { $0.annotation != nil } ? "recorded request" : "stub"
    return switch stubCount {
    case 0 where registry.hadStubs: "There are no stubs any more where the request was made."
    case 0 where registry.testReport != nil: "This test has registered no stub."
    case 0: "No stubs are registered in this scope; a test's stubs are removed when it ends."
    case 1: "There is 1 \(noun):"
    case count: "There are \(stubCount) \(noun)s, closest first:"
    default: "The nearest of \(stubCount) \(noun)s:"
    }
  }
}

extension URLRequest {
  /// The method and the URL on one line: `GET https://api.example.com/users`.
  package var summary: String { summary(StubRegistry.current.shown(address)) }

  /// The summary as a list has it.
  package var shortSummary: String { summary.middle(100) }

  /// The summary in a text that is printed outside of a test's tasks.
  func summary(in scopes: OpenScopes) -> String { summary(scopes.shown(address)) }

  private var address: String { url?.absoluteString ?? "(no URL)" }

  private func summary(_ address: String) -> String { "\(httpMethod ?? "GET") \(address)".onOneLine }
}

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
/// The stubs whose conditions differ least are the nearest, and among equally near ones the newer one comes first. A
/// stub whose uses are spent is nearer than one whose value differs, and that one is nearer than one for another path,
/// host or kind of body.
public struct NearMiss: Sendable, CustomStringConvertible {
  /// The stub.
  public let stub: Stub

  /// Why the stub didn't match, in the order of its condition. Empty for a stub whose condition the request meets,
  /// but whose uses are spent. It can be empty for a stub with a mistake.
  public let mismatches: [RequestMatcher.Mismatch]

  /// A Boolean value that indicates whether all uses of the stub were spent.
  public let isUsedUp: Bool

  /// The recorded entry that the stub plays, or `nil` if it plays none.
  let annotation: StubAnnotation?

  /// The stub on one line, followed by what differs.
  public var description: String { lines(limit: .max).lines }
}

extension NearMiss {
  /// - Parameters:
  ///   - facts: The facts, with the results of the closures that have run for the request. None runs here.
  ///   - registry: The registry that received the request.
  init(_ stub: Stub, _ facts: inout RequestFacts, in registry: StubRegistry) {
    self.stub = stub
    annotation = registry.annotations[stub.id]
    mismatches = stub.condition.node.explainMismatch(&facts).mismatches.map(registry.shown)
    isUsedUp = stub.isUsedUp && !stub.isMistaken
  }

  /// - Parameter limit: The largest number of lines after the first.
  func lines(limit: Int) -> [String] {
    let spent = isUsedUp ? ["already used \(stub.usage)"] : []
    let mistake = stub.isMistaken ? [(stub.mistake ?? "").onOneLine] : nil
    let count = (mistake?.count ?? mismatches.count) + spent.count
    var differences = (mistake ?? mismatches.prefix(limit).map(\.description)) + spent
    if differences.isEmpty { differences = ["matches, but was registered after the request was made"] }
    if count > limit { differences = differences.prefix(limit - 1) + ["and \(count - (limit - 1)) more differences"] }
    return [annotation.map { "\($0.line()): \(summary)" } ?? stub.line] + differences.map { "  \($0)" }
  }

  /// What differs from a recorded request, in a few words: `method and body at $.page differ`.
  var summary: String {
    let parts = mismatches.prefix(3).map(\.part)
    guard let first = parts.first else { return isUsedUp ? "already used" : "matches" }
    if mismatches.count > 1 {
      let more = mismatches.count > parts.count ? ["\(mismatches.count - parts.count) more parts"] : []
      let all = parts + more
      return "\(all.dropLast().listed) and \(all[all.count - 1]) differ"
    }
    guard first.hasPrefix("body at "), case let path = first.dropFirst(8) else { return "\(first) differs" }
    return "body differs at \(path)"
  }
}

extension Stub {
  /// Returns the distance of a request from meeting the condition, as ``NearMiss`` measures it.
  package func distance(_ facts: inout RequestFacts) -> Int {
    // What is wrong with the test comes first.
    if isMistaken { return 0 }
    return condition.node.explainMismatch(&facts, isDetailed: false).distance + (isUsedUp ? Points.usedUp : 0)
  }

  /// The description, with the request of a recorded entry, which a number doesn't tell.
  package var descriptionWithEntry: String {
    guard let annotation = home?.annotations[id] else { return description }
    return "\(self) for \(annotation.request())"
  }

  /// The name, the condition and the location on a line.
  var line: String {
    let name = name.map { "\("\"\($0)\"".middle(30).onOneLine) " } ?? ""
    return "\(name)\(condition.description.excerptOfCondition) (\(location))"
  }
}

/// What reports say in place of a stub's condition: for a stub that plays a recording, which request it plays.
package struct StubAnnotation {
  /// Whether reports list the stub. Entries of the same request are listed once.
  let isListed: Bool
  /// Returns the line: `GET /users?page=2, users.har, entry 3`.
  let line: @Sendable () -> String
  /// Returns the method and the URL of the recorded request.
  let request: @Sendable () -> String
  /// Returns lines that say how a request with these mismatches, and no others, can receive the response.
  let advice: @Sendable ([RequestMatcher.Mismatch]) -> [String]
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
/// print(HTTPStubs.explain(request))
/// // GET https://api.example.com/users/43 is answered by no stub
/// //   isPath("/users/42") (AppTests/UserTests.swift:12)
/// //     path: expected /users/42, got /users/43
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
  /// The request.
  public let request: URLRequest
  /// The stub that would answer, or `nil` if none would, or if that depends on an unknown body.
  public var stub: Stub? { isCertain ? found : nil }
  /// The first stub whose condition is certainly met.
  let found: Stub?
  /// The stubs that were asked before that one, newest first, or all stubs if none would answer.
  public let candidates: [NearMiss]
  /// A Boolean value that indicates whether no earlier stub hangs on a body that isn't known.
  let isCertain: Bool

  /// The stub that would answer, followed by what differs for each one that was asked before.
  public var description: String {
    let answer = ("is answered by \(found.map { "\($0)" } ?? "no stub")").onOneLine
    let verdict = isCertain ? answer : "\(answer), unless its body, which is not known, meets one of these conditions"
    let lines = candidates.flatMap { $0.lines(limit: .max) }.map { "  \($0)" }
    return (["\(request.summary) \(verdict)"] + lines).lines
  }
}
