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
