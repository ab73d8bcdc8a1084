import Foundation

/// Reads the numbers that the runtime gives to Swift tasks as they are made, one after another.
///
/// They are only in the description of a job, whose format no document promises.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TaskNumber: TaskExecutor {
  private let number = Protected<UInt64?>(nil)

  /// The number of a task that is made for that purpose, or `nil` if the runtime describes its jobs in another way.
  static var next: UInt64? {
    let reader = TaskNumber()
    Task.detached(executorPreference: reader) {}
    return reader.number.current
  }

  /// Runs the job at once: the task does nothing.
  func enqueue(_ job: consuming ExecutorJob) {
    // "ExecutorJob(id: 42)"
    let digits = job.description.split { $0 == " " || $0 == ")" }.last
    number.current = digits.flatMap { UInt64($0) }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The Swift tasks that StubKit makes for itself. They use no timeline.
package enum OwnTasks {
  private static let made = Protected<UInt64>(0)

  static var count: UInt64 { made.current }

  /// Runs a closure that makes one. It is counted at the same moment.
  @discardableResult
  package static func make<Made>(_ body: () -> Made) -> Made {
    made.withLock { made in
      made += 1
      return body()
    }
  }
}

/// The number of the last Swift task of the process, and of StubKit's own by then.
struct TaskCensus {
  private var last: (number: UInt64, ownCount: UInt64)?

  /// Returns whether others have made a task since the last call. `nil` means that it isn't known: the numbers can't be
  /// read, don't grow, or don't count StubKit's own tasks, or one of these was made meanwhile.
  mutating func noteNewTasks() -> Bool? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    let before = OwnTasks.count
    guard let number = TaskNumber.next, OwnTasks.count == before else {
      last = nil
      return nil
    }
    defer { last = (number, before) }
    let ownCount = 1 + before - (last?.ownCount ?? 0)
    guard let last, number >= last.number + ownCount else { return nil }
    return number > last.number + ownCount
  }
}
