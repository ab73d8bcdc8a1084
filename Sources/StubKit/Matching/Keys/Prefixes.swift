/// The prefixes that the stubs of a tuple require, by length. These are the parts of a request's text that must be
/// hashed. The last byte of a prefix, its edge, rules out most lengths without a hash.
struct Prefixes: ~Copyable {
  /// The number of bytes by which longer prefixes are known.
  static let longest = 256

  /// A bit for each length, from 1.
  private var lengths = SIMD4<UInt64>()
  /// A bit for each edge, modulo 64, by length up to `longest`. Created with the first prefix.
  private var edges: UnsafeMutablePointer<UInt64>?
  /// The distinct edges. With more than four, `edgesOfFew` filters nothing.
  private var fewEdges = SIMD4<UInt8>()
  private var edgeCount = 0

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

  /// Calls `body` with the hash of each part of the text that can be a prefix.
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
          guard edges[length] & Self.bit(text[length &- 1]) != 0 else { continue }
          common.hash.combineBlocks(of: start, from: &common.position, before: length)
          var hash = common.hash
          hash.finish(start, count: length)
          body(hash.value)
        }
      }
      block &+= 1
    }
  }

  /// Returns which of eight lengths end with one of the few edges, and are no longer than the text.
  @inline(__always)
  private func edgesOfFew(in text: UnsafeBufferPointer<UInt8>, from first: Int) -> UInt8 {
    // Near the end of the text, a word begins earlier, so that it is within the text, and the surplus is shifted out.
    let missing = max(0, first &+ 8 &- text.count)
    let distance = first &- missing
    guard edgeCount <= 4, distance >= 0, let start = UnsafeRawPointer(text.baseAddress) else {
      return 0xFF &>> UInt8(truncatingIfNeeded: missing)
    }
    let word = EightBytes(start, at: distance)
    var bits: UInt8 = 0
    for number in 0..<edgeCount { bits |= word.bits(equalTo: fewEdges[number]) }
    return bits &>> UInt8(truncatingIfNeeded: missing)
  }

  @inline(__always)
  private static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 63) }
}

/// Eight bytes of a text in one word, the first one lowest. Questions are answered for all of them at once.
struct EightBytes {
  private let word: UInt64

  /// - Parameter position: A position that eight bytes or more of the text follow. Exactly eight are read.
  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private init(word: UInt64) { self.word = word }

  /// Compares eight bytes at a time, which is faster than a call for the short texts of requests.
  ///
  /// - Parameter count: The number of bytes in both. No more are read.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
    @inline(__always)
    func differ<Word: FixedWidthInteger>(_ position: Int, _: Word.Type) -> Bool {
      left.loadUnaligned(fromByteOffset: position, as: Word.self)
        != right.loadUnaligned(fromByteOffset: position, as: Word.self)
    }
    var position = 0
    // The last words overlap those before.
    if count >= 8 {
      while position &+ 8 < count {
        if differ(position, UInt64.self) { return false }
        position &+= 8
      }
      return !differ(count &- 8, UInt64.self)
    }
    if count >= 4 { return !differ(0, UInt32.self) && !differ(count &- 4, UInt32.self) }
    while position < count {
      if differ(position, UInt8.self) { return false }
      position &+= 1
    }
    return true
  }

  /// The bytes without the first ones, and with zeros after the last one.
  @inline(__always)
  func dropFirst(_ count: Int) -> EightBytes {
    EightBytes(word: word &>> UInt64(truncatingIfNeeded: 8 &* count))
  }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// The bytes that were found, marked by their highest bits. Only the first mark counts. Later ones can be wrong.
  struct Marks {
    fileprivate let bits: UInt64

    /// The position of the first marked byte, or `nil` if none is marked.
    var first: Int? {
      @inline(__always) get { bits == 0 ? nil : bits.trailingZeroBitCount &>> 3 }
    }

    @inline(__always)
    static func | (left: Marks, right: Marks) -> Marks { Marks(bits: left.bits | right.bits) }
  }

  var nonASCII: Marks { Marks(bits: word & Self.each(0x80)) }

  @inline(__always)
  func equal(to byte: UInt8) -> Marks {
    // Subtracting one from a byte borrows from the next byte only if it is zero, which is at the first mark.
    let difference = word ^ Self.each(byte)
    return Marks(bits: (difference &- Self.each(1)) & ~difference & Self.each(0x80))
  }

  /// Returns the bytes that equal a byte, with a bit for each.
  @inline(__always)
  func bits(equalTo byte: UInt8) -> UInt8 {
    let difference = word ^ Self.each(byte)
    let others = ((difference & Self.each(0x7F)) &+ Self.each(0x7F)) | difference
    // The highest bit of each byte, moved into the highest byte side by side.
    let marks = (~others & Self.each(0x80)) &>> 7
    return UInt8(truncatingIfNeeded: (marks &* 0x0102_0408_1020_4080) &>> 56)
  }

  /// The bytes that are neither a lower-case letter nor a digit nor a dot nor a hyphen.
  var unusualInHost: Marks {
    @inline(__always) get {
      // Without their highest bits, sums of bytes with anything up to 0x80 stay within the byte.
      let low = word & Self.each(0x7F)
      @inline(__always)
      func within(_ first: UInt8, _ last: UInt8) -> UInt64 {
        (low &+ Self.each(0x80 &- first)) & ~(low &+ Self.each(0x7F &- last))
      }
      let usual = within(UInt8(ascii: "a"), UInt8(ascii: "z")) | within(UInt8(ascii: "-"), UInt8(ascii: "9"))
      return Marks(bits: (~usual | word) & Self.each(0x80)) | equal(to: UInt8(ascii: "/"))
    }
  }

  /// Whether the bytes are those of "http://" and another one.
  var isHTTP: Bool { word & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 }

  /// Whether the bytes are those of "https://".
  var isHTTPS: Bool { word == 0x2F2F_3A73_7074_7468 }
}
