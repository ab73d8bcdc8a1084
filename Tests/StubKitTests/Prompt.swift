import Testing

/// Gives tests turns of their own, for those that a process or a watchdog does not wait for.
///
/// All tests of a run begin at once, and Swift tasks of one priority have their turns one after another. A test of the same
/// priority as the others would wait at each of its turns for whatever they compute.
struct Prompt: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      // On Linux, the tasks of a group have their turns among those of the group's own priority.
      let running = Task(priority: .high) { try await function() }
      try await withTaskCancellationHandler {
        try await running.value
      } onCancel: {
        running.cancel()
      }
    }
  }
}

extension Trait where Self == Prompt {
  static var prompt: Self { Prompt() }
}
