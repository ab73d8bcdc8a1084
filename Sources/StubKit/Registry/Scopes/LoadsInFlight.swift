import Foundation

/// The scopes of a registry, the loads that wait for something, and the closures that end them with their scope.
final class LoadsInFlight: Sendable {
  private let state = Awaitable(State())
  /// A Boolean value that indicates whether the registry lives for ever, in a scope or not.
  private let isForEver: Bool

  private struct State {
    /// The number of running scopes, nested or side by side.
    var depth = 0
    var ends: [UInt64: @Sendable (any Error) -> Void] = [:]
    var next: UInt64 = 0
    var generation: UInt64 = 0
    /// The requests whose callbacks have yet to return, with their generations.
    var requests: [ObjectIdentifier: (request: URLRequest, generation: UInt64)] = [:]

    /// Returns whether a callback of a generation, or of those before it, is under way.
    func hasCallbacks(of generation: UInt64) -> Bool { requests.values.contains { $0.generation <= generation } }
  }

  init(isForEver: Bool = false) { self.isForEver = isForEver }

  func enterScope() { state.withLock { $0.depth += 1 } }

  /// Returns `true` if the last scope was left.
  func leaveScope() -> Bool {
    state.withLock {
      $0.depth -= 1
      return $0.depth == 0
    }
  }

  /// A Boolean value that indicates whether no scope is running.
  var isOutsideOfScopes: Bool { !isForEver && state.withLock { $0.depth == 0 } }

  /// Runs a closure while an open scope certainly holds the registry. Returns `false` if that isn't certain.
  func whileHeld(_ body: () -> Void) -> Bool {
    state.withLock {
      guard isForEver || $0.depth > 0 else { return false }
      body()
      return true
    }
  }

  var count: Int { state.withLock { $0.ends.count } }

  var generation: ScopeGeneration { ScopeGeneration(loads: self, number: state.withLock { $0.generation }) }

  /// Returns the number of the load, or `nil` if the generation is over, because the scope ended between the request
  /// and its load.
  ///
  /// - Parameter end: A closure that is called at most once, on any thread.
  func add(of generation: ScopeGeneration, _ end: @escaping @Sendable (any Error) -> Void) -> UInt64? {
    state.withLock {
      guard generation.number == $0.generation else { return nil }
      $0.next += 1
      $0.ends[$0.next] = end
      return $0.next
    }
  }

  func remove(_ number: UInt64) { state.discard { $0.ends.removeValue(forKey: number) } }

  /// Lets the end of a generation, by default the current one, wait for the callbacks of a request.
  func add(_ callbacks: RequestCallbacks, of request: URLRequest, in generation: ScopeGeneration? = nil) {
    let id = ObjectIdentifier(callbacks)
    state.withLock { $0.requests[id] = (request, generation?.number ?? $0.generation) }
    callbacks.whenOver { [self] in _ = state.update { $0.requests.removeValue(forKey: id) } }
  }

  func hasCallbacks(of generation: UInt64) -> Bool { state.withLock { $0.hasCallbacks(of: generation) } }

  func waitForCallbacks(of generation: UInt64, atMost patience: Duration) async {
    _ = await state.wait(atMost: patience, until: { !$0.hasCallbacks(of: generation) })
  }

  func takeRequestsOfCallbacks(of generation: UInt64) -> [URLRequest] {
    state.update { state in
      let over = state.requests.filter { $0.value.generation <= generation }
      for id in over.keys { state.requests[id] = nil }
      return over.values.map(\.request)
    }
  }

  /// A Boolean value that indicates whether a scope has ended.
  var hasEnded: Bool { state.withLock { $0.generation > 0 } }

  /// Ends the loads of a generation. Returns its number.
  func endAll(with error: any Error) -> UInt64 {
    let (ends, ended) = state.withLock { state in
      state.generation += 1
      return (exchange(&state.ends, with: [:]), state.generation - 1)
    }
    for end in ends.values { end(error) }
    return ended
  }
}

/// The time between two ends of a registry's scope. A load belongs to the generation of its request.
struct ScopeGeneration: Sendable {
  let loads: LoadsInFlight
  let number: UInt64

  var isOver: Bool { loads.generation.number != number }

  /// A generation that never ends.
  static let always = LoadsInFlight().generation
}
