import Foundation

/// The head of a stub's response as it was last sent. Creating a head costs more than finding the stub, so the same
/// head is sent again if the URL and everything else are equal. A head never changes after it is created.
final class ResponseHeadCache: Sendable {
  private let last = Protected<(url: URL, content: HeadContent, head: HTTPURLResponse)?>(nil)

  func head(for url: URL, _ content: HeadContent, make: () -> HTTPURLResponse?) -> HTTPURLResponse? {
    if let last = last.withLock({ $0 }), last.content == content, last.url == url { return last.head }
    guard let head = make() else { return nil }
    let replaced = last.withLock { last in
      defer { last = (url, content, head) }
      return last
    }
    _ = consume replaced
    return head
  }
}
