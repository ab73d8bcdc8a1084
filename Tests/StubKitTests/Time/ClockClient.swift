import Foundation
import StubKit
import TestSupport

/// A client that a clock doesn't start itself: three times, it waits, does something, and notes the moment.
struct ClockClient: Sendable, CustomStringConvertible {
  typealias Note = @Sendable () -> Void

  let description: String
  /// Whether the guide says that a clock sees such code.
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

  static let all = work + hops + tasks + groups + streams + priorities + requests + clients + elsewhere

  private static let work = [
    Self("nothing") {},
    Self("computes 1 ms") { compute(milliseconds: 1) },
    Self("computes 20 ms") { compute(milliseconds: 20) },
    Self("computes 300 ms") { compute(milliseconds: 300) },
    Self("blocks 20 ms", isSeen: OwnProcess.hasSeveralThreads) { occupyThread(milliseconds: 20) },
    Self("blocks 300 ms", isSeen: OwnProcess.hasSeveralThreads) { occupyThread(milliseconds: 300) },
    Self("waits for a semaphore of a thread", isSeen: OwnProcess.hasSeveralThreads) {
      let semaphore = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        occupyThread(milliseconds: 30)
        semaphore.signal()
      }
      occupyThread(until: semaphore)
    },
    Self("yields 10 times") { for _ in 0..<10 { await Task.yield() } },
    Self("yields 100 times") { for _ in 0..<100 { await Task.yield() } },
    Self("computes 60 pieces of 1 ms") {
      for _ in 0..<60 {
        compute(milliseconds: 1)
        await Task.yield()
      }
    },
    Self("computes 6 pieces of 10 ms") {
      for _ in 0..<6 {
        compute(milliseconds: 10)
        await Task.yield()
      }
    },
  ]

  private static let hops = [
    Self("hops between actors 10 times") { await hop(10, between: Counter(), and: Counter()) },
    Self("hops between actors 50 times") { await hop(50, between: Counter(), and: Counter()) },
    Self("shares an actor") {
      let counter = Counter()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { for _ in 0..<10 { await counter.increment() } } }
      }
    },
    Self("hops to the main actor") { await MainActor.run {} },
    Self("hops to the main actor 5 times") { for _ in 0..<5 { await MainActor.run {} } },
    Self("hops to the main actor 50 times") { for _ in 0..<50 { await MainActor.run {} } },
    Self("hops between an actor and the main actor 25 times") {
      let counter = Counter()
      for _ in 0..<25 {
        await counter.increment()
        await MainActor.run {}
      }
    },
    Self("computes on the main actor") { await MainActor.run { compute(milliseconds: 20) } },
    Self("yields on the main actor 20 times") {
      await Task { @MainActor in for _ in 0..<20 { await Task.yield() } }.value
    },
    Self("alternates between the main actor and tasks, 40 generations") { await generation(40) },
    Self("hops to a global actor") { for _ in 0..<5 { await ClientActor.hop() } },
  ]

  private static let tasks = [
    Self("makes a task") { await Task {}.value },
    Self("makes a detached task that computes 20 ms") { await Task.detached { compute(milliseconds: 20) }.value },
    Self("makes a detached task that blocks 20 ms", isSeen: OwnProcess.hasSeveralThreads) {
      await Task.detached { occupyThread(milliseconds: 20) }.value
    },
    Self("makes a detached task that computes 300 ms") { await Task.detached { compute(milliseconds: 300) }.value },
    Self("makes tasks, 10 in each other") { await nest(10) },
    Self("makes tasks, 40 in each other") { await nest(40) },
    Self("makes a task on the main actor that makes a task") {
      await Task { @MainActor in await Task.detached { compute(milliseconds: 2) }.value }.value
    },
    Self("awaits a continuation that a task resumes") {
      await withCheckedContinuation { continuation in Task { continuation.resume() } }
    },
    Self("awaits a continuation that an actor resumes") {
      let counter = Counter()
      await withCheckedContinuation { continuation in Task.detached { await counter.resume(continuation) } }
    },
  ]

  private static let groups = [
    Self("makes 8 children") { await group(8) { await Counter().increment() } },
    Self("makes 100 children") { await group(100) {} },
    Self("makes 8 children that compute 5 ms") { await group(8) { compute(milliseconds: 5) } },
    Self("makes 8 children that block 5 ms") { await group(8) { occupyThread(milliseconds: 5) } },
    Self("makes a discarding group") {
      guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
      await withDiscardingTaskGroup { group in for _ in 0..<8 { group.addTask { compute(milliseconds: 1) } } }
    },
    Self("makes two children with async let") {
      async let one: Void = compute(milliseconds: 2)
      async let two: Void = compute(milliseconds: 2)
      _ = await (one, two)
    },
    Self("makes a child that is cancelled") {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await Task.sleep(for: .seconds(600)) }
        group.addTask {}
        await group.next()
        group.cancelAll()
      }
    },
  ]

  private static let streams = [
    Self("reads a stream that a task fills") {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task {
        for number in 0..<10 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      for await _ in stream {}
    },
    Self("reads a stream that it unfolds") {
      let counter = Counter()
      for await _ in AsyncStream(unfolding: { await counter.increment() < 10 ? 1 : nil }) {}
    },
    Self("maps a stream") {
      let counter = Counter()
      for await _ in AsyncStream<Int>(unfolding: { await counter.increment() < 10 ? 1 : nil }).map({ _ in
        await Task.detached {}.value
      }) {}
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
  ]

  private static let priorities = [
    Self("makes a background task") { await Task.detached(priority: .background) { compute(milliseconds: 2) }.value },
    Self("makes a low task") { await Task.detached(priority: .low) { compute(milliseconds: 2) }.value },
    Self("makes a high task") { await Task.detached(priority: .high) { compute(milliseconds: 2) }.value },
    Self("makes a high task that computes 20 ms") {
      await Task.detached(priority: .high) { compute(milliseconds: 20) }.value
    },
    Self("makes a low task in a background task") {
      await Task.detached(priority: .background) { await Task(priority: .low) {}.value }.value
    },
    Self("makes a background task that hops to the main actor") {
      await Task.detached(priority: .background) { for _ in 0..<3 { await MainActor.run {} } }.value
    },
    Self("has a high priority", every: .seconds(1)) { clock, session, note in
      try await Task.detached(priority: .high) {
        try await hops[4].run(clock, session, note)
      }.value
    },
    Self("has a background priority", every: .seconds(1)) { clock, session, note in
      // Nothing awaits it, so that it keeps its priority.
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      Task.detached(priority: .background) {
        try? await hops[4].run(clock, session, note)
        continuation.finish()
      }
      for await _ in stream {}
    },
  ]

  private static let requests = [
    Self("makes a request", every: .milliseconds(1_500)) { clock, session, note in
      for _ in 0..<3 {
        _ = try? await session.data(from: down)
        try await clock.sleep(for: .seconds(1))
        note()
      }
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
    Self("makes a request on the main actor", every: .milliseconds(1_500)) { clock, session, note in
      for _ in 0..<3 {
        try await Task { @MainActor in
          _ = try? await session.data(from: down)
          try await clock.sleep(for: .seconds(1))
        }.value
        note()
      }
    },
  ]

  private static let clients = [
    Self("is an actor", every: .milliseconds(1_500)) { clock, session, note in
      try await Retrying().run(on: clock, session, note: note)
    },
    Self("is on the main actor", every: .seconds(1)) { clock, _, note in
      try await Task { @MainActor in
        for _ in 0..<3 {
          try await clock.sleep(for: .seconds(1))
          await Task.detached { compute(milliseconds: 2) }.value
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

  /// Code that goes on elsewhere than in tasks, which a clock doesn't see.
  private static let elsewhere = [
    Self("hops to a dispatch queue", isSeen: false) {
      await withCheckedContinuation { continuation in clientQueue.async { continuation.resume() } }
    },
    Self("waits for a thread", isSeen: false) {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          occupyThread(milliseconds: 5)
          continuation.resume()
        }
      }
    },
    Self("sleeps 5 ms of real time", isSeen: false) { try? await Task.sleep(for: .milliseconds(5)) },
    Self("hops to an actor with a queue of its own", isSeen: false) {
      guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
      let actor = QueueActor()
      for _ in 0..<5 { await actor.hop() }
    },
    Self("makes a task on an executor of its own", isSeen: false) {
      guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
      await Task.detached(executorPreference: QueueExecutor()) { compute(milliseconds: 2) }.value
    },
  ]

  // MARK: What they do

  private static let down = URL(string: "http://a.example/down")!
  private static let clientQueue = DispatchQueue(label: "client")

  static func compute(milliseconds: Int) {
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    var value = 1.0
    while DispatchTime.now() < end { for _ in 0..<100 { value = (value + 1).squareRoot() } }
    precondition(value > 0)
  }

  private static func hop(_ count: Int, between one: Counter, and two: Counter) async {
    for _ in 0..<count {
      await one.increment()
      await two.increment()
    }
  }

  @MainActor private static func generation(_ number: Int) async {
    guard number > 0 else { return }
    await Task.detached { await generation(number - 1) }.value
  }

  private static func nest(_ depth: Int) async {
    guard depth > 0 else { return }
    await Task.detached { await nest(depth - 1) }.value
  }

  private static func group(_ count: Int, _ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in for _ in 0..<count { group.addTask(operation: body) } }
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

  private actor Retrying {
    func run(on clock: ManualClock, _ session: URLSession, note: @escaping Note) async throws {
      for _ in 0..<3 {
        _ = try? await session.data(from: down)
        try await clock.sleep(for: .seconds(1))
        note()
      }
    }
  }
}

@globalActor
private actor ClientActor {
  static let shared = ClientActor()
  @ClientActor static func hop() {}
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private actor QueueActor {
  private let executor = ActorExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func hop() {}
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class ActorExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "actor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
