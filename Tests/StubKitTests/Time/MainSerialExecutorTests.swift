#if os(Linux)
  import Glibc
  import TestSupport
  import Testing

  import StubKit

  @Suite("A manual clock and a main serial executor", .inTurn)
  struct MainSerialExecutorTests {
    // The library is swift-concurrency-extras. Its switch applies to the whole process.
    @Test("go together, inside of withMainSerialExecutor and outside of it", .startsProcess)
    func moves() async {
      await #expect(processExitsWith: .success) {
        await Self.withMainSerialExecutor { await Self.useClock("inside") }
        let clock = ManualClock()
        await clock.run {
          await Self.withMainSerialExecutor { await Task.detached { await Task.yield() }.value }
          try? await clock.sleep(for: .seconds(1))
        }
        await Self.useClock("outside")
      }
    }

    private static func useClock(_ place: String) async {
      let clock = ManualClock()
      let client = Task { for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) } }
      await clock.waitForPending()
      await clock.advance(by: .seconds(1))
      _ = await clock.run { await client.result }
      precondition(clock.elapsed == .seconds(3), place)
    }

    /// Sets the runtime's hook for ready tasks, as swift-concurrency-extras does.
    private static func withMainSerialExecutor(_ body: @Sendable () async -> Void) async {
      typealias Original = @convention(thin) (UnownedJob) -> Void
      typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
      let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")!.assumingMemoryBound(to: Hook?.self)
      hook.pointee = { job, _ in MainActor.shared.enqueue(job) }
      await body()
      hook.pointee = nil
    }
  }
#endif
