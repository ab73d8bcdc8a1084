#if os(Linux)
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("A manual clock beside a library that runs all tasks on the main thread", .inTurn)
  struct MainSerialExecutorTests {
    #if compiler(>=6.2)
      @Test("leaves the runtime as it is, in whatever order they are used", arguments: Order.allCases)
      func order(_ order: Order) async {
        // The library's switch applies to the whole process.
        let outcome: ExitTest.Result? =
          switch order {
          case .capabilities: await #expect(processExitsWith: .success) { await Order.capabilities.check() }
          case .clockFirst: await #expect(processExitsWith: .success) { await Order.clockFirst.check() }
          case .clockLast: await #expect(processExitsWith: .success) { await Order.clockLast.check() }
          case .clockInside: await #expect(processExitsWith: .success) { await Order.clockInside.check() }
          case .clockOutside: await #expect(processExitsWith: .success) { await Order.clockOutside.check() }
          case .alternating: await #expect(processExitsWith: .success) { await Order.alternating.check() }
          case .parallel: await #expect(processExitsWith: .success) { await Order.parallel.check() }
          }
        _ = outcome
      }
    #endif
  }

  enum Order: CaseIterable {
    case capabilities, clockFirst, clockLast, clockInside, clockOutside, alternating, parallel

    fileprivate func check() async {
      switch self {
      case .capabilities:
        _ = "\(StubKitCapabilities.current)"
        await TaskHook.run {}
      case .clockFirst:
        await Self.useClock()
        await TaskHook.run { await Self.hop() }
      case .clockLast:
        await TaskHook.run { await Self.hop() }
        await Self.useClock()
      case .clockInside:
        await TaskHook.run { await Self.useClock() }
      case .clockOutside:
        let clock = ManualClock()
        await clock.run {
          await TaskHook.run { await Self.hop() }
          try? await clock.sleep(for: .seconds(1))
        }
      case .alternating:
        for _ in 0..<20 {
          await TaskHook.run { await Self.useClock() }
          await Self.useClock()
        }
      case .parallel:
        await withTaskGroup(of: Void.self) { group in
          // The library's own tests run one after another, as it asks for.
          group.addTask { for _ in 0..<20 { await TaskHook.run { await Self.hop() } } }
          for _ in 0..<20 { group.addTask { await Self.useClock() } }
        }
      }
      precondition(!TaskHook.isOn, "All tasks of the process run on the main thread.")
      await Self.hop()
    }

    private static func hop() async { await Task.detached { await Task.yield() }.value }

    private static func useClock() async {
      let clock = ManualClock()
      let client = Task { for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) } }
      await clock.waitForPending()
      await clock.advance(by: .seconds(1))
      _ = await clock.run { await client.result }
      precondition(clock.elapsed == .seconds(3))
    }
  }
#endif
