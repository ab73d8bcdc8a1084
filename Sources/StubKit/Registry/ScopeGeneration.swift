import Foundation

/// The time between two ends of a registry's scope. A request belongs to the generation in which it was made.
struct ScopeGeneration {
  let requests: RequestsInFlight
  let number: UInt64

  var isOver: Bool { requests.generation.number != number }

  /// A generation that never ends.
  static let always = RequestsInFlight().generation
}
