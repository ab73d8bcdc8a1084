import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The floor: a stub as tutorials write it, a URLProtocol with a static handler. It matches nothing and decides
/// nothing.
final class FloorProtocol: URLProtocol {
  static let body = Data(#"{"answeredBy":"floor"}"#.utf8)

  // Holds: set before the first request, in one place.
  nonisolated(unsafe) static var handler: (URLRequest) throws -> (HTTPURLResponse, Data) = { request in
    (FloorProtocol.response(to: request), FloorProtocol.body)
  }

  static func response(to request: URLRequest) -> HTTPURLResponse {
    HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": "application/json"])!
  }

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    do {
      let (response, data) = try Self.handler(request)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: data)
      client?.urlProtocolDidFinishLoading(self)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() {}
}
