#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The hand-overs from `canInit` to the loads that follow. Each has a key that both can find, and the platform
  /// determines the key.
  ///
  /// Without a key, a load receives the registry that took a request last.
  final class HandOverTable: Sendable {
    private let state = Protected(State())

    private struct State {
      var handOvers: [UInt: HandOver] = [:]
      var lastRegistry: StubRegistry?
    }

    /// Replaces what another task left under the same key. A key is reused when its task is gone.
    func leave(_ handOver: HandOver, under key: UInt?) {
      let replaced = state.withLock { state -> HandOver? in
        guard let key else {
          state.lastRegistry = handOver.registry
          return nil
        }
        return state.handOvers.updateValue(handOver, forKey: key)
      }
      _ = consume replaced
    }

    func take(under key: UInt?) -> HandOver? {
      state.withLock {
        if let key { $0.handOvers.removeValue(forKey: key) } else { $0.lastRegistry.map(HandOver.init(registry:)) }
      }
    }
  }
#endif
