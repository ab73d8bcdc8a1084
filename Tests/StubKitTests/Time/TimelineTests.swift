import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("A timeline", .inTurn)
struct TimelineTests {
  private let timeline = RealTimeline()
  private let queue = DispatchQueue(label: "load")

  @Test("runs each piece of work once, the earlier first")
  func order() async {
    // A busy machine may come too late with some of them: then they are set up again, for a later time.
    for seconds in [0.5, 5, 20] {
      let start = Duration.now() + .seconds(seconds)
      let (stream, continuation) = AsyncStream.makeStream(of: (number: Int, elapsed: Duration).self)
      for number in [3, 1, 4, 2] {
        _ = timeline.schedule(at: start + .milliseconds(20 * number), on: queue) {
          continuation.yield((number, .now() - start))
        }
      }
      let isInTime = Duration.now() < start
      let run = await stream.prefix(4).reduce(into: []) { $0.append($1) }
      #expect(run.allSatisfy { $0.elapsed >= .milliseconds(20 * $0.number) }, "\(seconds): \(run)")
      #expect(timeline.count == 0, "\(seconds)")
      if isInTime { return #expect(run.map(\.number) == [1, 2, 3, 4], "\(seconds)") }
    }
    Issue.record("The machine was too late three times.")
  }

  @Test("releases work that is cancelled, at once")
  func cancel() {
    final class Held: Sendable {}
    var thing: Held? = Held()
    weak let held = thing
    let timer = timeline.schedule(at: .now() + .seconds(3_600), on: queue) { [thing] in withExtendedLifetime(thing) {} }
    thing = nil
    #expect(held != nil && timeline.count == 1)
    timer.cancel()
    #expect(held == nil && timeline.count == 0)
  }

  /// Runs the work, and then tells so.
  private struct WatchingQueue: DeliveryQueue {
    let ran: @Sendable () -> Void
    func perform(_ work: @escaping @Sendable () -> Void) { _ = (work(), ran()) }
  }

  @Test("has released work, and what that holds, once it has run")
  func release() async {
    final class Held: Sendable {}
    var thing: Held? = Held()
    weak let held = thing
    let isLetGo = Latch()
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    let queue = WatchingQueue { continuation.yield(isLetGo.blockUntilOpened() && held == nil) }
    _ = timeline.schedule(at: .now() + .milliseconds(1), on: queue) { [thing] in withExtendedLifetime(thing) {} }
    thing = nil
    isLetGo.open()
    #expect(await stream.first { _ in true } == true)
  }

  /// If this fails with a new version of Swift, a clock's `run` has become slow: see `TaskNumber`.
  @Test("finds the number of the next Swift task in the description of a job")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func taskNumbers() throws {
    let first = try #require(TaskNumber.next)
    Task {}
    #expect(try #require(TaskNumber.next) > first + 1)
  }
}
