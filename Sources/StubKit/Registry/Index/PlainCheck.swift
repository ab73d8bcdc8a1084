/// The steps of a plain condition, taken one after another.
struct PlainCheck {
  private let texts: UnsafeRawPointer
  /// The bytes of the segment that the placeholders of a template have not taken.
  private var segment = 0..<0
  /// The start of the next segment. It is beyond the end of the path if there is none.
  private var next = 0

  /// - Parameter texts: The bytes of the condition's texts.
  init(_ texts: UnsafeRawPointer) { self.texts = texts }

  /// Returns whether a head passes a step.
  ///
  /// - Parameters:
  ///   - steps: The steps before this one.
  ///   - capture: Receives the name and the text of a placeholder.
  @inline(__always)
  mutating func passes(
    _ step: PlainStep, after steps: Slice<UnsafeBufferPointer<PlainStep>>, _ head: borrowing PlainHead,
    _ capture: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    switch step {
    case .port(let port): return head.port == Int(port)
    case .hostSuffix(let suffix): return ends(head.bytes, head.host, suffix)
    case .pathPrefix(let prefix): return begins(head.bytes, head.path, prefix)
    case .pathUnder(let path):
      guard begins(head.bytes, head.path, path) else { return false }
      let end = head.path.lowerBound + Int(path.count)
      return end == head.path.upperBound || head.byte(end) == UInt8(ascii: "/")
    case .pathSuffix(let suffix): return ends(head.bytes, head.path, suffix)

    case .queryName(let name): return hasItem(head, named: name)
    case .noQueryName(let name): return !hasItem(head, named: name)
    case .queryItem(let item): return head.hasQueryItem { equals(head.bytes, $0, item) }
    case .noOtherQueryItems(let count):
      let wanted = steps.suffix(Int(count))
      return !head.hasQueryItem { item in !wanted.contains { isItem(item, $0, head.bytes) } }
    case .queryItemCount(let count): return head.queryItemCount == Int(count)

    case .beginTemplate:
      next = head.path.lowerBound
      return true
    case .segments(let text):
      let start = next
      let end = start + Int(text.count)
      guard end <= head.path.upperBound, equals(head.bytes, start..<end, text) else { return false }
      next = end + 1
      return end == head.path.upperBound || head.byte(end) == UInt8(ascii: "/")
    case .placeholderSegment(let name):
      guard takeSegment(head), !segment.isEmpty else { return false }
      capture(bytes(name), head.bytes(segment))
      return true
    case .segmentPrefix(let prefix):
      guard takeSegment(head), begins(head.bytes, segment, prefix) else { return false }
      segment = segment.dropFirst(Int(prefix.count))
      return true
    case .placeholder(let name, let suffix):
      guard let end = firstPlace(of: suffix, head) else { return false }
      capture(bytes(name), head.bytes(segment.lowerBound..<end))
      segment = end + Int(suffix.count)..<segment.upperBound
      return true
    case .lastPlaceholder(let name, let suffix):
      guard segment.count > Int(suffix.count), ends(head.bytes, segment, suffix) else { return false }
      capture(bytes(name), head.bytes(segment.dropLast(Int(suffix.count))))
      return true
    case .rest(let name):
      guard next <= head.path.upperBound else { return false }
      capture(bytes(name), head.bytes(next..<head.path.upperBound))
      return true
    case .endTemplate: return next > head.path.upperBound
    }
  }
}

extension PlainCheck {
  /// Moves on to the next segment of the path, if there is one.
  @inline(__always)
  private mutating func takeSegment(_ head: borrowing PlainHead) -> Bool {
    guard next <= head.path.upperBound else { return false }
    let end = head.end(from: next, before: head.path.upperBound, at: UInt8(ascii: "/"))
    segment = Range(uncheckedBounds: (next, end))
    next = end &+ 1
    return true
  }

  /// Returns the first place of a text in the segment, after at least one byte.
  private func firstPlace(of text: PlainText, _ head: borrowing PlainHead) -> Int? {
    let last = segment.upperBound - Int(text.count)
    guard segment.lowerBound < last else { return nil }
    return (segment.lowerBound + 1...last).first { equals(head.bytes, $0..<$0 + Int(text.count), text) }
  }

  private func hasItem(_ head: borrowing PlainHead, named name: PlainText) -> Bool {
    head.hasQueryItem { item in
      guard begins(head.bytes, item, name) else { return false }
      let end = item.lowerBound + Int(name.count)
      return end == item.upperBound || head.byte(end) == UInt8(ascii: "=")
    }
  }

  private func isItem(_ item: Range<Int>, _ step: PlainStep, _ bytes: UnsafeRawPointer) -> Bool {
    if case .queryItem(let text) = step { equals(bytes, item, text) } else { false }
  }

  // The ranges below are parts of the head, and the texts are parts of the condition's bytes.

  private func bytes(_ text: PlainText) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: texts + Int(text.offset), count: Int(text.count))
  }

  @inline(__always)
  private func equals(_ bytes: UnsafeRawPointer, _ range: Range<Int>, _ text: PlainText) -> Bool {
    range.count == Int(text.count) && begins(bytes, range, text)
  }

  @inline(__always)
  private func begins(_ bytes: UnsafeRawPointer, _ range: Range<Int>, _ text: PlainText) -> Bool {
    range.count >= Int(text.count)
      && PlainBytes.equal(texts + Int(text.offset), bytes + range.lowerBound, Int(text.count))
  }

  @inline(__always)
  private func ends(_ bytes: UnsafeRawPointer, _ range: Range<Int>, _ text: PlainText) -> Bool {
    range.count >= Int(text.count)
      && PlainBytes.equal(texts + Int(text.offset), bytes + range.upperBound - Int(text.count), Int(text.count))
  }
}
