import Foundation

/// The observers of a registry's requests: its callbacks, and the readers of its events.
final class StubObservers: Sendable {
  struct Callbacks {
    var activation: (@Sendable (URLRequest, Stub, StubResponse) -> Void)?
    var redirect: (@Sendable (URLRequest, URLRequest, Stub, StubResponse) -> Void)?
    var finish: (@Sendable (URLRequest, Stub, StubResponse, (any Error)?) -> Void)?
    var missing: (@Sendable (URLRequest) -> Void)?

    var isEmpty: Bool { activation == nil && redirect == nil && finish == nil && missing == nil }

    func call(for event: StubEvent) {
      guard let stub = event.stub, let response = event.response else {
        missing?(event.request)
        return
      }
      if event.kind == .activation {
        activation?(event.request, stub, response)
      } else if event.kind == .finish {
        finish?(event.request, stub, response, event.error)
      } else if let redirected = event.redirected {
        redirect?(event.request, redirected, stub, response)
      }
    }
  }

  private struct State {
    var callbacks = Callbacks()
    var readers: [UInt64: StubEventQueue] = [:]
    var lastNumber: UInt64 = 0
    /// A Boolean value that indicates whether some stub has a callback of its own.
    var watchesStubs = false
  }
  private let state = Protected(State())

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.finish() }
  }

  var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty && $0.readers.isEmpty && !$0.watchesStubs } }

  func watchStubs() { state.withLock { $0.watchesStubs = true } }

  func set(_ change: (inout Callbacks) -> Void) {
    // The values that the old callback holds belong to the user, and are released outside the lock.
    let replaced = state.withLock { state in
      defer { change(&state.callbacks) }
      return state.callbacks
    }
    _ = consume replaced
  }

  func makeReader() -> AsyncStream<StubEvent> {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let (queue, stream) = StubEventQueue.make { [weak self] in
      let reader = self?.state.withLock { $0.readers.removeValue(forKey: number) }
      _ = consume reader
    }
    state.withLock { $0.readers[number] = queue }
    return stream
  }

  /// Calls the user's code.
  func tell(_ event: StubEvent) {
    let (callbacks, readers) = state.withLock { ($0.callbacks, $0.readers) }
    for reader in readers.values { reader.add(event) }
    callbacks.call(for: event)
  }
}
