#if os(Linux)
  import Dispatch

  /// Tries whether the seam of the runtime shows tasks as `JobWatch` expects it, with one that starts another.
  final class JobTrial: Sendable {
    private let hook: JobHook
    private let seen = Protected([UInt64?]())

    init(_ hook: JobHook) { self.hook = hook }

    /// The seam has shown a job, with the number of its task.
    func saw(_ number: UInt64?) { seen.withLock { $0.append(number) } }

    /// Call this where jobs are reported to `saw(_:)`, those of the first task included.
    func succeeds() -> Bool {
      let numbers = Protected([UInt64?]())
      let isOver = DispatchSemaphore(value: 0)
      Task.detached { [hook] in
        numbers.withLock { $0.append(hook.currentNumber) }
        Task.detached {
          numbers.withLock { $0.append(hook.currentNumber) }
          isOver.signal()
        }
      }
      guard isOver.wait(timeout: .now() + 5) == .success else { return false }
      let (ran, shown) = (numbers.withLock { $0 }, seen.withLock { $0 })
      guard ran.count == 2, ran == shown, let first = ran[0], let second = ran[1] else { return false }
      return first < second
    }
  }
#endif
