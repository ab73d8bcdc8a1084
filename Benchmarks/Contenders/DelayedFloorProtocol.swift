import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The floor with a delay, as tutorials write it: a dispatch queue's `asyncAfter`.
final class DelayedFloorProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let answer = DispatchWorkItem { [self] in
      client?.urlProtocol(self, didReceive: FloorProtocol.response(to: request), cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: FloorProtocol.body)
      client?.urlProtocolDidFinishLoading(self)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + TimerSuite.delay, execute: answer)
  }

  override func stopLoading() {}
}
