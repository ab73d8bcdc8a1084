import Foundation

/// What happens after the last response of a sequence.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/job",
///   responses: [.failure(.timedOut), .json(["done": true])],
///   afterLast: .repeatLast)
/// ```
public struct SequenceEnd: Sendable, Hashable, CustomStringConvertible {
  private let name: String

  /// Later requests receive the last response again.
  public static let repeatLast = SequenceEnd(name: "repeatLast")
  /// Later requests receive the responses from the first one on again.
  public static let startOver = SequenceEnd(name: "startOver")
  /// The stub stops matching. An older stub can answer.
  public static let stopMatching = SequenceEnd(name: "stopMatching")

  /// One of `repeatLast`, `startOver` and `stopMatching`.
  public var description: String { name }
}
