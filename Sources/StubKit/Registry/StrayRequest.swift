import Foundation

/// A request that can belong to any of several open scopes.
final class StrayRequest: Sendable {
  let request: URLRequest
  /// Whether the request belongs to none of them after all.
  let isDismissed = Protected(false)

  init(_ request: URLRequest) { self.request = request }
}
