/// A stub that a request came near to, and what kept it from matching.
///
/// Printed, it is what ``UnmatchedRequestError`` says about the stub:
///
/// ```text
/// "user" isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
///   path: expected /users/42, got /users/43
/// ```
///
/// How near it is, is measured in points, and the stubs with the fewest are the nearest; of equally near ones the newer comes
/// first. Each criterion that the request does not meet counts:
///
/// | What differs | Points |
/// | --- | --- |
/// | nothing, but all uses are spent | 1 |
/// | a closure that was not asked, a body that was not read | 4 |
/// | an item's value (query, header, cookie, form field) | 4 to 10, by how much of the value differs |
/// | a Basic credential, a header that a regular expression does not match | 10 |
/// | an item that is not there, or should not be | 12; for all the items of one criterion at most 24 |
/// | the method, the path's extension, something under a `!`; a closure that said no | 10 |
/// | the path | 5 to 40, by how much of it differs; one that a regular expression does not match 25 |
/// | the scheme, the port | 15 |
/// | the host | 15 to 60, by how much of it differs |
/// | the absolute URL | 5 to 60, by how much of it differs |
/// | the body | 5 to 25, by how much of it differs; another kind of body, or none, 28 |
///
/// "How much" is the number of letters to change as a share of the longer text; for a path the share of its segments, if that
/// is less; for JSON the number of values that differ as a share of those asked for. The points of an `&&` add up, of an
/// `||` the nearest side counts.
public struct NearMiss: Sendable, CustomStringConvertible {
  /// One thing that the request has not: what was expected, and what came.
  public typealias Mismatch = MatchReport.Mismatch

  /// The stub.
  public let stub: Stub

  /// What kept the stub from matching, in the order of its condition. Empty for a stub whose condition the request meets:
  /// then its uses are spent.
  public let mismatches: [Mismatch]

  /// Whether all the stub's uses were spent.
  public let isUsedUp: Bool

  /// The stub on a line, and below it what differs.
  public var description: String { lines(limit: .max).joined(separator: "\n") }
}

extension NearMiss {
  /// - Parameter facts: With what the closures said that have been run for the request: none is run here.
  init(_ stub: Stub, _ facts: inout RequestFacts) {
    self.stub = stub
    mismatches = stub.condition.node.mismatches(&facts)
    isUsedUp = stub.isUsedUp
  }

  /// - Parameter limit: How many lines there may be below the first.
  func lines(limit: Int) -> [String] {
    var differences = mismatches.map(\.description)
    if isUsedUp { differences.append("used up: \(stub.usage)") }
    if differences.isEmpty { differences = ["matches: it was registered after the request was made"] }
    if differences.count > limit {
      let more = differences.count - (limit - 1)
      differences = differences.prefix(limit - 1) + ["and \(more) more differences"]
    }
    return [stub.line] + differences.map { "  \($0)" }
  }
}

extension Stub {
  /// Name, condition and place on a line of 96 characters or so.
  var line: String {
    let place = " (\(location))"
    let name = name.map { "\(Excerpt.oneLine(Excerpt.middle("\"\($0)\"", 30))) " } ?? ""
    let condition = Excerpt.oneLine(condition.description)
    return name + Excerpt.middle(condition, max(30, 96 - name.count - place.count)) + place
  }
}
