import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// The head as URLSession reports it, for a request that has a URL.
  func head(for request: URLRequest, bodyLength: Int) -> HTTPURLResponse? {
    request.url.flatMap {
      Platform.makeResponse(url: $0, status: status, headers: headerFields(bodyLength: bodyLength))
    }
  }
}
