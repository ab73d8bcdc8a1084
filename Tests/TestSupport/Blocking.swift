import Foundation

/// Runs work that blocks on a thread of its own. On a thread of Swift's tasks it would hold up other tests: a machine
/// with two cores has two of those.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
  }
}
