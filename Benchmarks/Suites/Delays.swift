import Foundation
import StubKit

/// Requests whose delays all run at the same time. They start one after the other, all of them before the first ends.
/// If they started at one instant, they would measure how long the machine takes to start them.
final class Delays: @unchecked Sendable {
  // @unchecked holds because what changes is touched under the lock only.
  private let requester: Requester
  private let count: Int
  private let lock = NSLock()
  private var times: [Double] = []
  private var mistake: (any Error)?
  private var continuation: CheckedContinuation<[Double], any Error>?

  init(_ requester: Requester, count: Int) {
    self.requester = requester
    self.count = count
  }

  /// The nanoseconds of each request.
  func run() async throws -> [Double] {
    try await withStubs(registry: requester.registry) {
      try await withCheckedThrowingContinuation { continuation in
        self.continuation = continuation
        let starts = Starts(count)
        let tasks = (0..<count).map { number in
          requester.session.dataTask(with: Style.path.request(number)) { data, _, error in
            self.ended(after: starts.elapsed(number), data, error)
          }
        }
        let beginning = Nanoseconds.now()
        for (number, task) in tasks.enumerated() {
          let due = Double(number) * 0.09 / Double(count)
          let ahead = due - Nanoseconds.since(beginning) / 1_000_000_000
          if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
          starts.start(number)
          task.resume()
        }
      }
    }
  }

  private func ended(after time: Double, _ data: Data?, _ error: (any Error)?) {
    let continuation = lock.withLock { () -> CheckedContinuation<[Double], any Error>? in
      times.append(time)
      do { try requester.check(data ?? Data()) } catch let mistake { self.mistake = error ?? mistake }
      return times.count == count ? self.continuation : nil
    }
    guard let continuation else { return }
    if let mistake { continuation.resume(throwing: mistake) } else { continuation.resume(returning: times) }
  }
}

/// The time at which each of many requests started.
private final class Starts: @unchecked Sendable {
  // @unchecked holds because a request's place is written before it starts and read after it has ended.
  private let times: UnsafeMutablePointer<UInt64>

  init(_ count: Int) {
    times = .allocate(capacity: count)
    times.initialize(repeating: 0, count: count)
  }

  deinit { times.deallocate() }

  func start(_ number: Int) { times[number] = Nanoseconds.now() }
  func elapsed(_ number: Int) -> Double { Nanoseconds.since(times[number]) }
}
