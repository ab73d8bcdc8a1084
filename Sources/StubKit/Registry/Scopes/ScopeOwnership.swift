import Dispatch
import Foundation

/// A reference to a registry that can be released on a queue of URLSession.
///
/// The stubs of a registry keep the user's values, which can use URLSession when they are released. That traps on
/// URLSession's queues. If this is the last reference, the registry is therefore released elsewhere.
final class RegistryReference: Sendable {
  // Safe because it is retained by `init`, and released once, by `deinit` or on its behalf.
  private let reference: Unmanaged<StubRegistry>

  init(_ registry: StubRegistry) { reference = .passRetained(registry) }

  deinit {
    let requests = registry.inFlight
    // Without this check, releasing could end the registry here.
    let released = requests.whileKept { reference.release() }
    if !released { DispatchQueue.global().async { [reference] in reference.release() } }
  }

  var registry: StubRegistry { reference.takeUnretainedValue() }
}

/// The time from the beginning of a registry's scope to its end, or from its end to the next beginning. A request
/// belongs to the generation in which it was made.
struct ScopeGeneration {
  let requests: RequestsInFlight
  let number: UInt64

  var isOver: Bool { requests.table.withLock { $0.isOver(number) } }

  /// A generation that never ends.
  static let always = RequestsInFlight().generation
}

/// What serves a request, and ends with its scope.
protocol ScopeBound: AnyObject, Sendable {
  /// Ends, on any thread.
  func scopeEnds(with error: any Error)
}

/// A scope that has ended, and has created a session that is still in use.
struct EndedCreator: CustomStringConvertible {
  /// The name of its test, or `nil` if it is unknown.
  let test: String?

  var description: String { test ?? "a scope" }
}
