import Foundation

/// The report of an unmatched request: at most 25 lines of 100 characters, except for long file names, and more only if
/// stubs of several other scopes match.
struct UnmatchedReport {
  let request: URLRequest
  let stubCount: Int
  let nearest: [NearMiss]
  /// The command that records the request, or `nil` if no recording plays where it was made.
  var remedy: String?
  /// The lines about other scopes.
  let elsewhere: [String]

  var lines: [String] {
    let prefix = "No stub matches "
    var lines = [prefix + Excerpt.middle(request.summary, 100 - prefix.count)]
    // The way out comes first, because a long list of entries can hide it.
    if let remedy { lines += ["To add it to the recording, run the test once with", "    \(remedy)"] }
    lines.append(heading)
    for miss in nearest { lines += miss.lines(limit: 4).map { "  \($0)" } }
    lines += elsewhere
    lines.append(
      remedy == nil
        ? "Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough."
        : "Or register a stub for it.")
    return lines
  }

  private var heading: String {
    switch stubCount {
    case 0: "There are no stubs where the request was made."
    case 1: "There is 1 \(noun):"
    case nearest.count: "There are \(stubCount) \(noun)s, nearest first:"
    default: "The nearest of \(stubCount) \(noun)s:"
    }
  }

  /// A report of a recording speaks of requests, because entries of the same request count once.
  private var noun: String {
    nearest.allSatisfy { $0.entry != nil } ? "recorded request" : "stub"
  }
}
