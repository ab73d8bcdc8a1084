import Foundation

/// A registry that answers requests from connections, with the task-local values of the code that serves it.
///
/// Closures see the same task-local values as that code, so an `#expect` in them belongs to its test.
package final class ServingScope: Sendable {
  package let registry: StubRegistry
  private let starts: AsyncStream<@Sendable () -> Void>.Continuation
  private let generation: ScopeGeneration
  private let ticket = Protected<UInt64?>(nil)

  /// Creates the scope for the code that calls this.
  package init(_ registry: StubRegistry) {
    self.registry = registry
    generation = registry.loads.generation
    let (stream, starts) = AsyncStream<@Sendable () -> Void>.makeStream()
    self.starts = starts
    // Not on Swift's own threads, which a test can block while it waits for the client.
    _ = StubRegistry.$local.withValue(registry) {
      // A closure that has its request already runs within its start, and can block.
      Platform.task(on: nil) { for await start in stream { _ = Platform.task(on: nil, beginsHere: false, start) } }
    }
  }

  deinit { close() }

  /// Calls a closure once, on any thread, when the outermost scope of the registry ends, or at once if it has ended. It is
  /// not called after `close()`.
  package func whenScopeEnds(_ end: @escaping @Sendable () -> Void) {
    guard let new = registry.loads.add(of: generation, { _ in end() }) else { return end() }
    ticket.withLock { $0 = new }
  }

  /// Ends the scope. Closures that run already run on.
  package func close() {
    starts.finish()
    if let last = ticket.withLock({ $0.take() }) { registry.loads.remove(last) }
  }

  /// Runs a closure where it sees the task-local values.
  func start(_ start: @escaping @Sendable () -> Void) { starts.yield(start) }
}
