import Dispatch

/// The scope in which the callbacks of a request run.
///
/// A client may request page 2 in the completion handler of page 1. URLSession calls that handler on a queue of its
/// own, where no task-local value is left. StubKit therefore calls it in the scope that made the request.
///
/// ```swift
/// session.dataTask(with: page1) { _, _, _ in
///   session.dataTask(with: page2).resume()  // This belongs to the scope of page 1.
/// }.resume()
/// ```
///
/// `StubScope.swift` explains generations, and what is kept, over or late. The first test to read is "is that of every
/// page of a chain" in `CallbackScopeTests.swift`.
///
/// If the scope of the request was only inferred, or is unclear, its callbacks don't run in a scope. But they know when
/// each scope that can have made the request is over. From then on, their requests fail like those of other callbacks,
/// so a client that tries again reaches neither the network nor the stubs of another test.
final class CallbackScope: Sendable {
  /// The scope of the callback that runs on this thread, or `nil` outside of callbacks.
  @TaskLocal static var current: CallbackScope?

  /// The scope of callbacks whose scope has ended: their requests fail with ``StubScopeEndedError``.
  static let ended = CallbackScope(someOf: [])
  /// The scope of the callbacks of a test that is known to have no scope. They keep the network.
  static let unscoped = CallbackScope(someOf: [.always])

  /// The registry that certainly made the request, or `nil`.
  private let reference: RegistryReference?
  /// The generations of the scopes that can have made the request. It is late if all of them are over.
  private let generations: Protected<[ScopeGeneration]>

  /// Creates the scope for a request that was made in one of several generations.
  ///
  /// - Parameter registry: The registry that certainly made it, or `nil`.
  init(_ registry: StubRegistry? = nil, someOf generations: [ScopeGeneration]) {
    reference = registry.map(RegistryReference.init)
    self.generations = Protected(generations)
  }

  var registry: StubRegistry? { reference?.registry }

  /// The generation in which the request was certainly made, or `nil`.
  var generation: ScopeGeneration? { registry == nil ? nil : generations.withLock(\.first) }

  func run(_ callback: () -> Void) {
    Self.$current.withValue(self) {
      guard let registry else { return callback() }
      StubRegistry.$local.withValue(registry, operation: callback)
    }
  }

  /// Returns whether a request that a callback makes comes too late.
  ///
  /// - Parameter registry: The registry of the code that makes the request. It is another one than that of the scope if
  ///   the callback has opened a scope of its own.
  func isOver(for registry: StubRegistry?) -> Bool {
    registry === self.registry && generations.withLock { $0.allSatisfy(\.isOver) }
  }

  /// Lets the callbacks of a request go that belongs to no scope after all.
  func release() { if registry == nil { generations.withLock { $0 = [.always] } } }
}

/// The callbacks of one request: the scope in which they run, and how many have yet to return.
///
/// A callback is the client's completion handler, a method of its delegate, or what resumes its async call.
final class RequestCallbacks: Sendable {
  /// A Boolean value that indicates whether this code runs in a callback, or in a task that one has made.
  @TaskLocal static var isRunning = false

  /// The scope of the callbacks, or `nil` if they run in none.
  let scope: CallbackScope?
  private let priority = Task.currentPriority
  private let state = Protected(State())

  private struct State {
    var threadsOfAwaiter: DispatchQueue?
    /// The number of callbacks that wait or run.
    var pendingCount = 0
    /// A Boolean value that indicates whether the last one has been added.
    var isComplete = false
    var completions: [Work] = []
  }

  init(in scope: CallbackScope?) { self.scope = scope }

  /// A callback that was dropped with its queue has not returned, and never will.
  deinit { for completion in state.withLock(\.completions) { completion() } }

  /// The threads on which the task of an async call goes on, if the next callback does nothing but resume it, or else
  /// `nil`.
  var threadsOfAwaiter: DispatchQueue? { state.withLock(\.threadsOfAwaiter) }

  /// The next callback is the last one, and only resumes an async call.
  func resumeAwaiter() { state.withLock { $0.threadsOfAwaiter = .global(qos: CooperativePool.of(priority).quality) } }

  /// Adds a callback that is about to be enqueued.
  func begin() { state.withLock { $0.pendingCount += 1 } }

  /// A callback has returned.
  func end() { update { $0.pendingCount -= 1 } }

  /// The last callback has been added.
  func complete() { update { $0.isComplete = true } }

  /// Runs a callback that was added.
  func run(_ callback: () -> Void) {
    Self.$isRunning.withValue(true) { if let scope { scope.run(callback) } else { callback() } }
    end()
  }

  /// Runs a closure when the last callback has returned, on any thread. It runs now if that is so already.
  func whenOver(_ completion: @escaping Work) { update { $0.completions.append(completion) } }

  private func update(_ change: (inout State) -> Void) {
    let completions = state.withLock { state -> [Work] in
      change(&state)
      guard state.isComplete, state.pendingCount == 0 else { return [] }
      return exchange(&state.completions, with: [])
    }
    for completion in completions { completion() }
  }
}

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
