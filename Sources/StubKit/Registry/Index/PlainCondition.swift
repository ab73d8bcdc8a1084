/// A condition on the head of a request that comparing bytes verifies. It consists of a method, a scheme, a host and a
/// path, each at most once, and of steps that check the rest.
struct PlainCondition: ~Copyable, @unchecked Sendable {
  // @unchecked holds because the memory is written in `init` only, nobody else has the pointer, and it is freed when
  // nobody can hold the condition any more.
  /// The bytes of the host, those of the path, and those of the steps. The steps precede them in the same piece of
  /// memory, so that verifying a condition touches few cache lines.
  private let bytes: UnsafeMutableRawPointer
  /// The length of each, or -1 if it is not required.
  private let hostCount: Int32
  private let pathCount: Int32
  private let stepCount: Int32
  private let method: PlainMethod?
  private let scheme: PlainScheme?

  /// Returns `nil` for a condition that requires anything else.
  init?(_ condition: RequestMatcher) {
    let nodes: [RequestMatcher.Node] =
      if case .all(let children, _) = condition.node { children } else { [condition.node] }
    var parts = PlainConditionParts()
    for node in nodes {
      guard case .criterion(let criterion) = node, parts.add(criterion) else { return nil }
    }
    guard Int32(exactly: parts.bytes.count) != nil else { return nil }
    hostCount = parts.host.map { Int32($0.utf8.count) } ?? -1
    pathCount = parts.path.map { Int32($0.utf8.count) } ?? -1
    stepCount = Int32(parts.steps.count)
    method = parts.method
    scheme = parts.scheme
    bytes = Self.memory(of: parts.steps, parts.bytes)
  }

  private static func memory(of steps: [PlainStep], _ text: [UInt8]) -> UnsafeMutableRawPointer {
    let stepBytes = steps.count * MemoryLayout<PlainStep>.stride
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: stepBytes + text.count, alignment: MemoryLayout<PlainStep>.alignment)
    start.initializeMemory(as: PlainStep.self, from: steps, count: steps.count)
    (start + stepBytes).initializeMemory(as: UInt8.self, from: text, count: text.count)
    return start + stepBytes
  }

  /// The steps, which the condition owns. They have nothing to release.
  private var steps: UnsafeBufferPointer<PlainStep> {
    let start = bytes - Int(stepCount) * MemoryLayout<PlainStep>.stride
    return UnsafeBufferPointer(start: start.assumingMemoryBound(to: PlainStep.self), count: Int(stepCount))
  }

  /// The address that the texts of the steps are relative to.
  private var texts: UnsafeRawPointer { UnsafeRawPointer(bytes + Int(max(0, hostCount) + max(0, pathCount))) }

  deinit { UnsafeRawPointer(bytes - Int(stepCount) * MemoryLayout<PlainStep>.stride).deallocate() }

  @inline(__always)
  func matches(_ head: borrowing PlainHead) -> Bool {
    (method == nil || method == head.method) && (scheme == nil || scheme == head.scheme)
      && (hostCount < 0 || PlainBytes.equal(bytes, Int(hostCount), head.bytes + head.host.lowerBound, head.host.count))
      && (pathCount < 0
        || PlainBytes.equal(
          bytes + Int(max(0, hostCount)), Int(pathCount), head.bytes + head.path.lowerBound, head.path.count))
      && (stepCount == 0 || passesSteps(head))
  }

  /// A separate function, so that conditions without steps have nothing to keep for it.
  @inline(never)
  private func passesSteps(_ head: borrowing PlainHead) -> Bool {
    var check = PlainCheck(texts)
    let steps = steps
    for number in steps.indices {
      if !check.passes(steps[number], after: steps[..<number], head, { _, _ in }) { return false }
    }
    return true
  }

  /// Returns what the placeholders of templates capture from a head that the condition matches.
  func captures(from head: borrowing PlainHead) -> Captures {
    var captures = Captures()
    var check = PlainCheck(texts)
    let steps = steps
    for number in steps.indices {
      let passes = check.passes(steps[number], after: steps[..<number], head) { name, value in
        captures.add(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      }
      assert(passes)
    }
    return captures
  }
}
