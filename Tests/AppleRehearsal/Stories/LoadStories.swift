import Foundation
import Testing

@testable import StubKit

@Suite("A load on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct LoadStories {
  @Test("without a task fails")
  func taskless() {
    let client = Client()
    StubURLProtocol(
      request: URLRequest(url: URL(string: "http://a.example/")!), cachedResponse: nil, client: client
    ).startLoading()
    #expect(client.error.current.flatMap { MissingContextError(from: $0) } != nil)
  }

  private final class Client: NSObject, URLProtocolClient, Sendable {
    let error = Locked<(any Error)?>(nil)

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}
    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {}
    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {}
    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {}
    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) { self.error.withLock { $0 = error } }
    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
  }
}
