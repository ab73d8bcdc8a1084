import Foundation
import FoundationNetworking

open class URLProtocol: NSObject {
  public let request: URLRequest
  public let cachedResponse: CachedURLResponse?
  public let client: (any URLProtocolClient)?
  public let task: URLSessionTask?

  public required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
    task = (client as? ConnectionClient)?.task
  }

  open class func canInit(with request: URLRequest) -> Bool { violation("canInit(with:) is to be overridden") }
  open class func canInit(with task: URLSessionTask) -> Bool { task.request.map { canInit(with: $0) } ?? false }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }
  open func startLoading() {}
  open func stopLoading() {}

  private static let lock = NSLock()
  // Holds: touched under `lock` only.
  nonisolated(unsafe) private static var registered: [AnyClass] = []

  open class func registerClass(_ protocolClass: AnyClass) -> Bool {
    lock.withLock { registered.append(protocolClass) }
    return true
  }

  static var registeredClasses: [URLProtocol.Type] {
    lock.withLock { registered.compactMap { $0 as? URLProtocol.Type } }
  }
}
@available(*, unavailable) extension URLProtocol: @unchecked Sendable {}

public protocol URLProtocolClient: NSObjectProtocol {
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

/// The system's own loaders, by which it says in a configuration's `protocolClasses` what it loads.
enum SystemClasses {
  static let all: [AnyClass] = [_NSURLHTTPProtocol.self, _NSURLDataProtocol.self]
}
final class _NSURLHTTPProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    request.url?.scheme == "http" || request.url?.scheme == "https"
  }
}
final class _NSURLDataProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "data" }
}
