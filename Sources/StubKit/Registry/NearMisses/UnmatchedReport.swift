import Foundation

/// The report of an unmatched request: at most 25 lines of 100 characters, except for long file names, and more only if
/// stubs of several other scopes match.
struct UnmatchedReport {
  let request: URLRequest
  let stubCount: Int
  let nearest: [NearMiss]
  /// The lines about other scopes.
  let elsewhere: [String]

  var lines: [String] {
    let prefix = "No stub matches "
    var lines = [prefix + Excerpt.middle(request.summary, 100 - prefix.count), heading]
    for miss in nearest { lines += miss.lines(limit: 4).map { "  \($0)" } }
    lines += elsewhere
    lines.append(
      "Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough.")
    return lines
  }

  private var heading: String {
    switch stubCount {
    case 0: "There are no stubs where the request was made."
    case 1: "There is 1 stub:"
    case nearest.count: "There are \(stubCount) stubs, nearest first:"
    default: "The nearest of \(stubCount) stubs:"
    }
  }
}
