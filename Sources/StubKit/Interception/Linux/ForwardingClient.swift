#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A client that forwards every call to another one.
  class ForwardingClient: NSObject, URLProtocolClient, @unchecked Sendable {
    // @unchecked holds because nothing in it changes, and all of it is called on the task's work queue.
    private let client: any URLProtocolClient

    init(_ client: any URLProtocolClient) { self.client = client }

    /// Makes one of the calls. Every call goes through this method.
    func tell(_ call: (any URLProtocolClient) -> Void) { call(client) }

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
      tell { $0.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: redirectResponse) }
    }

    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      tell { $0.urlProtocol(loader, cachedResponseIsValid: response) }
    }

    func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      tell { $0.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy) }
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { tell { $0.urlProtocol(loader, didLoad: data) } }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) { tell { $0.urlProtocolDidFinishLoading(loader) } }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      tell { $0.urlProtocol(loader, didFailWithError: error) }
    }

    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
      tell { $0.urlProtocol(loader, didReceive: challenge) }
    }

    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
      tell { $0.urlProtocol(loader, didCancel: challenge) }
    }
  }
#endif
