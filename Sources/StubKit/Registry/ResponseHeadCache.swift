import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The head of a constant response as it was last sent, because creating one costs more than finding the stub. It is
/// sent again for an equal URL. A head never changes after it is created.
final class ResponseHeadCache: Sendable {
  private let last = Protected<(url: URL, head: HTTPURLResponse)?>(nil)

  func head(for url: URL, make: () -> HTTPURLResponse?) -> HTTPURLResponse? {
    if let last = last.withLock({ $0 }), last.url == url { return last.head }
    guard let head = make() else { return nil }
    let replaced = last.withLock { last in
      defer { last = (url, head) }
      return last
    }
    _ = consume replaced
    return head
  }
}
