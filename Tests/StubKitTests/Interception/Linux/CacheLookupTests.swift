#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The look into a session's cache", .inTurn)
  struct CacheLookupTests {
    #if compiler(>=6.2)
      @Test("is skipped for a stubbed request")
      func skipped() async {
        await #expect(processExitsWith: .success) {
          let release = DispatchSemaphore(value: 0)
          for _ in 0..<64 { DispatchQueue.global(qos: .background).async { release.wait() } }
          try await withStubs {
            stub(condition: isPath("/cached"), response: .text("stubbed"))
            let session = URLSession(configuration: .default)
            precondition(session.configuration.urlCache != nil)
            let stubbed = try await session.fetch("http://a.example/cached")
            precondition(stubbed.text == "stubbed")
            // The application still sees the cache.
            precondition(session.configuration.urlCache != nil)
          }
          for _ in 0..<64 { release.signal() }
        }
      }
    #endif

    @Test("is made up for in a request that passes through")
    func madeUpFor() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let configuration = URLSessionConfiguration.default
      let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
      configuration.urlCache = cache
      configuration.requestCachePolicy = .returnCacheDataElseLoad
      let session = URLSession(configuration: configuration)
      let request = URLRequest(url: server.url("/kept"))
      let head = HTTPURLResponse(
        url: server.url("/kept"), statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Length": "4", "Cache-Control": "max-age=600"])!
      cache.storeCachedResponse(CachedURLResponse(response: head, data: Data("kept".utf8)), for: request)
      let disabled = StubRegistry()
      disabled.isEnabled = false
      let native = try await withStubs(registry: disabled) { try await session.fetch(request) }
      let throughStubKit = try await withStubs {
        HTTPStubs.unmatched = .passThrough
        return try await session.fetch(request)
      }
      #expect(throughStubKit == native)
    }
  }
#endif
