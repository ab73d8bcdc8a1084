import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A request that looks into its session's cache", .inTurn)
struct CacheLookupTests {
  @Test("fails when its scope ends", .enabled(if: !PlainMode.isOn))
  func endOfScope() async throws {
    let server = try LoopbackServer()
    let (cache, events) = (SlowCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil), DelegateEvents())
    try await withStubs {
      stub(condition: .anything, response: .passThrough)
      let configuration = URLSessionConfiguration.default
      configuration.urlCache = cache
      events.session(configuration).dataTask(with: server.url("/a")).resume()
      try await until("the cache is asked") { cache.isAsked.isOpen }
    }
    cache.answer.signal()
    let told = try await events.untilCompletion()
    #expect(told.count == 1 && told[0].hasPrefix("error"), "\(told)")
    #expect(server.requests.isEmpty)
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
