import Dispatch
import Foundation

// Five words for what becomes of a scope, by an example:
//
//     try await withStubs {  // The depth is 1, and the generation is the first one.
//       client.refresh()  // The request belongs to that generation. Its handler runs in a CallbackScope.
//     }  // The depth is 0. What was made in the scope and is in flight fails, and the generation is over.
//
// - Depth: how many scopes of a registry are running, nested or side by side. Only the end of the last one counts.
// - Generation: the time from such a beginning to such an end. A registry can have a scope again, and then has another
//   generation. The time between two scopes is one, too, which is never over.
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
/// queue don't. When the outermost scope of a registry ends, its requests that are still in flight fail with
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
///
/// - Throws: The error that the body throws.
@discardableResult
public func withStubs<R>(in registry: StubRegistry = .init(), _ body: () throws -> R) rethrows -> R {
  registry.openScope()
  var isWhole = false
  defer { registry.closeScope(isWhole: isWhole) }
  let result = try StubRegistry.$local.withValue(registry, operation: body)
  isWhole = true
  return result
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
    // In a task of the main actor, its queue is busy with that task, and its run loop would serve nothing.
    if Thread.isMainThread, withUnsafeCurrentTask(body: { $0 != nil }) { return }
    inFlight.block(atMost: Self.patience) { $0.callbackCount(of: ended) == 0 }
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
