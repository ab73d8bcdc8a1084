import Foundation
import StubKit

/// The floor: a stub as tutorials write it, a URLProtocol with a constant response. It matches nothing and decides
/// nothing.
final class FloorProtocol: SimpleProtocol {
  static let body = Data(#"{"answeredBy":"floor"}"#.utf8)

  override func startLoading() { answer(Self.body) }
}

/// A bare URLProtocol that fails.
final class FailingProtocol: SimpleProtocol {
  override func startLoading() { client?.urlProtocol(self, didFailWithError: URLError(.timedOut)) }
}

/// The hand-written mock of the tutorials: a URLProtocol with a static handler, which a test sets.
final class MockProtocol: SimpleProtocol {
  static let body = Data(#"{"answeredBy":"mock"}"#.utf8)

  // Holds: set once, before the first request.
  nonisolated(unsafe) static var handler: ((URLRequest) throws -> (HTTPURLResponse, Data))? = { request in
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": "application/json"])!
    return (response, body)
  }

  override func startLoading() {
    guard let handler = Self.handler else { fatalError("Set a handler first.") }
    do {
      let (response, data) = try handler(request)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: data)
      client?.urlProtocolDidFinishLoading(self)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }
}

/// What the contenders have in common: they take each request as it is, and have nothing to stop.
class SimpleProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  /// Answers with JSON, at once.
  fileprivate func answer(_ body: Data) {
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Type": "application/json"])!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: body)
    client?.urlProtocolDidFinishLoading(self)
  }
}

/// OHHTTPStubs' algorithm behind a session. It looks for the stub when URLSession asks whether it takes the request,
/// and again when the request starts.
final class ScanProtocol: SimpleProtocol {
  static let body = Data(#"{"answeredBy":"scan"}"#.utf8)

  // Holds: set between two measurements, while no request is under way.
  nonisolated(unsafe) static var stubs = ScanStubs(count: 0)

  override class func canInit(with request: URLRequest) -> Bool { stubs.first(matching: request) != nil }

  override func startLoading() {
    guard Self.stubs.first(matching: request) != nil else {
      client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
      return
    }
    answer(Self.body)
  }
}

/// OHHTTPStubs' way to find a stub: conditions as closures, tried newest first under a lock.
final class ScanStubs: @unchecked Sendable {
  // @unchecked holds because the closures never change after init.
  typealias Condition = @Sendable (URLRequest) -> Bool

  private let lock = NSLock()
  private let conditions: [Condition]

  /// Stubs for the same requests as those of `Style.path`.
  init(count: Int) {
    conditions = (0..<count).map {
      Self.isMethodGET() && Self.isHost(Site.host) && Self.isPath("/v1/item/\(Style.id($0))")
    }
  }

  func first(matching request: URLRequest) -> Int? { lock.withLock { conditions.lastIndex { $0(request) } } }

  private static func isMethodGET() -> Condition { { $0.httpMethod == "GET" } }
  private static func isHost(_ host: String) -> Condition { { $0.url?.host == host } }
  private static func isPath(_ path: String) -> Condition { { $0.url?.path == path } }
}

private func && (left: @escaping ScanStubs.Condition, right: @escaping ScanStubs.Condition) -> ScanStubs.Condition {
  { left($0) && right($0) }
}
