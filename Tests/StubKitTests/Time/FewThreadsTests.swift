#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc
  import TestSupport
  import Testing

  @testable import StubKit

  /// Each measurement is a process of its own, because the threads are there for the whole process.
  @Suite("A manual clock in a process whose tasks have few threads", .inTurn, .serialized)
  struct FewThreadsTests {
    private static let variable = "FEW_THREADS"

    enum Cause: String, CaseIterable {
      case affinity, strictPool, oneThread, mainSerialExecutor
      /// The reader sees a quota, and the process has none.
      case announcedQuota

      fileprivate var command: [String] {
        switch self {
        case .affinity: ["taskset", "-c", "0"]
        case .strictPool: ["env", "LIBDISPATCH_COOPERATIVE_POOL_STRICT=1"]
        case .oneThread, .mainSerialExecutor: ["env"]
        case .announcedQuota:
          [
            "unshare", "--mount", "sh", "-c",
            """
            set -e
            cd $(mktemp -d) && echo 100000 > quota && echo '100000 100000' > max
            [ -e /sys/fs/cgroup/cpu/cpu.cfs_quota_us ] || [ -e /sys/fs/cgroup/cpu.max ]
            for file in /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us; do
              [ ! -e $file ] || mount --bind quota $file
            done
            [ ! -e /sys/fs/cgroup/cpu.max ] || mount --bind max /sys/fs/cgroup/cpu.max
            exec "$@"
            """, "sh",
          ]
        }
      }

      fileprivate func run(_ body: @Sendable () async -> Void) async {
        switch self {
        case .oneThread: await TaskHook.run(on: .oneThread, body)
        case .mainSerialExecutor: await TaskHook.run(on: .mainActor, body)
        default: await body()
        }
      }
    }

    @Test("takes at most three times as long as elsewhere", arguments: Cause.allCases)
    func duration(_ cause: Cause) async throws {
      // A process may lack the program, or the right to mount files over those of its quota.
      let trial = try await ChildProcess.run(cause.command[0], cause.command.dropFirst() + ["echo", "is possible"])
      guard trial?.contains("is possible") == true else { return }
      // The best of some, because other processes have the machine too.
      var (best, plain) = (Double.infinity, Double.infinity)
      for _ in 0..<5 where best > 3 * plain || best == .infinity {
        plain = min(plain, try await Self.measure(["env"], nil))
        best = min(best, try await Self.measure(cause.command, cause))
      }
      print("few threads: \(cause): \(best) s, elsewhere \(plain) s")
      #expect(best <= 3 * plain)
    }

    private static func measure(_ command: [String], _ cause: Cause?) async throws -> Double {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let text = try #require(
        await ChildProcess.run(
          command[0],
          command.dropFirst() + [
            executable, "--testing-library", "swift-testing", "--filter", "FewThreadsTests.child",
          ], environment: [variable: cause?.rawValue ?? "none"]))
      let took = try #require(text.firstMatch(of: /took ([0-9.e-]+) s/), "\(text.suffix(2000))")
      return try #require(Double(took.1))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func child() async throws {
      let cause = Cause(rawValue: ProcessInfo.processInfo.environment[Self.variable] ?? "")
      if cause == .announcedQuota { #expect(ProcessInfo.processInfo.activeProcessorCount == 1) }
      let duration = Protected(Duration.zero)
      let body: @Sendable () async -> Void = {
        let start = ContinuousClock.now
        await Self.useClock()
        duration.withLock { $0 = .now - start }
      }
      if let cause { await cause.run(body) } else { await body() }
      print("took \(duration.withLock { $0 } / .seconds(1)) s")
    }

    private static func useClock() async {
      let (clock, count) = (ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }, 100)
      let seen = Protected<[Duration]>([])
      let client = Task {
        for _ in 0..<count {
          try await clock.sleep(for: .seconds(1))
          await Task.detached { seen.withLock { $0.append(clock.elapsed) } }.value
        }
      }
      await clock.waitForPending()
      for _ in 0..<count { await clock.advance(by: .seconds(1)) }
      #expect(seen.withLock { $0 } == (1...count).map { .seconds($0) })
      await clock.run { _ = await client.result }
    }
  }

  /// The runtime's hook for ready tasks, as `withMainSerialExecutor` in swift-concurrency-extras uses it: it remembers
  /// whether the hook was set, sets its own, and sets or clears that again at the end.
  enum TaskHook {
    enum Target { case mainActor, oneThread }

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    // Safe because it lives as long as the process, and is read and written in one piece.
    nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")!
      .assumingMemoryBound(to: Hook?.self)

    static var isOn: Bool { hook.pointee != nil }

    static func run(on target: Target = .mainActor, _ body: @Sendable () async -> Void) async {
      let wasOn = isOn
      defer { if !wasOn { hook.pointee = nil } }
      hook.pointee =
        switch target {
        case .mainActor: { job, _ in MainActor.shared.enqueue(job) }
        case .oneThread: { job, _ in OneThread.shared.enqueue(job) }
        }
      await body()
    }
  }

  private final class OneThread: SerialExecutor {
    static let shared = OneThread()
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
#endif
