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
  package init(_ stub: Stub, _ facts: inout RequestFacts, in registry: StubRegistry) {
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
