/// Reads the numbers that the runtime gives to Swift tasks as they are made, one after another.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TaskNumber: TaskExecutor {
  private let number = Protected<UInt64?>(nil)

  /// The number of a task that is made for that purpose, or `nil` if the runtime doesn't describe its jobs by number.
  static var next: UInt64? {
    let reader = TaskNumber()
    Task.detached(executorPreference: reader) {}
    return reader.number.withLock { $0 }
  }

  /// Runs the job at once: the task does nothing.
  func enqueue(_ job: consuming ExecutorJob) {
    number.withLock { [text = job.description] in $0 = UInt64(text.filter(\.isNumber)) }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// The Swift tasks that StubKit makes for itself. They use no timeline.
enum OwnTasks {
  struct Count: Equatable {
    var begun: UInt64 = 0
    /// The number of those that are made. The others are being made.
    var made: UInt64 = 0
  }

  private static let current = Protected(Count())

  static var count: Count { current.withLock { $0 } }

  /// Runs a closure that makes one.
  @discardableResult
  static func make<Made>(_ body: () -> Made) -> Made {
    current.withLock { $0.begun += 1 }
    defer { current.withLock { $0.made += 1 } }
    return body()
  }
}

/// The number of the last Swift task of the process, and of StubKit's own by then.
struct TaskCensus {
  private var last: (number: UInt64, ownCount: UInt64)?

  /// Returns whether others may have made a task since the last call.
  mutating func noteNewTasks() -> Bool {
    let before = OwnTasks.count
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let number = TaskNumber.next,
      // Nothing is known while one of StubKit's own is being made.
      before.begun == before.made, OwnTasks.count == before
    else {
      last = nil
      return true
    }
    defer { last = (number, before.made) }
    return last.map { number - $0.number > 1 + (before.made - $0.ownCount) } ?? true
  }
}
