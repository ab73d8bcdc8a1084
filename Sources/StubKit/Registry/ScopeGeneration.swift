import Foundation

/// The time from the beginning of a registry's scope to its end, or from its end to the next beginning. A request
/// belongs to the generation in which it was made.
struct ScopeGeneration {
  let requests: RequestsInFlight
  let number: UInt64

  var isOver: Bool { requests.table.withLock { $0.isOver(number) } }

  /// A generation that never ends.
  static let always = RequestsInFlight().generation
}
