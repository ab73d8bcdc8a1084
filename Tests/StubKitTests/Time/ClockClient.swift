import Foundation
import StubKit
import TestSupport

/// A client that a clock doesn't start itself: three times, it waits, does something, and notes the moment.
struct ClockClient: Sendable, CustomStringConvertible {
  typealias Note = @Sendable () -> Void

  let description: String
  /// The time between two notes.
  let period: Duration
  let run: @Sendable (_ clock: ManualClock, _ session: URLSession, _ note: @escaping Note) async throws -> Void

  var moments: [Duration] { (1...3).map { period * $0 } }

  /// A client that sleeps for a second, and then works before it notes the moment. First, it computes, so that the
  /// clock has looked at the other priorities before it waits for the work.
  private init(_ name: String, _ work: @escaping @Sendable () async -> Void) {
    (description, period) = (name, .seconds(1))
    run = { clock, _, note in
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        Self.compute(milliseconds: 20)
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
    (description, self.period, self.run) = (name, period, run)
  }

  static let all: [ClockClient] = [
    Self("does nothing more") {},
    Self("yields 100 times") { for _ in 0..<100 { await Task.yield() } },
    // Of 150 hops, a clock with 64 cycles was late in none of 12 runs, with 32 in one, with 16 in six. With two cycles,
    // it was late after 60.
    Self("hops between an actor and the main actor 25 times") {
      let counter = Counter()
      for _ in 0..<25 {
        await counter.increment()
        await MainActor.run {}
      }
    },
    Self("makes tasks, 40 in each other") { await nest(40) },
    Self("awaits a continuation that an actor resumes") {
      let counter = Counter()
      await withCheckedContinuation { continuation in Task.detached { await counter.resume(continuation) } }
    },
    Self("goes to another priority and back 4 times") {
      for _ in 0..<4 { await resume(at: .background) {} }
    },
    // The clock finds the background at rest only after the client's own priority. If it looks once, it is always late.
    Self("waits for what computes 200 ms in the background, and then hops 5 times between actors") {
      await resume(at: .background) { compute(milliseconds: 200) }
      let counter = Counter()
      for _ in 0..<5 { await counter.increment() }
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
  ]

  // MARK: What they do

  private static let down = URL(string: "http://a.example/down")!

  static func compute(milliseconds: Int) {
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    var value = 1.0
    while DispatchTime.now() < end { for _ in 0..<100 { value = (value + 1).squareRoot() } }
    precondition(value > 0)
  }

  private static func nest(_ depth: Int) async {
    guard depth > 0 else { return }
    await Task.detached { await nest(depth - 1) }.value
  }

  /// Waits for a task of another priority. To await its value would raise its priority.
  private static func resume(at priority: TaskPriority, after work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Task.detached(priority: priority) {
        work()
        continuation.resume()
      }
    }
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
