import Testing

@testable import StubKit

@Suite("The numbers of Swift tasks", .inTurn)
struct TaskCensusTests {
  /// If this fails with a new version of Swift, a clock's `run` has become slow: see `TaskNumber`.
  @Test("are in the descriptions of jobs, and grow")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func description() throws {
    let first = try #require(TaskNumber.next)
    Task {}
    #expect(try #require(TaskNumber.next) > first + 1)
  }
}
