import Foundation

/// What affects a response besides its own delay and pace. Most responses have none of it, so it is behind one
/// reference.
package struct Circumstances: Sendable {
  var network: NetworkConditions?
  var gate: ResponseGate?
  var flakiness: Flakiness?
  /// A Boolean value that indicates whether the server accepts the request but never answers.
  var isSilent = false
  /// A Boolean value that indicates whether the request goes to the network instead.
  var isPassedThrough = false
  /// A Boolean value that indicates whether the test sends the response.
  var isControlled = false
  /// A Boolean value that indicates whether a request receives the ranges that it asks for.
  var acceptsRanges = false
  /// A Boolean value that indicates whether the conditions of a request are evaluated.
  var isValidated = false
  var moves: [ScenarioMove] = []
  /// Whether the head is a recorded one, to which no length is added.
  package var isHeadComplete = false
  /// Where a recorded redirect has led, whatever its `Location` says, or `nil` if that says it.
  package var redirectTarget: URL?
  /// What the body's file is there for as long as.
  package var owner: (any AnyObject & Sendable)?

  struct Flakiness: Sendable, Hashable {
    /// The share of the requests that fail.
    let rate: Double
    let code: URLError.Code
    let seed: UInt64?
  }

  /// The reference.
  final class Box: Sendable {
    let value: Circumstances

    init(_ value: Circumstances) { self.value = value }
  }
}

extension Circumstances {
  /// The parts of the response's description.
  var descriptions: [String] {
    var parts: [String] = []
    if gate != nil { parts.append("held by a gate") }
    if let flakiness { parts.append("failing \(flakiness.rate * 100)% of the requests") }
    if let network { parts.append("network: \(network)") }
    if isValidated { parts.append("validated") }
    if acceptsRanges { parts.append("accepting ranges") }
    for move in moves { parts.append("moving \(move.track.name) to \(move.track.text(of: move.state))") }
    return parts
  }
}
