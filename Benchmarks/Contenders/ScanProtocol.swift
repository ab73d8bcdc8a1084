import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// OHHTTPStubs' algorithm behind a session. It looks for the stub when URLSession asks whether it takes the request,
/// and again when the request starts.
final class ScanProtocol: URLProtocol {
  static let body = Data(#"{"answeredBy":"scan"}"#.utf8)

  // Holds: set between two measurements, while no request is under way.
  nonisolated(unsafe) static var stubs = ScanStubs(count: 0)

  override class func canInit(with request: URLRequest) -> Bool { stubs.first(matching: request) != nil }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard Self.stubs.first(matching: request) != nil else {
      client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
      return
    }
    client?.urlProtocol(self, didReceive: FloorProtocol.response(to: request), cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Self.body)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
