/// The prefixes or suffixes that the stubs of a tuple ask for, by length: what a request's text has to be hashed for.
struct Affixes {
  /// Whether they stand at the text's end.
  let isSuffix: Bool
  private var lengths: [Length] = []

  private struct Length {
    let count: Int
    /// The bytes at the inner edges of the affixes of this length, one bit for four of them: most lengths are told by it
    /// to be none of the text's, without a hash.
    var edges: UInt64
  }

  init(isSuffix: Bool) { self.isSuffix = isSuffix }

  mutating func insert(length count: Int, edge: UInt8) {
    if let position = lengths.firstIndex(where: { $0.count == count }) {
      lengths[position].edges |= Self.bit(edge)
    } else {
      lengths.append(Length(count: count, edges: Self.bit(edge)))
    }
  }

  /// Calls `body` with the hash of each part of the text that may be an affix.
  @inline(__always)
  func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void) {
    lengths.withUnsafeBufferPointer { lengths in
      for length in lengths where length.count <= text.count {
        let edge = isSuffix ? text[text.count &- length.count] : text[length.count &- 1]
        guard length.edges & Self.bit(edge) != 0 else { continue }
        let range = isSuffix ? text.count &- length.count..<text.count : 0..<length.count
        body(KeyHash.of(UnsafeBufferPointer(rebasing: text[range])))
      }
    }
  }

  @inline(__always)
  private static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 63) }
}
