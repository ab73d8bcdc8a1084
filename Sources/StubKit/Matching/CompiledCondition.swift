import Foundation

/// What a condition asks of the method and the URL of a request, as a list of byte comparisons in one piece of memory.
///
/// Walking through the condition itself counts references, and takes twice as long. So each criterion that can be
/// compiled is, and only the rest of the condition is walked through, once the bytes are right. URLs that aren't exact
/// are left to the whole condition.
package struct CompiledCondition: ~Copyable, @unchecked Sendable {
  /// The checks, each with its text behind it, or `nil` for a condition of which bytes can decide nothing. An array
  /// would be counted with each match, which takes as long as the checks of a path.
  // Safe because `init` writes the memory, and nothing refers to it any more when `deinit` frees it.
  private let checks: UnsafeRawBufferPointer?
  /// The code of the method, or 0 for any method.
  private let method: UInt64
  /// A Boolean value that indicates whether the checks can capture texts. Comparing bytes finds none.
  let captures: Bool
  /// What a request has to meet beside the checks, or `nil` if they decide the condition.
  let rest: RequestMatcher?

  init(_ condition: RequestMatcher) {
    let nodes: [RequestMatcher.Node] =
      if case .group(isEither: false, let children, _) = condition.node { children } else { [condition.node] }
    var builder = Builder(count: nodes.count)
    var rest: [RequestMatcher.Node] = []
    for node in nodes where !builder.compile(node) { rest.append(node) }
    checks = rest.isEmpty || !builder.isEmpty ? builder.memory() : nil
    method = builder.method
    captures = builder.captures
    // What captures is walked through as a whole, so that the captures are in the order of the condition.
    self.rest = rest.isEmpty ? nil : captures ? condition : RequestMatcher(all: rest)
  }

  deinit { checks?.deallocate() }

  /// A Boolean value that indicates whether bytes can decide the condition, at least for plain URLs.
  var decides: Bool { rest == nil }

  /// A Boolean value that indicates whether the method matters. Asking a request for it takes a sixth of a match.
  var looksAtMethod: Bool { method != 0 }

  /// What is compared with a text.
  enum Check: UInt8 {
    case scheme
    case host
    case hostSuffix
    /// Its text is the number, as it is in memory.
    case port
    case path
    case pathPrefix
    /// A prefix of whole segments.
    case pathUnder
    case pathSuffix
    /// An item with its name, its `=` and its value.
    case queryItem
    case queryName
    /// A path of literal segments and of placeholders, each of which is a NUL.
    case segments
  }
}

extension CompiledCondition {
  /// Returns whether a request passes the checks, or `nil` if bytes can't decide that. One that passes meets the
  /// condition only if it meets `rest`, too.
  @inline(__always)
  func passes(_ url: RequestURL, method: UInt64) -> Bool? {
    guard let checks, url.parts.isExact else { return nil }
    if self.method != 0, self.method != method { return false }
    return url.withBytes { Self.passes(checks, $0, url.parts) }
  }

  /// The text of a check.
  private struct Text {
    let start: UnsafeRawPointer
    let count: Int
  }

  // This gets the parts without the URL, because they have nothing to retain.
  @inline(never)
  private static func passes(
    _ checks: UnsafeRawBufferPointer, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts
  ) -> Bool {
    guard var position = checks.baseAddress else { return true }
    let end = position + checks.count
    while position < end {
      // Safe because `Builder.add` has put a check there as it is in memory, the length of a text, and the text.
      let check = position.load(as: Check.self)
      let count = position.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
      let text = Text(start: position + 5, count: Int(count))
      guard passes(check, text, bytes, parts) else { return false }
      position = text.start + text.count
    }
    return true
  }

  @inline(__always)
  private static func passes(
    _ check: Check, _ text: Text, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts
  ) -> Bool {
    // The ranges are parts of the URL, and the texts are those of the condition.
    @inline(__always)
    func begins(_ part: Range<Int>) -> Bool {
      part.count >= text.count && memcmp(text.start, bytes + part.lowerBound, text.count) == 0
    }
    @inline(__always)
    func equals(_ part: Range<Int>) -> Bool { part.count == text.count && begins(part) }
    @inline(__always)
    func ends(_ part: Range<Int>) -> Bool {
      part.count >= text.count && equals(part.upperBound - text.count..<part.upperBound)
    }
    /// Returns whether the part ends after the text, or goes on with a delimiter.
    @inline(__always)
    func begins(_ part: Range<Int>, before delimiter: UInt8) -> Bool {
      guard begins(part) else { return false }
      let position = part.lowerBound + text.count
      return position == part.upperBound || bytes.load(fromByteOffset: position, as: UInt8.self) == delimiter
    }

    switch check {
    case .scheme: return equals(parts.scheme)
    case .host: return equals(parts.host)
    case .hostSuffix: return ends(parts.host)
    case .port: return parts.port == text.start.loadUnaligned(as: Int.self)
    case .path: return equals(parts.path)
    case .pathPrefix: return begins(parts.path)
    case .pathUnder: return begins(parts.path, before: .slash)
    case .pathSuffix: return ends(parts.path)
    case .queryItem: return parts.hasItem(bytes) { equals($0) }
    case .queryName: return parts.hasItem(bytes) { begins($0, before: UInt8(ascii: "=")) }
    case .segments: return fits(text, bytes, parts)
    }
  }

  // A function of its own, so that the other checks have nothing to keep for it.
  @inline(never)
  private static func fits(_ text: Text, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts) -> Bool {
    let path = parts.segments
    var (place, position) = (0, path.lowerBound)
    while true {
      let literal = parts.end(text.start, from: place, before: text.count, at: 0) &- place
      guard path.upperBound &- position >= literal, memcmp(text.start + place, bytes + position, literal) == 0
      else { return false }
      (place, position) = (place &+ literal, position &+ literal)
      if place == text.count { return position == path.upperBound }
      let segment = position
      position = parts.endOfSegment(bytes, from: segment)
      if position == segment { return false }
      place &+= 1
    }
  }
}

extension CompiledCondition {
  /// Collects the checks of criteria. Its methods return `false` for what bytes can't decide.
  package struct Builder {
    private var checks: [UInt8] = []
    fileprivate private(set) var method: UInt64 = 0
    fileprivate private(set) var captures = false

    fileprivate var isEmpty: Bool { checks.isEmpty && method == 0 }

    /// More items than this are compared in the general way, which has a table for them.
    private static let mostItems = 8

    /// - Parameter count: About the number of checks.
    fileprivate init(count: Int) { checks.reserveCapacity(count * 32) }

    /// Adds the checks of a criterion, or returns `false` and adds nothing if bytes can't decide it.
    fileprivate mutating func compile(_ node: RequestMatcher.Node) -> Bool {
      guard case .criterion(let criterion) = node else { return false }
      let before = (checks.count, method, captures)
      if criterion.compile(into: &self) { return true }
      checks.removeSubrange(before.0...)
      (method, captures) = (before.1, before.2)
      return false
    }

    mutating func add(_ check: Check, _ text: String) -> Bool {
      var text = text
      return text.withBytes { add(check, UnsafeRawBufferPointer($0)) }
    }

    mutating func add(port: Int) -> Bool { withUnsafeBytes(of: port) { add(.port, $0) } }

    private mutating func add(_ check: Check, _ text: UnsafeRawBufferPointer) -> Bool {
      guard let count = UInt32(exactly: text.count) else { return false }
      withUnsafeBytes(of: check) { checks.append(contentsOf: $0) }
      withUnsafeBytes(of: count) { checks.append(contentsOf: $0) }
      checks.append(contentsOf: text)
      return true
    }

    mutating func add(method: String) -> Bool {
      let code = method.methodCode
      guard code != 0, self.method == 0 || self.method == code else { return false }
      self.method = code
      return true
    }

    /// Adds a path of literal segments and of placeholders, each of which is a NUL and captures a text.
    mutating func add(segments: String) -> Bool {
      captures = true
      return add(.segments, segments)
    }

    /// Adds a check for each of a few items, which are different ones. Only an escaped name has a `=`.
    mutating func add(_ items: NamedItems) -> Bool {
      items.count <= Self.mostItems && (items.count == 1 || Set(items).count == items.count)
        && items.allSatisfy { item in
          !item.name.has("=") && add(.queryItem, item.value.map { item.name + "=" + $0 } ?? item.name)
        }
    }

    fileprivate func memory() -> UnsafeRawBufferPointer {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: checks.count, alignment: 1)
      memory.copyBytes(from: checks)
      return UnsafeRawBufferPointer(memory)
    }
  }
}
