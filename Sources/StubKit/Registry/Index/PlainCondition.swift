/// A condition that asks for nothing but a method, a scheme, a host and a path, each at most once and in plain ASCII: it
/// is verified by comparing bytes.
struct PlainCondition: Sendable {
  private(set) var method: String?
  private(set) var scheme: String?
  private(set) var host: String?
  private(set) var path: String?

  /// Nil for a condition that asks for anything else.
  init?(_ condition: RequestMatcher) {
    let criteria: [RequestMatcher.Node] =
      if case .all(let children) = condition.node { children } else { [condition.node] }
    for node in criteria {
      guard case .criterion(let criterion) = node else { return nil }
      switch criterion {
      case .method(let text) where method == nil: method = text.value
      case .scheme(let text) where scheme == nil: scheme = text.value
      case .host(let text) where host == nil: host = text.value
      case .path(let text) where path == nil: path = text.value
      default: return nil
      }
    }
  }

  /// - Parameter method: The request's method, as matchers compare it.
  @inline(__always)
  func matches(_ head: PlainHead, method: String) -> Bool {
    (self.method == nil || self.method == method) && Self.equal(path, head, head.path)
      && Self.equal(host, head, head.host) && Self.equal(scheme, head, head.scheme)
  }

  @inline(__always)
  private static func equal(_ text: String?, _ head: PlainHead, _ range: Range<Int>) -> Bool {
    guard let text else { return true }
    guard text.utf8.count == range.count else { return false }
    // A text that is not contiguous is left to the long way round: here it counts as different.
    return text.utf8.withContiguousStorageIfAvailable { wanted in
      var position = 0
      while position < wanted.count {
        if wanted[position] != head.bytes[range.lowerBound &+ position] { return false }
        position &+= 1
      }
      return true
    } ?? false
  }
}
