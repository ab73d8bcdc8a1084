import Foundation
import StubKitServer
import StubKitTesting
import Testing

@Test(.stubbed) func asksOnceWhereTheSystemHasACache() async throws {
  let films = URL(string: "https://api.example.com/films")!
  let server = try await StubServer(for: "https://api.example.com")
  let list = stub(
    .get, "https://api.example.com/films", response: .json(["Alien"], headers: ["Cache-Control": "max-age=60"]))

  let configuration = URLSessionConfiguration.default
  configuration.urlCache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
  HTTPStubs.setEnabled(false, for: configuration)
  let session = URLSession(configuration: configuration)
  for _ in 1...2 { _ = try await session.data(from: server.url(for: films)) }
  #if os(Linux)
    #expect(list.callCount == 2)
  #else
    #expect(list.callCount == 1)
  #endif
}

@Test(.stubbed) func readsWhatTheCacheHas() async throws {
  let films = URL(string: "https://api.example.com/films")!
  let server = try await StubServer(for: "https://api.example.com")
  let list = stub(.get, "https://api.example.com/films", response: .json(["Alien"]))

  let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
  let configuration = URLSessionConfiguration.default
  configuration.urlCache = cache
  HTTPStubs.setEnabled(false, for: configuration)
  let request = URLRequest(url: server.url(for: films), cachePolicy: .returnCacheDataElseLoad)
  let response = try #require(
    HTTPURLResponse(url: server.url(for: films), statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
  cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("kept".utf8)), for: request)
  let (kept, _) = try await URLSession(configuration: configuration).data(for: request)
  #expect(String(decoding: kept, as: UTF8.self) == "kept" && list.callCount == 0)
}
