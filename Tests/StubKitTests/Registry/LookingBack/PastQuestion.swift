import TestSupport
import Testing

@testable import StubKit

/// A question to the past, and whether its answer is right. One about what stays unknown waits a second for it.
struct PastQuestion: Sendable {
  let name: String
  let isRight: @Sendable (String) -> Bool
  let answer: @Sendable () -> String

  init(
    _ name: String, _ isRight: @escaping @Sendable (String) -> Bool,
    by verification: @escaping @Sendable () throws -> Void
  ) {
    self.name = name
    self.isRight = isRight
    answer = { report(verification) }
  }

  init<Value: Equatable & Sendable>(
    _ name: String, is value: Value, _ answer: @escaping @Sendable () -> Value
  ) {
    self.name = name
    isRight = { $0 == "\(value)" }
    self.answer = { "\(answer())" }
  }

  init(_ name: String, saying text: String, _ answer: @escaping @Sendable () -> String) {
    self.name = name
    isRight = { $0.contains(text) }
    self.answer = answer
  }

  /// Asks all at once, each on a thread of its own.
  static func askAll(_ questions: [PastQuestion]) async throws {
    try await withThrowingTaskGroup { group in
      for question in questions {
        group.addTask {
          let answer = try await onOwnThread(question.answer)
          #expect(question.isRight(answer), "\(question.name): \(answer)")
        }
      }
      try await group.waitForAll()
    }
  }
}
