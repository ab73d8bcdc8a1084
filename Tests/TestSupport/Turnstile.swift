import Foundation
import StubKit
import Testing

/// Lets a few tests run at a time, and each of them for a while.
///
/// Swift Testing begins all tests of a run at once. Hundreds of them then take turns on the threads of a small machine,
/// and whatever a test measures in real time is the length of that queue.
package struct Turnstile: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  /// Four tests run at a time on each core, because many of them only wait.
  private static let places = Places(count: 4 * ProcessInfo.processInfo.activeProcessorCount)

  /// The seconds after which a test is cancelled, as far as it can be. The longest takes a few of them.
  private static let budget = 300 * Slowdown.factor

  @TaskLocal private static var isInside = false

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The suites around a suite have the trait as well.
    guard !Self.isInside else { return try await function() }
    await Self.places.take()
    defer { Self.places.leave() }
    try await Self.$isInside.withValue(true) {
      try await withoutActuallyEscaping(function) { try await Self.run($0) }
    }
  }

  /// The budget counts the pauses of its own task, so that a process that is stopped for a minute spends none of it.
  private static func run(_ function: @escaping @Sendable () async throws -> Void) async throws {
    let running = Task { try await function() }
    let watching = Task {
      for _ in 0..<budget { try await Task.sleep(for: .seconds(1)) }
      Issue.record("The test was cancelled because it had run for \(budget) seconds.")
      running.cancel()
    }
    defer { watching.cancel() }
    try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      running.cancel()
    }
  }
}

extension Trait where Self == Turnstile {
  /// Waits for a turn before each test. Every suite has this trait first, except for those that a guide shows.
  package static var inTurn: Self { Turnstile() }
}

/// Lets no test that runs a test case of XCTest run beside one that fails outside of its own task. XCTest takes any
/// such failure, because in other processes the frameworks run one after the other.
package struct OneFramework: TestTrait, TestScoping {
  private static let place = Places(count: 1)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.place.take()
    defer { Self.place.leave() }
    try await function()
  }
}

extension Trait where Self == OneFramework {
  package static var oneFramework: Self { OneFramework() }
}

/// A number of places, and who waits for one, in their order.
final class Places: Sendable {
  private let state: Locked<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(count: Int) { state = Locked((count, [])) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
