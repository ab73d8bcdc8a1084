#if os(Linux)
  import Dispatch
  import Glibc
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The watch on Swift tasks", .inTurn)
  struct JobWatchTests {
    @Test("is active, and says so")
    func active() throws {
      let watch = try #require(JobWatch.shared)
      #expect(watch.isActive)
      let mechanism = StubKitCapabilities.current.mechanisms.first { $0.name == "code watch" }
      #expect(mechanism?.isActive == true)
    }

    @Test("is refused where the runtime has no such seam")
    func unknownSymbol() {
      #expect(JobHook(symbol: "no_such_hook") == nil)
      #expect(JobWatch(hook: JobHook(symbol: "no_such_hook")) == nil)
    }

    @Test("is refused where another library has the seam, which keeps it")
    func taken() async {
      await #expect(processExitsWith: .success) {
        let hook = JobHook()!
        hook.install { job, original in original(job) }
        precondition(JobWatch.shared == nil && !hook.isFree)
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForPending()
        await clock.advance(by: .seconds(1))
        try await sleeper.value
        precondition(!hook.isFree)
      }
    }

    @Test("gives way to a library that takes the seam later")
    func takenLater() async {
      await #expect(processExitsWith: .success) {
        let clock = ManualClock()
        precondition(JobWatch.shared!.isActive)
        let hook = JobHook()!
        hook.install { job, original in original(job) }
        precondition(!JobWatch.shared!.isActive)
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForPending()
        await clock.advance(by: .seconds(1))
        try await sleeper.value
      }
    }

    @Test("leaves jobs alone after the last clock")
    func idle() async {
      await #expect(processExitsWith: .success) {
        do {
          let clock = ManualClock()
          await clock.advance(by: .seconds(1))
        }
        await Task.detached { await Task.yield() }.value
      }
    }
  }
#endif
