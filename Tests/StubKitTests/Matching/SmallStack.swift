import Foundation

/// Runs the work on a thread with a stack of half a megabyte, as Dispatch's threads have on Apple platforms.
func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
  onStack(ofBytes: 512 << 10, work)
}

/// Runs the work on a thread of its own with a stack of that size, and waits for it.
func onStack<Result: Sendable>(ofBytes size: Int, _ work: @escaping @Sendable () -> Result) -> Result {
  let done = DispatchSemaphore(value: 0)
  // Holds: written by the thread before it signals, read here after that.
  nonisolated(unsafe) var result: Result?
  let thread = Thread {
    autoreleasing { result = work() }
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  done.wait()
  return result!
}

/// Has what the work made end before the call does.
private func autoreleasing(_ work: () -> Void) { work() }
