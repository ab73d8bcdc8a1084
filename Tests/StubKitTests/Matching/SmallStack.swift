import Foundation

@testable import StubKit

/// Whether the thread sanitizer watches. Its code takes a multiple of the room on the stack, and its own list of calls ends at 65,536.
let isSanitized = ProcessInfo.processInfo.environment["STUBKIT_SANITIZER"] != nil

/// Runs the work on a thread with a stack of half a megabyte, as Dispatch's threads have on Apple platforms.
func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
  onStack(ofBytes: (isSanitized ? 4 : 1) * 512 << 10, work)
}

/// Runs the work on a thread of its own with a stack of that size, and waits for it.
///
/// The thread has let go of the work, and of all that it holds, before the call returns: what nests too deep for the thread's
/// stack must not end there.
func onStack<Result: Sendable>(ofBytes size: Int, _ work: @escaping @Sendable () -> Result) -> Result {
  let done = DispatchSemaphore(value: 0)
  let (kept, result) = (Protected<(@Sendable () -> Result)?>(work), Protected<Result?>(nil))
  let thread = Thread {
    run(kept, result)
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  done.wait()
  return result.withLock { $0! }
}

/// A function of its own, so that everything it holds has gone when it returns.
private func run<Result: Sendable>(_ work: Protected<(@Sendable () -> Result)?>, _ result: Protected<Result?>) {
  let made = work.withLock { work in
    defer { work = nil }
    return work
  }?()
  result.withLock { $0 = made }
}
