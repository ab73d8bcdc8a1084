import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The task of the user's closures", .inTurn)
struct RequesterTaskTests {
  @Test("has one piece of work after the other, also where its task begins late, and none after its end")
  func lateTask() async throws {
    let (log, start) = (Locked<[Int]>([]), Locked<(@Sendable () -> Void)?>(nil))
    @Sendable func note(_ number: Int) { log.withLock { $0.append(number) } }
    let task = RequesterTask(on: nil) { begin in start.withLock { $0 = begin } }
    for number in 1...3 { task.run({ note(number) }, then: { if number == 3 { note(4) } }) }
    #expect(log.withLock { $0 }.isEmpty)
    start.withLock { $0 }?()
    try await until("all of it has run") { log.withLock { $0 }.count == 4 }
    task.cancel()
    task.run { note(5) }
    #expect(log.withLock { $0 } == [1, 2, 3, 4])
    let cancelled = RequesterTask(on: nil) { begin in start.withLock { $0 = begin } }
    cancelled.run { note(6) }
    cancelled.cancel()
    start.withLock { $0 }?()
    #expect(log.withLock { $0 } == [1, 2, 3, 4])
  }
}

@Suite("A request that looks into its session's cache", .inTurn)
struct CacheLookupTests {
  @Test("before it passes through fails when its scope ends, and asks no server", .enabled(if: !PlainMode.isOn))
  func endOfScope() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let (cache, events) = (SlowCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil), DelegateEvents())
    try await withStubs {
      stub(condition: .anything, response: .passThrough)
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = cache
      let session = URLSession(configuration: configuration, delegate: events, delegateQueue: nil)
      session.dataTask(with: server.url("/a")).resume()
      try await until("the cache is asked") { cache.isAsked.isOpen }
    }
    cache.answer.signal()
    let told = try await events.untilCompletion()
    #expect(told.count == 1 && told[0].hasPrefix("error") && server.requests.isEmpty)
  }
}

private final class SlowCache: URLCache, @unchecked Sendable {
  // Safe because nothing in it changes.
  let isAsked = Latch()
  let answer = DispatchSemaphore(value: 0)

  override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    isAsked.open()
    answer.wait()
    return nil
  }
}
