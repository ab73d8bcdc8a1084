import Foundation

// How reports, verifications and failed tests list the requests that were made.

extension RequestJournal {
  /// Returns the newest requests in their order, with what has become of them: at most eight, and the number of those
  /// before them. Empty if there is none of which the reader doesn't know that yet.
  ///
  /// - Parameter said: What the reader knows already.
  package func newestRequests(besides said: [String] = []) -> [String] {
    let (made, droppedCount) = made
    let entries = made.map(\.request)
    let untold = entries.suffix(100).filter { entry in !said.contains { entry.isTold(in: $0) } }.suffix(8)
    guard let first = untold.first else { return [] }
    let isOne = !first.origin.isEmpty && untold.allSatisfy { $0.origin == first.origin }
    let (origin, count) =
      isOne
      ? (StubRegistry.current.shown(first.origin), entries.count { $0.origin == first.origin }) : ("", entries.count)
    let place = isOne ? " to \(origin)" : ""
    // Where the limit of the journal has dropped some, nobody knows to where.
    let isCut = droppedCount > 0
    let heading = isCut ? "The last requests\(place):" : "\(count.requestsMade)\(place):"
    let omission = isCut || count == untold.count ? [] : ["  … \(count - untold.count) more"]
    let lines = untold.flatMap { entry -> [String] in
      let nearest = (entry.outcome.error as? UnmatchedRequestError)?.nearest.first
      let isOffline = entry.outcome.error?.localizedDescription == URLError.offlineSentence
      let stub = isOffline ? nil : entry.stub
      return ["  \(entry.line(below: origin))\(stub.map { ", by the stub \($0)" } ?? "")"]
        + (nearest?.mismatches.prefix(3).map { "     ✗ \($0)" } ?? [])
    }
    return [heading] + omission + lines
  }
}

extension RecordedRequest {
  /// A Boolean value that indicates whether no stub was chosen for the request, whatever became of it.
  var isUnmatched: Bool {
    switch life.search {
    case .decided(byStub: false), .reporting: isSent && missingBody != .pending
    case .made, .running, .decided, .dropped, .unasked, .absent: false
    }
  }

  /// The request and what has become of it, in one line.
  var line: String { line(below: "") }

  /// - Parameter origin: A scheme and a host that the reader knows already.
  fileprivate func line(below origin: String) -> String {
    var summary = request.summary
    if !origin.isEmpty, let range = summary.range(of: " \(origin)") {
      summary.replaceSubrange(range, with: range.upperBound == summary.endIndex ? " /" : " ")
    }
    return "\(summary.middle(100)): \(state)"
  }

  private var state: String {
    if outcome.error is UnmatchedRequestError { return "unmatched" }
    if isUndecided {
      return life.search == .made
        ? "on its way to StubKit"
        : life.isUnread ? "StubKit waits for its body" : "StubKit asks the conditions of stubs"
    }
    let words = String(outcome.description.prefix { !$0.isNewline })
    // Its head was sent, and more was to come.
    guard let status = outcome.status ?? response?.status, outcome != .answered(status: status) else { return words }
    return "\(status), \(words)"
  }

  /// The scheme and the host with its port, or an empty text.
  fileprivate var origin: String {
    guard let scheme = url.scheme, let host = url.host() else { return "" }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }

  /// Returns whether a text names the request with what has become of it.
  fileprivate func isTold(in text: String) -> Bool {
    var tellings = [line]
    if isUnmatched, outcome != .passedThrough {
      let heading = UnmatchedRequestError.heading(of: request)
      tellings += ["\(heading)\n", "\(heading), as"]
    }
    if let error = outcome.error {
      // StubKit's own error is an issue by itself.
      tellings += ["\(request.shortSummary): \(error.cause)"] + ((error as? any StubKitError).map { ["\($0)"] } ?? [])
    }
    return tellings.contains { text.contains($0) }
  }
}

/// A request in a report.
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
