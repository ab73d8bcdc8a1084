import Foundation

/// What a condition asks of the method and the URL of a request, as a list of byte comparisons in one piece of memory.
///
/// Walking through the condition itself counts references, and takes twice as long. So each criterion that can be
/// compiled is, and only the rest of the condition is walked through, once the bytes are right. URLs that aren't exact
/// are left to the whole condition.
package struct CompiledCondition: ~Copyable, @unchecked Sendable {
  /// The number of checks, the checks, and their texts, or `nil` for a condition of which bytes can decide nothing.
  // Safe because `init` writes the memory, and nothing refers to it any more when `deinit` frees it.
  private let memory: UnsafeMutableRawPointer?
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
    memory = rest.isEmpty || !builder.isEmpty ? builder.memory() : nil
    method = builder.method
    captures = builder.captures
    // What captures is walked through as a whole, so that the captures are in the order of the condition.
    self.rest = rest.isEmpty ? nil : captures ? condition : RequestMatcher(all: rest)
  }

  deinit { memory?.deallocate() }

  /// A Boolean value that indicates whether bytes can decide the condition, at least for plain URLs.
  var decides: Bool { rest == nil }

  /// A Boolean value that indicates whether the method matters. Asking a request for it takes a sixth of a match.
  var looksAtMethod: Bool { method != 0 }

  /// A text, by its place among the texts of a condition.
  struct Text {
    fileprivate let offset: UInt32
    fileprivate let count: UInt32
  }

  enum Check {
    case scheme(Text)
    case host(Text)
    case hostSuffix(Text)
    case port(Int)
    case path(Text)
    case pathPrefix(Text)
    /// A prefix of whole segments.
    case pathUnder(Text)
    case pathSuffix(Text)
    /// An item with its name, its `=` and its value.
    case queryItem(Text)
    case queryName(Text)
    /// A path of literal segments and of placeholders, each of which is a NUL.
    case segments(Text)
  }
}

extension CompiledCondition {
  /// Returns whether a request passes the checks, or `nil` if bytes can't decide that.
  @inline(__always)
  func isMet(by url: RequestURL, method: UInt64) -> Bool? {
    guard let memory, url.parts.isExact else { return nil }
    if self.method != 0, self.method != method { return false }
    return url.withBytes { Self.passes(memory, $0, url.parts) }
  }

  // This gets the parts without the URL, because they have nothing to retain.
  @inline(never)
  private static func passes(
    _ memory: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts
  ) -> Bool {
    // Safe because `Builder.memory()` has put the checks and the texts there, and they have nothing to release.
    let count = memory.load(as: Int.self)
    let checks = UnsafeRawPointer(memory + MemoryLayout<Int>.size).assumingMemoryBound(to: Check.self)
    let texts = UnsafeRawPointer(checks + count)
    for number in 0..<count where !passes(checks + number, texts, bytes, parts) { return false }
    return true
  }

  @inline(__always)
  private static func passes(
    _ check: UnsafePointer<Check>, _ texts: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts
  ) -> Bool {
    // The ranges are parts of the URL, and the texts are those of the condition.
    @inline(__always)
    func begins(_ part: Range<Int>, _ text: Text) -> Bool {
      part.count >= Int(text.count)
        && EightBytes.areEqual(texts + Int(text.offset), bytes + part.lowerBound, Int(text.count))
    }
    @inline(__always)
    func equals(_ part: Range<Int>, _ text: Text) -> Bool { part.count == Int(text.count) && begins(part, text) }
    @inline(__always)
    func ends(_ part: Range<Int>, _ text: Text) -> Bool {
      part.count >= Int(text.count) && equals(part.upperBound - Int(text.count)..<part.upperBound, text)
    }
    @inline(__always)
    func isAtEnd(_ position: Int, of part: Range<Int>, or delimiter: UInt8) -> Bool {
      position == part.upperBound || bytes.load(fromByteOffset: position, as: UInt8.self) == delimiter
    }

    switch check.pointee {
    case .scheme(let text): return equals(parts.scheme, text)
    case .host(let text): return equals(parts.host, text)
    case .hostSuffix(let text): return ends(parts.host, text)
    case .port(let port): return parts.port == port
    case .path(let text): return equals(parts.path, text)
    case .pathPrefix(let text): return begins(parts.path, text)
    case .pathUnder(let text):
      let path = parts.path
      return begins(path, text) && isAtEnd(path.lowerBound + Int(text.count), of: path, or: .slash)
    case .pathSuffix(let text): return ends(parts.path, text)
    case .queryItem(let text): return parts.hasItem(bytes) { equals($0, text) }
    case .queryName(let name):
      return parts.hasItem(bytes) {
        begins($0, name) && isAtEnd($0.lowerBound + Int(name.count), of: $0, or: UInt8(ascii: "="))
      }
    case .segments(let text): return fits(texts, text, bytes, parts)
    }
  }

  // A function of its own, so that the other checks have nothing to keep for it.
  @inline(never)
  private static func fits(
    _ texts: UnsafeRawPointer, _ text: Text, _ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts
  ) -> Bool {
    let path = parts.segments
    var (place, position) = (Int(text.offset), path.lowerBound)
    let end = place &+ Int(text.count)
    while true {
      let literal = parts.end(texts, from: place, before: end, at: 0) &- place
      guard path.upperBound &- position >= literal, EightBytes.areEqual(texts + place, bytes + position, literal)
      else { return false }
      (place, position) = (place &+ literal, position &+ literal)
      if place == end { return position == path.upperBound }
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
    private var checks: [Check] = []
    private var texts: [UInt8] = []
    fileprivate private(set) var method: UInt64 = 0
    fileprivate private(set) var captures = false

    fileprivate var isEmpty: Bool { checks.isEmpty && method == 0 }

    /// More items than this are compared in the general way, which has a table for them.
    private static let mostItems = 8

    /// - Parameter count: About the number of checks.
    fileprivate init(count: Int) {
      checks.reserveCapacity(count)
      texts.reserveCapacity(count * 32)
    }

    /// Adds the checks of a criterion, or returns `false` and adds nothing if bytes can't decide it.
    fileprivate mutating func compile(_ node: RequestMatcher.Node) -> Bool {
      guard case .criterion(let criterion) = node else { return false }
      let (checkCount, textCount) = (checks.count, texts.count)
      if criterion.compile(into: &self) { return true }
      checks.removeSubrange(checkCount...)
      texts.removeSubrange(textCount...)
      return false
    }

    mutating func add(_ check: Check) -> Bool {
      checks.append(check)
      return true
    }

    mutating func add(_ check: (Text) -> Check, _ text: String) -> Bool {
      guard let count = UInt32(exactly: text.utf8.count), let offset = UInt32(exactly: texts.count)
      else { return false }
      texts += text.utf8
      return add(check(Text(offset: offset, count: count)))
    }

    mutating func add(method: String) -> Bool {
      let code = method.methodCode
      guard code != 0, self.method == 0 || self.method == code else { return false }
      self.method = code
      return true
    }

    /// Adds a path of literal segments and of placeholders, each of which is a NUL and captures a text.
    mutating func add(segments: String) -> Bool {
      guard add(Check.segments, segments) else { return false }
      captures = true
      return true
    }

    /// Adds a check for each of a few items, which are different ones. Only an escaped name has a `=`.
    mutating func add(_ items: NamedItems) -> Bool {
      items.count <= Self.mostItems && Set(items).count == items.count
        && items.allSatisfy { item in
          !item.name.has("=") && add(Check.queryItem, item.value.map { item.name + "=" + $0 } ?? item.name)
        }
    }

    fileprivate func memory() -> UnsafeMutableRawPointer {
      let start = MemoryLayout<Int>.size + checks.count * MemoryLayout<Check>.stride
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: start + texts.count, alignment: MemoryLayout<Int>.alignment)
      memory.initializeMemory(as: Int.self, to: checks.count)
      (memory + MemoryLayout<Int>.size).initializeMemory(as: Check.self, from: checks, count: checks.count)
      (memory + start).initializeMemory(as: UInt8.self, from: texts, count: texts.count)
      return memory
    }
  }
}
