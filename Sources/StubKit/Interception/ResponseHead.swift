import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// Returns the head as URLSession reports it, for a request that has a URL.
  ///
  /// - Parameter heads: The cache of a head for the same URL, for a response whose body never changes.
  func head(for request: URLRequest, bodyLength: Int, keeping heads: ResponseHeadCache?) -> HTTPURLResponse? {
    guard let url = request.url else { return nil }
    func make() -> HTTPURLResponse? {
      Platform.makeResponse(url: url, status: status, headers: headerFields(bodyLength: bodyLength))
    }
    return heads.map { $0.head(for: url, make: make) } ?? make()
  }
}
