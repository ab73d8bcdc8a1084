#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Between URLSession and its own loader where that loads what a stubbed redirect leads to.
  ///
  /// URLSession answers a 401 by starting over with the task's first request: the stubbed one, on the real network, with the
  /// credential for another server. So it does not get to hear of the end before it is asked for.
  final class RedirectedClient: NSObject, URLProtocolClient, @unchecked Sendable {
    // @unchecked holds because nothing in it changes, and all of it is called on the task's work queue.
    private let client: any URLProtocolClient
    private let mayFinish: (URLProtocol, HTTPURLResponse) -> Bool

    /// - Parameter mayFinish: Asked on the task's work queue; if it says no, `finish` is called later or never.
    init(_ client: any URLProtocolClient, mayFinish: @escaping (URLProtocol, HTTPURLResponse) -> Bool) {
      self.client = client
      self.mayFinish = mayFinish
    }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      if let response = loader.task?.response as? HTTPURLResponse, !mayFinish(loader, response) { return }
      client.urlProtocolDidFinishLoading(loader)
    }

    /// Ends the task with its response as it stands, a demand for a credential too.
    func finish(_ loader: URLProtocol) {
      UnansweredChallengeResponse.hidingProtectionSpace { client.urlProtocolDidFinishLoading(loader) }
    }

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
      client.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      client.urlProtocol(loader, cachedResponseIsValid: response)
    }

    func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { client.urlProtocol(loader, didLoad: data) }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      client.urlProtocol(loader, didFailWithError: error)
    }

    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
      client.urlProtocol(loader, didReceive: challenge)
    }

    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
      client.urlProtocol(loader, didCancel: challenge)
    }
  }
#endif
