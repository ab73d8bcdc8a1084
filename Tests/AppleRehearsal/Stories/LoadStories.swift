import Foundation
import Testing

@testable import StubKit

#if canImport(URLLoading)
  import URLLoading
#endif

@Suite("A load on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct LoadStories {
  @Test(
    "that never comes keeps no test waiting: another class answers, or the task is cancelled at once",
    arguments: [true, false])
  func unanswered(isCancelled: Bool) async throws {
    let configuration = URLSessionConfiguration.staged
    configuration.protocolClasses = [HandWritten.self] + (configuration.protocolClasses ?? [])
    let session = URLSession(configuration: configuration)
    await withStubs {
      let misses = StubRegistry.current.collectMisses()
      let task = session.dataTask(with: URL(string: "http://mock.example/")!)
      task.resume()
      if isCancelled { task.cancel() }
      let start = ContinuousClock.now
      let found = await misses.finish()
      // A question without an answer is given up after five seconds.
      #expect(found.isEmpty && start.duration(to: .now) < .seconds(4))
      // The task is held: that it is gone doesn't answer the question.
      withExtendedLifetime(task) {}
    }
    session.finishTasksAndInvalidate()
  }

  @Test("without a task fails")
  func taskless() {
    let client = Client()
    StubURLProtocol(
      request: URLRequest(url: URL(string: "http://a.example/")!), cachedResponse: nil, client: client
    ).startLoading()
    #expect(client.error.current.flatMap { MissingHandOverError(from: $0) } != nil)
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
