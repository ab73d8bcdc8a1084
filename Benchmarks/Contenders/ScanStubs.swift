import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  func first(matching request: URLRequest) -> Int? {
    lock.withLock { conditions.lastIndex { $0(request) } }
  }

  private static func isMethodGET() -> Condition { { $0.httpMethod == "GET" } }
  private static func isHost(_ host: String) -> Condition { { $0.url?.host == host } }
  private static func isPath(_ path: String) -> Condition { { $0.url?.path == path } }
}

private func && (left: @escaping ScanStubs.Condition, right: @escaping ScanStubs.Condition) -> ScanStubs.Condition {
  { left($0) && right($0) }
}
