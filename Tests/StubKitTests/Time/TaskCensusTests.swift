import Testing

@testable import StubKit

@Suite("The numbers of Swift tasks", .inTurn)
struct TaskCensusTests {
  /// If this fails with a new version of Swift, a clock's `run` has become slow: see `TaskNumber`.
  @Test("are in the descriptions of this runtime's jobs, and grow")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func description() throws {
    let first = try #require(TaskNumber.next)
    Task {}
    #expect(try #require(TaskNumber.next) > first + 1)
  }

  @Test(
    "are read from the whole description, or not at all",
    arguments: [
      ("ExecutorJob(id: 42)", 42), ("ExecutorJob(id: 18446744073709551615)", .max), ("ExecutorJob(id: )", nil),
      ("ExecutorJob(id: 0x2a)", nil), ("ExecutorJob(id: 42, priority: 21)", nil), ("ExecutorJob(42)", nil),
      ("Job(id: 42)", nil), ("ExecutorJob(id: -1)", nil), ("ExecutorJob(id: 18446744073709551616)", nil), ("", nil),
    ] as [(String, UInt64?)])
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func format(description: String, number: UInt64?) { #expect(TaskNumber.number(in: description) == number) }

  @Test(
    "say nothing if they can't be read, stand still, or fall",
    arguments: [[nil, nil, nil], [7, nil, 7], [7, 7, 7], [9, 8, 7]] as [[UInt64?]])
  func fallback(numbers: [UInt64?]) {
    var census = TaskCensus()
    for number in numbers { #expect(census.noteNewTasks { number } == nil) }
  }

  @Test("that grow by more than the clock's own tasks are those of others")
  func growth() {
    var census = TaskCensus()
    _ = census.noteNewTasks { 7 }
    // Other clocks of the process make tasks, too.
    #expect(census.noteNewTasks { 1_000_000_000 } != false)
  }
}
