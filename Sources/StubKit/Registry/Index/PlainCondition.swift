/// A condition on the head of a request that comparing bytes verifies. It consists of a method, a scheme, a host and a
/// path, each at most once, and of steps that check the rest.
struct PlainCondition: ~Copyable, @unchecked Sendable {
  // @unchecked holds because the memory is written in `init` only, and freed when nobody can hold the condition any
  // more.
  /// The condition to check, or `nil` for one that requires anything else. It must not outlive its owner.
  let reference: Reference?

  init(_ condition: RequestMatcher) { reference = Reference(condition) }

  deinit { reference?.deallocate() }
}

extension PlainCondition {
  /// A condition without its owner, in one piece of memory: a head, the steps, and then the bytes of the host, of the
  /// path and of the steps. Verifying it touches few cache lines.
  struct Reference {
    private struct Head {
      /// The length of the host and of the path, or -1 if it is not required.
      let hostCount: Int32
      let pathCount: Int32
      let stepCount: Int32
      let method: PlainMethod?
      let scheme: PlainScheme?
    }

    private let start: UnsafeMutableRawPointer

    fileprivate init?(_ condition: RequestMatcher) {
      let nodes: [RequestMatcher.Node] =
        if case .all(let children, _) = condition.node { children } else { [condition.node] }
      var parts = PlainConditionParts()
      for node in nodes {
        guard case .criterion(let criterion) = node, criterion.addPlain(to: &parts) else { return nil }
      }
      let bytes = parts.bytes
      guard Int32(exactly: bytes.count) != nil else { return nil }
      let head = Head(
        hostCount: parts.host.map { Int32($0.utf8.count) } ?? -1,
        pathCount: parts.path.map { Int32($0.utf8.count) } ?? -1,
        stepCount: Int32(parts.steps.count), method: parts.method, scheme: parts.scheme)
      start = Self.memory(of: head, parts.steps, bytes)
    }

    private static func memory(of head: Head, _ steps: [PlainStep], _ text: [UInt8]) -> UnsafeMutableRawPointer {
      let stepBytes = steps.count * MemoryLayout<PlainStep>.stride
      let start = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Head>.stride + stepBytes + text.count, alignment: MemoryLayout<Head>.alignment)
      start.initializeMemory(as: Head.self, to: head)
      let firstStep = start + MemoryLayout<Head>.stride
      firstStep.initializeMemory(as: PlainStep.self, from: steps, count: steps.count)
      (firstStep + stepBytes).initializeMemory(as: UInt8.self, from: text, count: text.count)
      return start
    }

    fileprivate func deallocate() { start.deallocate() }

    // Holds: `memory` has put these parts there, and the owner keeps them. They have nothing to release.
    private var head: Head {
      @inline(__always) get { start.assumingMemoryBound(to: Head.self).pointee }
    }

    private var steps: UnsafeBufferPointer<PlainStep> {
      let first = UnsafeRawPointer(start + MemoryLayout<Head>.stride).assumingMemoryBound(to: PlainStep.self)
      return UnsafeBufferPointer(start: first, count: Int(head.stepCount))
    }

    /// The bytes of the host, the path and the steps.
    private var bytes: UnsafeRawPointer {
      @inline(__always) get {
        UnsafeRawPointer(
          start + MemoryLayout<Head>.stride + Int(head.stepCount) &* MemoryLayout<PlainStep>.stride)
      }
    }

    /// The address that the texts of the steps are relative to.
    private var texts: UnsafeRawPointer { bytes + Int(max(0, head.hostCount) + max(0, head.pathCount)) }
  }
}

extension PlainCondition.Reference {
  @inline(__always)
  func matches(_ request: borrowing PlainHead) -> Bool {
    let (head, bytes) = (head, bytes)
    return (head.method == nil || head.method == request.method)
      && (head.scheme == nil || head.scheme == request.scheme)
      && (head.hostCount < 0 || PlainBytes.equal(bytes, Int(head.hostCount), request.bytes(request.host)))
      && (head.pathCount < 0
        || PlainBytes.equal(
          bytes + Int(max(0, head.hostCount)), Int(head.pathCount), request.bytes(request.path)))
      && (head.stepCount == 0 || passesSteps(request))
  }

  /// A separate function, so that conditions without steps have nothing to keep for it.
  @inline(never)
  private func passesSteps(_ request: borrowing PlainHead) -> Bool {
    var check = PlainCheck(texts)
    let steps = steps
    for number in steps.indices {
      if !check.passes(steps[number], after: steps[..<number], request, { _, _ in }) { return false }
    }
    return true
  }

  /// Returns what the placeholders of templates capture from a head that the condition matches.
  func captures(from request: borrowing PlainHead) -> Captures {
    var captures = Captures()
    var check = PlainCheck(texts)
    let steps = steps
    for number in steps.indices {
      let passes = check.passes(steps[number], after: steps[..<number], request) { name, value in
        captures.add(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      }
      assert(passes)
    }
    return captures
  }
}
