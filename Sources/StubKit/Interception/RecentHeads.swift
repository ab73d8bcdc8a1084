import Foundation

/// The heads that were sent last. On Linux, `HTTPURLResponse` takes 5 µs to parse its header fields, a tenth of a whole
/// request, and most tests request the same few URLs again. A head never changes, so tasks can share it.
final class RecentHeads: Sendable {
  static let shared = RecentHeads()

  private struct Key: Hashable {
    let url: URL
    let content: HeadContent
  }

  private static let limit = 1_024
  private let heads = Protected<[Key: HTTPURLResponse]>([:])

  /// Returns the head as URLSession reports it.
  func head(for url: URL, _ content: HeadContent) -> HTTPURLResponse? {
    let key = Key(url: url, content: content)
    if let head = heads.withLock({ $0[key] }) { return head }
    guard let head = Platform.makeResponse(url: url, status: content.status, headers: content.fields) else {
      return nil
    }
    let dropped = heads.withLock { heads in
      let dropped = heads.count < Self.limit ? nil : heads
      if dropped != nil { heads = [:] }
      heads[key] = head
      return dropped
    }
    _ = consume dropped
    return head
  }
}
