import Dispatch
import Foundation

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
/// `StubScope.swift` explains generations, and what is kept, over or late. The first test to read is "is the
/// requester's for 50 requests, each made by the handler of the one before" in `CallbackScopeTests.swift`.
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
  /// - Parameter reference: The registry that certainly made it, or `nil`.
  init(_ reference: RegistryReference? = nil, someOf generations: [ScopeGeneration]) {
    self.reference = reference
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
