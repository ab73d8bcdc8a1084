import Foundation

/// A condition that requires only a method, a scheme, a host and a path, each at most once and of the plain kind.
/// Comparing bytes verifies it.
struct PlainCondition: ~Copyable, @unchecked Sendable {
  // @unchecked holds because the bytes are written in `init` only, nobody else has the pointer, and they are freed
  // when nobody can hold the condition any more.
  /// The bytes of the host, followed by those of the path.
  private let bytes: UnsafeMutableRawPointer
  /// The length of each, or -1 if it is not required.
  private let hostCount: Int
  private let pathCount: Int
  private let method: PlainMethod?
  private let scheme: PlainScheme?

  /// Returns `nil` for a condition that requires anything else.
  init?(_ condition: RequestMatcher) {
    let criteria: [RequestMatcher.Node] =
      if case .all(let children, _) = condition.node { children } else { [condition.node] }
    var (method, scheme): (PlainMethod?, PlainScheme?)
    var (host, path): (String?, String?)
    for node in criteria {
      guard case .criterion(let criterion) = node else { return nil }
      switch criterion {
      case .method(let text) where method == nil:
        guard let plain = PlainMethod(text.value) else { return nil }
        method = plain
      case .scheme(let text) where scheme == nil:
        guard let plain = PlainScheme(text.value) else { return nil }
        scheme = plain
      case .host(let text) where host == nil: host = text.value
      case .path(let text) where path == nil: path = text.value
      default: return nil
      }
    }
    hostCount = host?.utf8.count ?? -1
    pathCount = path?.utf8.count ?? -1
    var text = (host ?? "") + (path ?? "")
    bytes = text.withUTF8 { text in
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: text.count, alignment: 1)
      if let start = text.baseAddress { bytes.copyMemory(from: start, byteCount: text.count) }
      return bytes
    }
    self.method = method
    self.scheme = scheme
  }

  deinit { bytes.deallocate() }

  @inline(__always)
  func matches(_ head: borrowing PlainHead) -> Bool {
    (method == nil || method == head.method) && (scheme == nil || scheme == head.scheme)
      && (hostCount < 0 || Self.equal(bytes, count: hostCount, head.bytes + head.host.lowerBound, head.host.count))
      && (pathCount < 0
        || Self.equal(bytes + max(0, hostCount), count: pathCount, head.bytes + head.path.lowerBound, head.path.count))
  }

  @inline(__always)
  private static func equal(
    _ wanted: UnsafeRawPointer, count: Int, _ bytes: UnsafeRawPointer, _ otherCount: Int
  ) -> Bool {
    guard count == otherCount else { return false }
    // Both have `count` bytes, and no more are read.
    @inline(__always)
    func differ(_ position: Int) -> Bool {
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        != wanted.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    }
    guard count >= 8 else { return memcmp(bytes, wanted, count) == 0 }
    var position = 0
    while position < count &- 8 {
      if differ(position) { return false }
      position &+= 8
    }
    return !differ(count &- 8)
  }
}
