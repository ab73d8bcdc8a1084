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
      RequestWarnings.add(.unattributed, description)
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
    let remedy = registry.remedy(for: request)
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
