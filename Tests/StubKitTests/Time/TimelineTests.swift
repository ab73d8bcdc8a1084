import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("A timeline", .inTurn)
struct TimelineTests {
  private let timeline = RealTimeline()
  private let queue = DispatchQueue(label: "load")

  @Test("runs each once, the earlier first")
  func order() async {
    let start = Duration.now() + .milliseconds(500)
    let (stream, continuation) = AsyncStream.makeStream(of: (number: Int, elapsed: Duration).self)
    // Set up in another order than they are due in.
    for number in [3, 1, 4, 2] {
      _ = timeline.schedule(at: start + .milliseconds(20 * number), on: queue) {
        continuation.yield((number, .now() - start))
        if number == 4 { continuation.finish() }
      }
    }
    guard Duration.now() < start else { return }  // A busy machine may have come too late.
    var numbers: [Int] = []
    for await (number, elapsed) in stream {
      numbers.append(number)
      #expect(elapsed >= .milliseconds(20 * number))
    }
    #expect(numbers == [1, 2, 3, 4] && timeline.count == 0)
  }

  @Test("lets go of what is called off, and does not run it")
  func cancel() async {
    final class Held: Sendable {}
    var thing: Held? = Held()
    weak let held = thing
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let deadline = Duration.now() + .milliseconds(200)
    let timer = timeline.schedule(at: deadline, on: queue) { [thing] in continuation.yield("\(thing as Any)") }
    thing = nil
    timer.cancel()
    // A busy machine may have come too late.
    guard Duration.now() < deadline else { return }
    #expect(held == nil && timeline.count == 0)
    _ = timeline.schedule(at: deadline + .milliseconds(20), on: queue) { continuation.finish() }
    for await text in stream { Issue.record("\(text)") }
  }

  private struct WatchingQueue: DeliveryQueue {
    let ran: @Sendable () -> Void
    func perform(_ work: @escaping @Sendable () -> Void) { _ = (work(), ran()) }
  }

  @Test("releases what its work holds")
  func release() async {
    final class Held: Sendable {}
    var thing: Held? = Held()
    weak let held = thing
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let queue = WatchingQueue { continuation.yield(held == nil) }
    let deadline = Duration.now() + .milliseconds(200)
    _ = timeline.schedule(at: deadline, on: queue) { [thing] in withExtendedLifetime(thing) {} }
    thing = nil
    guard Duration.now() < deadline else { return }  // This thread may have held it until it had run.
    #expect(await stream.first { _ in true } == true)
  }

  /// If this fails with a new version of Swift, a clock's `run` has become slow: see `TaskNumber`.
  @Test("finds numbers in the descriptions of jobs")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func taskNumbers() throws {
    let first = try #require(TaskNumber.next)
    Task {}
    #expect(try #require(TaskNumber.next) > first + 1)
  }
}
