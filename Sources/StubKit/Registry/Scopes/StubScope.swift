import Dispatch
import Foundation

// Five words for what becomes of a scope, by an example:
//
//     try await withStubs {  // The depth is 1, and the generation is the first one.
//       client.refresh()  // The request belongs to that generation. Its handler runs in a CallbackScope.
//     }  // The depth is 0. What is in flight fails, and the generation is over.
//
// - Depth: how many scopes of a registry are running, nested or side by side. Only the end of the last one counts.
// - Generation: the time between two such ends. A registry can have a scope again, and then has another generation.
// - Kept: a running scope keeps its registry alive. Others keep it by a RegistryReference, which lets go of it
//   elsewhere than on a queue of URLSession.
// - Over: a generation whose end has come. Nothing of it is delivered any more.
// - Late: a request that the client's handler makes when the generation of its own request is over. It fails.
//
// The first tests to read are "fails what is in flight when it ends" in `ScopeTests.swift`, and "is the requester's in
// a completion handler" in `CallbackScopeTests.swift`.

/// Runs code in a scope: it has its own stubs, and code outside doesn't see its stubs and requests.
///
/// ```swift
/// let user = try await withStubs {
///   stub(
///     .get, "https://api.example.com/users/42",
///     response: .json(["id": 42]))
///   return try await client.user(42)
/// }
/// ```
///
/// Child tasks, task groups and `Task { }` that start inside belong to the scope too. A detached task and a plain
/// queue don't. When the outermost scope of a registry ends, requests that are still in flight fail with
/// ``StubScopeEndedError``. The function then waits until the client's handlers have returned, for a second at most.
///
/// - Parameters:
///   - registry: The registry to use. Defaults to a new one. Pass ``StubRegistry/current`` to share the stubs of the
///     enclosing scope.
///   - isolation: The actor that runs the body. Defaults to that of the caller.
///   - body: The code to run. If it contains `#expect(try …)`, begin it with `() async throws in`, or better assign
///     the value to a constant first. Swift does not infer from a macro that a closure throws.
/// - Returns: The value that the body returns.
@discardableResult
public func withStubs<R>(
  in registry: StubRegistry = .init(), isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async rethrows -> R {
  registry.openScope()
  do {
    let result = try await StubRegistry.$local.withValue(registry, operation: body)
    await registry.closeScope(isWhole: true, isolation: isolation)
    return result
  } catch {
    await registry.closeScope(isWhole: false, isolation: isolation)
    throw error
  }
}

/// Runs synchronous code in a scope. See ``withStubs(in:isolation:_:)``.
///
/// ```swift
/// let printed = withStubs {
///   let user = stub(
///     .get, "https://api.example.com/users/42",
///     response: .status(204))
///   return user.description
/// }
/// ```
@discardableResult
public func withStubs<R>(in registry: StubRegistry = .init(), _ body: () throws -> R) rethrows -> R {
  registry.openScope()
  var isWhole = false
  defer { registry.closeScope(isWhole: isWhole) }
  let result = try StubRegistry.$local.withValue(registry, operation: body)
  isWhole = true
  return result
}

/// An error that says that the scope of a request has ended. The request was still in flight, or was made later:
/// through a session of the scope, in a handler of one of its requests, or outside of every scope when none was open
/// any more.
///
/// Wait for the request inside the scope, or cancel it there. A session that outlives the scope that created it, as a
/// static one does, can be used in a later scope. If code outside of scopes may use the network, set
/// ``HTTPStubs/unscoped``.
public struct StubScopeEndedError: StubKitError, Hashable {
  enum Reason: Int {
    case inFlight = 1
    /// The request was made later, and belongs to the scope only by its session.
    case session
    /// A callback of a request of the scope made the request later.
    case callback
    /// The request was made outside of every scope when none was open any more.
    case outside
  }
  private let reason: Reason

  init(_ reason: Reason = .inFlight) { self.reason = reason }

  /// What happened, and what to do about it.
  public var description: String {
    switch reason {
    case .inFlight:
      "The withStubs scope (or stubbed test) that the request belongs to ended while the request was in flight. "
        + "Wait for the request inside the scope, or cancel it there."
    case .session:
      "The request's session was created in a withStubs scope (or stubbed test) that has ended, or belongs to its "
        + "registry. Wait for the request inside the scope, or create a session in each scope."
    case .callback:
      "A handler of another request made the request after the withStubs scope (or stubbed test) that they belong to had "
        + "ended. Wait inside the scope until the handlers have run."
    case .outside:
      "The request was made outside of every scope, on a queue, on a thread or in a detached task, when no withStubs scope "
        + "(or stubbed test) was open any more. If a test has left it behind, let the test wait for it, or create its "
        + "session in the test. If code outside of scopes may use the network, write once: "
        + "HTTPStubs.unscoped = .passThrough."
    }
  }

  /// The code of the error as an `NSError`: 1 for a request that was in flight at the end, 2 for a later one of a
  /// session of the scope, 3 for any other later one.
  public var errorCode: Int { min(reason.rawValue, 3) }
}

extension StubRegistry {
  fileprivate func openScope() {
    guard inFlight.changeDepth(by: 1) == 1 else { return }
    OpenScopes.shared.open(self, inside: StubRegistry.local, isOfSwiftTesting: RunningTest.opensScope())
  }

  /// Ends what is in flight. Returns the generation that is over if some of its callbacks have yet to return.
  private func endScope(isWhole: Bool) -> UInt64? {
    guard inFlight.changeDepth(by: -1) == 0 else { return nil }
    judgeCallsOfScope(isWhole: isWhole)
    OpenScopes.shared.close(self)
    let ended = inFlight.endAll(with: StubScopeEndedError())
    return hasCallbacks(of: ended) ? ended : nil
  }

  private func hasCallbacks(of generation: UInt64) -> Bool {
    inFlight.table.withLock { $0.callbackCount(of: generation) > 0 }
  }

  fileprivate func closeScope(isWhole: Bool, isolation: isolated (any Actor)?) async {
    guard let ended = endScope(isWhole: isWhole) else { return }
    // In a task of its own, because the end waits in a cancelled task, too.
    let wait = OwnTasks.make {
      Task { [inFlight] in
        _ = await inFlight.table.wait(atMost: Self.patience, until: { $0.callbackCount(of: ended) == 0 })
      }
    }
    await wait.value
    tellWhatIsUnderWay(of: ended)
  }

  /// The queue of the callbacks can be the main one, whose run loop must not stand still. In a callback, the queue
  /// would wait for itself. There, the scope of that callback waits.
  fileprivate func closeScope(isWhole: Bool) {
    guard let ended = endScope(isWhole: isWhole), !RequestCallbacks.isRunning else { return }
    let isMain = Thread.isMainThread
    // In a task of the main actor, its queue is busy with that task, and its run loop would serve nothing.
    if isMain, withUnsafeCurrentTask(body: { $0 != nil }) { return }
    let end = Duration.now() + Self.patience
    while hasCallbacks(of: ended), Duration.now() < end {
      if isMain { RunLoop.main.runShortly() } else { Thread.sleep(forTimeInterval: 0.001) }
    }
    tellWhatIsUnderWay(of: ended)
  }

  /// How long the end of a scope waits for callbacks, in real time.
  private static var patience: Duration { .seconds(1) }

  private func tellWhatIsUnderWay(of ended: UInt64) {
    let requests = Set(inFlight.withCallbacks(of: ended).map { $0.summary(in: .shared) }).sorted()
    guard !requests.isEmpty else { return }
    let list = requests.cut(to: 6) { "\($0) more" }.listed
    let sentence =
      "\(list) \(requests.count == 1 ? "was" : "were") still under way when \(test ?? "a withStubs scope") ended. Wait there "
      + "until the client's handlers have returned."
    if !RunningTest.record(sentence, at: nil, isWarning: true) { RequestWarnings.write(sentence) }
  }
}

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
    /// The request whose callbacks they are.
    var entry: JournalEntry?
    var completions: [Work] = []
  }

  init(in scope: CallbackScope?) { self.scope = scope }

  /// A callback that was dropped with its queue has not returned, and never will.
  deinit {
    let (entry, completions) = state.withLock { ($0.entry, $0.completions) }
    entry?.returnsCallbacks()
    for completion in completions { completion() }
  }

  /// The next callback is the last one, and only resumes an async call.
  func resumeAwaiter() { state.withLock { $0.threadsOfAwaiter = .global(qos: CooperativePool.of(priority).quality) } }

  /// Adds a callback that is about to be enqueued.
  ///
  /// - Returns: The threads on which the task of an async call goes on, if the callback does nothing but resume it, or
  ///   else `nil`.
  @discardableResult
  func begin() -> DispatchQueue? {
    state.withLock { state in
      state.pendingCount += 1
      return state.threadsOfAwaiter
    }
  }

  /// A callback has returned.
  func end() { update { $0.pendingCount -= 1 } }

  /// The last callback has been added.
  func complete() { update { $0.isComplete = true } }

  /// Runs a callback that was added.
  func run(_ callback: () -> Void) {
    Self.$isRunning.withValue(true) { if let scope { scope.run(callback) } else { callback() } }
    end()
  }

  /// Tells a request when the last callback has returned, in place of the request of the task before it.
  func follow(_ entry: JournalEntry) { update { $0.entry = entry } }

  /// Runs a closure when the last callback has returned, on any thread. It runs now if that is so already.
  func whenOver(_ completion: @escaping Work) { update { $0.completions.append(completion) } }

  private func update(_ change: (inout State) -> Void) {
    let (entry, completions) = state.withLock { state -> (JournalEntry?, [Work]) in
      change(&state)
      guard state.isComplete, state.pendingCount == 0 else { return (nil, []) }
      return (state.entry.take(), exchange(&state.completions, with: []))
    }
    entry?.returnsCallbacks()
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
