import Foundation
import TestSupport
import Testing

@testable import StubKit

/// A client that a clock doesn't start itself: three times, it waits a second, does something, and notes the moment.
///
/// `STUBKIT_CLOCK_ROUNDS` sets the number of rounds, which run beside eight busy threads if there are many.
/// `STUBKIT_CLOCK_CLIENTS=all` shows what the clock misses of clients that go on elsewhere than in tasks.
@Suite("A manual clock and the tasks of a client", .inTurn, .serialized)
struct ManualClockTasksTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let roundCount = environment["STUBKIT_CLOCK_ROUNDS"].flatMap { Int($0) } ?? 3

  private static let clients =
    environment["STUBKIT_CLOCK_CLIENTS"] == "all" ? ClockClient.allCases : ClockClient.ofTasks

  @Test("each moment is met", arguments: clients)
  func meetsMoments(client: ClockClient) async throws {
    let threads = BusyThreads(Self.roundCount > 100 ? 8 : 0)
    defer { threads.stop() }
    var missed: [[Duration]] = []
    for _ in 0..<Self.roundCount {
      let moments = try await moments(of: client)
      if moments != client.moments { missed.append(moments) }
    }
    #expect(missed.isEmpty, "\(missed.count) of \(Self.roundCount) rounds")
  }

  private func moments(of client: ClockClient) async throws -> [Duration] {
    let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
    return try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/down"), response: .failure(.timedOut).delay(.milliseconds(500)))
      let log = Log<Duration>()
      let session = try #require(StubRegistry.local).makeSession()
      let running = Task { try await client.run(on: clock, session) { log.note(clock.elapsed) } }
      // Without it, the clock would have nowhere to go to in the meantime.
      let ticker = Task { for _ in 0..<20 { try await clock.sleep(for: .milliseconds(250)) } }
      await clock.advance(by: .seconds(5))
      let moments = log.entries
      await clock.run { _ = await (running.result, ticker.result) }
      return moments
    }
  }

  @Test("a task that blocks its thread does not stop time")
  func blocked() async {
    let reports = Log<String>()
    let clock = ManualClock(patience: .seconds(60)) { reports.note($0) }
    let (blocked, isOver) = (DispatchSemaphore(value: 0), Protected(false))
    let task = Task {
      try? await clock.sleep(for: .seconds(1))
      Self.wait(for: blocked)
      isOver.withLock { $0 = true }
    }
    await clock.waitForPending()
    await clock.advance(by: .seconds(2))
    #expect(clock.elapsed == .seconds(2) && !isOver.withLock { $0 } && reports.entries.isEmpty)
    blocked.signal()
    await task.value
    await clock.advance(by: .seconds(1))
    #expect(clock.elapsed == .seconds(3))
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test("a task that only looks at the time does not stop it")
  func polling() async {
    let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
    // A child of the test, which is cancelled when the test ends.
    @Sendable func look() async {
      while !Task.isCancelled {
        _ = clock.elapsed
        await Task.yield()
      }
    }
    async let _ = look()
    let sleeping = Task { for _ in 0..<20 { try await clock.sleep(for: .seconds(1)) } }
    await clock.advance(by: .seconds(20))
    // A sleeper that was late has an end, too.
    await clock.run { _ = await sleeping.result }
    #expect(clock.elapsed == .seconds(20))
  }

  @Test("the tasks of others hold nothing up, and are not held up")
  func others() async {
    let other = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
    let isOver = Protected(false)
    // As another test does, which shares no task with this one.
    let busy = Thread.detachedTask { while !isOver.withLock({ $0 }) { await Task.detached {}.value } }
    let clock = ManualClock(patience: .seconds(60)) { Issue.record("\($0)") }
    for _ in 0..<20 { await clock.advance(by: .seconds(1)) }
    await other.advance(by: .seconds(1))
    isOver.withLock { $0 = true }
    await busy.value
    #expect(clock.elapsed == .seconds(20) && other.elapsed == .seconds(1))
  }
}

enum ClockClient: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case task, priorities, actors, actor, taskGroup, stream, computation, request, mainActor, queue, handler

  /// The clients that wait for nothing but tasks, requests and the clock.
  static let ofTasks: [Self] = [.task, .priorities, .actors, .actor, .taskGroup, .stream, .computation, .request]

  var testDescription: String { rawValue }

  /// The moments that it notes.
  var moments: [Duration] {
    switch self {
    case .actor, .request, .handler: [.milliseconds(1_500), .milliseconds(3_000), .milliseconds(4_500)]
    default: [.seconds(1), .seconds(2), .seconds(3)]
    }
  }

  func run(on clock: ManualClock, _ session: URLSession, note: @escaping @Sendable () -> Void) async throws {
    if self == .stream { return await streams(clock, note) }
    if self == .actor { return try await Retrying().run(on: clock, session, note: note) }
    let (one, two) = (Counter(), Counter())
    let queue = DispatchQueue(label: "client")
    for _ in 0..<3 {
      switch self {
      case .request: _ = try? await session.data(from: url("http://a.example/down"))
      case .handler:
        await withCheckedContinuation { continuation in
          session.dataTask(with: url("http://a.example/down")) { _, _, _ in continuation.resume() }.resume()
        }
      default: break
      }
      try await clock.sleep(for: .seconds(1))
      switch self {
      case .task, .stream, .actor, .request, .handler: break
      case .priorities:
        await Task.detached(priority: .background) { await Task(priority: .low) {}.value }.value
      case .actors:
        for _ in 0..<5 {
          await one.increment()
          await two.increment()
        }
      case .taskGroup:
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await one.increment() } }
        }
      case .computation: compute()
      case .mainActor:
        await MainActor.run {}
        await one.increment()
        await MainActor.run {}
      case .queue:
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      }
      note()
    }
  }

  private func streams(_ clock: ManualClock, _ note: @escaping @Sendable () -> Void) async {
    let (first, toFirst) = AsyncStream.makeStream(of: Int.self)
    let (second, toSecond) = AsyncStream.makeStream(of: Int.self)
    Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        for number in 1...4 { toFirst.yield(number) }
      }
      toFirst.finish()
    }
    Task {
      for await number in first { toSecond.yield(number) }
      toSecond.finish()
    }
    for await number in second where number == 4 { note() }
  }

  private func compute() {
    var value = 1.0
    for number in 0..<20_000 { value = (value + Double(number)).squareRoot() }
    precondition(value > 0)
  }

  /// A client that is an actor itself.
  private actor Retrying {
    func run(on clock: ManualClock, _ session: URLSession, note: @escaping @Sendable () -> Void) async throws {
      for _ in 0..<3 {
        _ = try? await session.data(from: url("http://a.example/down"))
        try await clock.sleep(for: .seconds(1))
        note()
      }
    }
  }

  private actor Counter {
    private var value = 0
    func increment() { value += 1 }
  }
}

/// Threads that keep processors busy.
private final class BusyThreads: Sendable {
  private let isOver = Protected(false)

  init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [isOver] in
        var value = 1.0
        while !isOver.withLock({ $0 }) { for _ in 0..<100_000 { value = (value + 1).squareRoot() } }
      }
    }
  }

  func stop() { isOver.withLock { $0 = true } }
}

extension Thread {
  /// Returns a task that is started on a thread on which no task runs.
  fileprivate static func detachedTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let (started, task) = (DispatchSemaphore(value: 0), Protected<Task<Void, Never>?>(nil))
    detachNewThread {
      let new = Task.detached { await body() }
      task.withLock { $0 = new }
      started.signal()
    }
    started.wait()
    return task.withLock { $0! }
  }
}
