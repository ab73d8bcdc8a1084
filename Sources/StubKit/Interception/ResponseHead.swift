import Foundation

extension StubResponse {
  /// Returns the head as URLSession reports it, for a request that has a URL.
  ///
  /// - Parameter heads: The cache of the stub's last head, or `nil` for a response of no stub.
  func head(for request: URLRequest, bodyLength: Int, keeping heads: ResponseHeadCache?) -> HTTPURLResponse? {
    guard let url = request.url else { return nil }
    let content = headContent(bodyLength: bodyLength)
    func make() -> HTTPURLResponse? { Platform.makeHead(url: url, content) }
    return heads.map { $0.head(for: url, content, make: make) } ?? make()
  }
}
