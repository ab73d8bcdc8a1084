/// The prefixes or suffixes that the stubs of a tuple require, by length. These are the parts of a request's text
/// that must be hashed.
///
/// The byte at the inner edge of an affix rules out most lengths without a hash: the last byte of a prefix, or the
/// first byte of a suffix.
struct Affixes: ~Copyable {
  /// The number of bytes by which longer affixes are known.
  static let longest = 256

  /// A Boolean value that indicates whether they are at the end of the text.
  let isSuffix: Bool
  /// A bit for each length, from 1.
  private var lengths = SIMD4<UInt64>()
  /// A bit for each edge, modulo 64, by length up to `longest`. Created with the first affix.
  private var edges: UnsafeMutablePointer<UInt64>?
  /// All edges, up to the fifth, which makes them too many.
  private var fewEdges = SIMD4<UInt8>()
  private var edgeCount = 0

  init(isSuffix: Bool) { self.isSuffix = isSuffix }

  deinit { edges?.deallocate() }

  mutating func insert(length: Int, edge: UInt8) {
    assert((1...Self.longest).contains(length))
    let edges = edges ?? Self.noEdges()
    self.edges = edges
    edges[length] |= Self.bit(edge)
    lengths[(length - 1) >> 6] |= 1 << UInt64((length - 1) & 63)
    guard edgeCount <= 4, !(0..<edgeCount).contains(where: { fewEdges[$0] == edge }) else { return }
    if edgeCount < 4 { fewEdges[edgeCount] = edge }
    edgeCount += 1
  }

  private static func noEdges() -> UnsafeMutablePointer<UInt64> {
    let edges = UnsafeMutablePointer<UInt64>.allocate(capacity: longest + 1)
    edges.initialize(repeating: 0, count: longest + 1)
    return edges
  }

  /// Calls `body` with the hash of each part of the text that can be an affix.
  @inline(__always)
  func forEach(in text: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void) {
    // Candidates are no longer than the text, so all bytes that are read belong to the text.
    guard let edges, let start = UnsafeRawPointer(text.baseAddress) else { return }
    var common = (hash: KeyHash(seed: 0), position: 0)
    var block = 0
    while block < 4, block &* 64 < text.count {
      var left = lengths[block]
      while left != 0 {
        // Eight lengths at a time: those of one byte of `left`.
        let shift = left.trailingZeroBitCount & ~7
        let first = block &* 64 &+ shift
        var candidates = UInt8(truncatingIfNeeded: left &>> UInt64(shift))
        left &= ~(0xFF &<< UInt64(shift))
        guard first < text.count else { return }
        candidates &= edgesOfFew(in: text, from: first)
        while candidates != 0 {
          let length = first &+ candidates.trailingZeroBitCount &+ 1
          candidates &= candidates &- 1
          let edge = text[isSuffix ? text.count &- length : length &- 1]
          guard edges[length] & Self.bit(edge) != 0 else { continue }
          if isSuffix {
            body(KeyHash.of(UnsafeBufferPointer(rebasing: text[(text.count &- length)...])))
          } else {
            common.hash.combineBlocks(of: start, from: &common.position, before: length)
            var hash = common.hash
            hash.finish(start, count: length)
            body(hash.value)
          }
        }
      }
      block &+= 1
    }
  }

  /// Returns which of eight lengths have one of the few edges at their inner end, and are no longer than the text.
  @inline(__always)
  private func edgesOfFew(in text: UnsafeBufferPointer<UInt8>, from first: Int) -> UInt8 {
    // Near the end of the text, a word begins earlier, so that it is within the text, and the surplus is shifted out.
    let missing = max(0, first &+ 8 &- text.count)
    let distance = first &- missing
    guard edgeCount <= 4, distance >= 0, let start = UnsafeRawPointer(text.baseAddress) else {
      return 0xFF &>> UInt8(truncatingIfNeeded: missing)
    }
    let word = EightBytes(start, at: isSuffix ? text.count &- 8 &- distance : distance, reversed: isSuffix)
    var bits: UInt8 = 0
    for number in 0..<edgeCount { bits |= word.bits(equalTo: fewEdges[number]) }
    return bits &>> UInt8(truncatingIfNeeded: missing)
  }

  @inline(__always)
  private static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 63) }
}
