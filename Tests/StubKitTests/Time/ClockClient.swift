import Foundation
import StubKit
import TestSupport

/// A client that a clock doesn't start itself: three times, it waits, does something, and notes the moment.
struct ClockClient: Sendable, CustomStringConvertible {
  typealias Note = @Sendable () -> Void

  let description: String
  /// Whether a clock sees such code with the threads that this process has.
  let isSeen: Bool
  /// The time between two notes.
  let period: Duration
  let run: @Sendable (_ clock: ManualClock, _ session: URLSession, _ note: @escaping Note) async throws -> Void

  var moments: [Duration] { (1...3).map { period * $0 } }

  /// A client that sleeps for a second, and then works before it notes the moment.
  private init(_ name: String, isSeen: Bool = true, _ work: @escaping @Sendable () async -> Void) {
    (description, self.isSeen, period) = (name, isSeen, .seconds(1))
    run = { clock, _, note in
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        await work()
        note()
      }
    }
  }

  /// A client that does all of it itself.
  private init(
    _ name: String, every period: Duration,
    _ run: @escaping @Sendable (ManualClock, URLSession, @escaping Note) async throws -> Void
  ) {
    (description, isSeen, self.period, self.run) = (name, true, period, run)
  }

  static let all: [ClockClient] = [
    Self("computes 20 ms") { compute(milliseconds: 20) },
    Self("blocks 20 ms", isSeen: OwnProcess.hasSeveralThreads) { occupyThread(milliseconds: 20) },
    Self("waits for a semaphore of a thread", isSeen: OwnProcess.hasSeveralThreads) {
      let semaphore = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        occupyThread(milliseconds: 30)
        semaphore.signal()
      }
      occupyThread(until: semaphore)
    },
    Self("yields 100 times") { for _ in 0..<100 { await Task.yield() } },
    Self("hops between an actor and the main actor 25 times") {
      let counter = Counter()
      for _ in 0..<25 {
        await counter.increment()
        await MainActor.run {}
      }
    },
    Self("alternates between the main actor and tasks, 40 generations") { await generation(40) },
    Self("makes tasks, 40 in each other") { await nest(40) },
    Self("awaits a continuation that an actor resumes") {
      let counter = Counter()
      await withCheckedContinuation { continuation in Task.detached { await counter.resume(continuation) } }
    },
    Self("makes 8 children that compute 5 ms") {
      await withTaskGroup(of: Void.self) { group in for _ in 0..<8 { group.addTask { compute(milliseconds: 5) } } }
    },
    Self("makes a background task") { await Task.detached(priority: .background) { compute(milliseconds: 2) }.value },
    Self("makes a high task that computes 20 ms") {
      await Task.detached(priority: .high) { compute(milliseconds: 20) }.value
    },
    Self("passes numbers from stream to stream", every: .seconds(1)) { clock, _, note in
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
    },
    Self("makes a request with a handler", every: .milliseconds(1_500)) { clock, session, note in
      for _ in 0..<3 {
        await withCheckedContinuation { continuation in
          session.dataTask(with: down) { _, _, _ in continuation.resume() }.resume()
        }
        try await clock.sleep(for: .seconds(1))
        note()
      }
    },
    Self("makes two requests", every: .milliseconds(1_500)) { clock, session, note in
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        async let one = try? session.data(from: down)
        async let two = try? session.data(from: down)
        _ = await (one, two)
        note()
      }
    },
    Self("makes a request that a closure answers", every: .seconds(2)) { clock, session, note in
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        _ = try? await session.data(from: URL(string: "http://a.example/closure")!)
        note()
      }
    },
    Self("is on the main actor", every: .milliseconds(1_500)) { clock, session, note in
      try await Task { @MainActor in
        for _ in 0..<3 {
          _ = try? await session.data(from: down)
          try await clock.sleep(for: .seconds(1))
          note()
        }
      }.value
    },
    Self("renews a token once for two", every: .seconds(1)) { clock, _, note in
      let counter = Counter()
      for _ in 0..<3 {
        try await clock.sleep(for: .milliseconds(500))
        let renewal = Task {
          try await clock.sleep(for: .milliseconds(500))
          return await counter.increment()
        }
        async let one = renewal.value
        async let two = renewal.value
        _ = try await (one, two)
        note()
      }
    },
  ].filter(\.isSeen)

  // MARK: What they do

  private static let down = URL(string: "http://a.example/down")!

  static func compute(milliseconds: Int) {
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    var value = 1.0
    while DispatchTime.now() < end { for _ in 0..<100 { value = (value + 1).squareRoot() } }
    precondition(value > 0)
  }

  @MainActor private static func generation(_ number: Int) async {
    guard number > 0 else { return }
    await Task.detached { await generation(number - 1) }.value
  }

  private static func nest(_ depth: Int) async {
    guard depth > 0 else { return }
    await Task.detached { await nest(depth - 1) }.value
  }

  private actor Counter {
    private var value = 0

    @discardableResult
    func increment() -> Int {
      value += 1
      return value
    }

    func resume(_ continuation: CheckedContinuation<Void, Never>) { continuation.resume() }
  }
}
