import Testing

/// Waits until a closure's argument is resumed, and fails the test if that does not happen in time.
///
/// As `withCheckedThrowingContinuation`, which waits for ever.
package func untilResumed<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Resumption<Value>) throws -> Void
) async throws -> Value {
  let resumption = Resumption<Value>()
  try body(resumption)
  try await until("the handler is called", sourceLocation: sourceLocation) { resumption.result != nil }
  return try #require(resumption.result).get()
}

/// What a handler resumes once.
package final class Resumption<Value: Sendable>: Sendable {
  private let state = Locked<Result<Value, any Error>?>(nil)

  fileprivate var result: Result<Value, any Error>? { state.withLock { $0 } }

  package func resume(with result: Result<Value, any Error>) {
    let isFirst = state.withLock { state in
      defer { state = state ?? result }
      return state == nil
    }
    if !isFirst { Issue.record("The handler was called twice: the second time with \(result).") }
  }

  package func resume(returning value: Value) { resume(with: .success(value)) }

  package func resume() where Value == Void { resume(with: .success(())) }
}
