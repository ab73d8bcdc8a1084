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
            folder=$PWD; cd /; rm -r "$folder"
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

    @Test("takes at most three times as long as elsewhere", .measuresScheduler, arguments: Cause.allCases)
    func duration(_ cause: Cause) async throws {
      // A process may lack the program, or the right to mount files over those of its quota.
      let trial = try await ChildProcess.run(cause.command[0], cause.command.dropFirst() + ["echo", "is possible"])
      guard trial?.contains("is possible") == true else { return }
      // The best of some, because other processes have the machine, too.
      var (best, plain, share) = (Double.infinity, Double.infinity, 0.0)
      for _ in 0..<5 where best > 3 * plain || best == .infinity {
        plain = min(plain, try await Self.measure(["env"], nil).took)
        let measured = try await Self.measure(cause.command, cause)
        (best, share) = (min(best, measured.took), max(share, measured.share))
      }
      print("few threads: \(cause): \(best) s, elsewhere \(plain) s, with \(share) of a processor")
      // Where other processes have most of the one processor, threads come late that are there. Run alone, it counts.
      guard best <= 3 * plain || share > 0.6 else {
        return print("few threads: \(cause): not measured on a busy machine")
      }
      #expect(best <= 3 * plain)
    }

    private static func measure(_ command: [String], _ cause: Cause?) async throws -> (took: Double, share: Double) {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let text = try #require(
        await ChildProcess.run(
          command[0],
          command.dropFirst() + [
            executable, "--testing-library", "swift-testing", "--filter", "FewThreadsTests.child",
          ], environment: [variable: cause?.rawValue ?? "none"]))
      let took = try #require(text.firstMatch(of: /took ([0-9.e-]+) s with ([0-9.e-]+)/), "\(text.suffix(2000))")
      return (try #require(Double(took.1)), try #require(Double(took.2)))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func child() async throws {
      let cause = Cause(rawValue: ProcessInfo.processInfo.environment[Self.variable] ?? "")
      if cause == .announcedQuota { #expect(ProcessInfo.processInfo.activeProcessorCount == 1) }
      let took = Protected(0.0)
      let body: @Sendable () async -> Void = {
        let (start, processorTime, delay) = (ContinuousClock.now, Glibc.clock(), Self.delay)
        await Self.useClock()
        // A thread that sleeps because another one doesn't come waits for no processor. So what the clock sleeps is in here.
        let undelayed = (ContinuousClock.now - start) / .seconds(1) - (Self.delay - delay)
        took.withLock { $0 = max(undelayed, Double(Glibc.clock() - processorTime) / 1_000_000) }
      }
      let before = Self.share
      if let cause { await cause.run(body) } else { await body() }
      print("took \(took.withLock { $0 }) s with \(min(before, Self.share))")
    }

    /// The part of a processor that a thread of this process gets which computes.
    private static var share: Double {
      func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
      }
      let (start, before) = (ContinuousClock.now, processorTime())
      while ContinuousClock.now - start < .milliseconds(100) {}
      return (processorTime() - before) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// The time, in seconds, for which threads of this process that could have run have waited for a processor, because other
    /// processes had it.
    private static var delay: Double {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.reduce(0) { sum, thread in
        let numbers = try? String(contentsOfFile: "/proc/self/task/\(thread)/schedstat", encoding: .utf8).split(
          separator: " ")
        return sum + (numbers.flatMap { $0.count > 1 ? Double($0[1]) : nil } ?? 0) / 1_000_000_000
      }
    }

    private static func useClock() async {
      let (clock, count) = (ManualClock.patient, 100)
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
