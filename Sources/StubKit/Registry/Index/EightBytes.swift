/// Eight bytes of a text in one word, the first one lowest: what they have in common is asked of all of them at once.
///
/// The answers mark a byte by its highest bit. Of what is marked only the first counts: marks after it may be wrong.
struct EightBytes {
  private let word: UInt64

  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The bytes from a position on, followed by zeros where the text ends before the word does.
  ///
  /// - Parameter count: The text's length, which is at least eight: all that is read lies within it.
  @inline(__always)
  init(_ text: UnsafeRawPointer, count: Int, at position: Int) {
    assert(count >= 8 && position < count)
    let missing = max(0, position &+ 8 &- count)
    let read = text.loadUnaligned(fromByteOffset: position &- missing, as: UInt64.self)
    word = UInt64(littleEndian: read) &>> UInt64(truncatingIfNeeded: missing &* 8)
  }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  struct Marks {
    fileprivate let bits: UInt64

    /// The position of the first byte that is marked, nil if none is.
    var first: Int? {
      @inline(__always) get { bits == 0 ? nil : bits.trailingZeroBitCount &>> 3 }
    }

    @inline(__always)
    static func | (left: Marks, right: Marks) -> Marks { Marks(bits: left.bits | right.bits) }
  }

  var nonASCII: Marks { Marks(bits: word & Self.each(0x80)) }

  @inline(__always)
  func equal(to byte: UInt8) -> Marks {
    // Taking one from a byte borrows from the next only if it is zero, which is where the first mark is.
    let difference = word ^ Self.each(byte)
    return Marks(bits: (difference &- Self.each(1)) & ~difference & Self.each(0x80))
  }

  /// What is neither a letter in lower case nor a digit nor a dot.
  var unusualInHost: Marks {
    @inline(__always) get {
      // Without their highest bits, sums of bytes with anything up to 0x80 stay within the byte.
      let low = word & Self.each(0x7F)
      @inline(__always)
      func within(_ first: UInt8, _ last: UInt8) -> UInt64 {
        (low &+ Self.each(0x80 &- first)) & ~(low &+ Self.each(0x7F &- last))
      }
      let usual = within(UInt8(ascii: "a"), UInt8(ascii: "z")) | within(UInt8(ascii: "."), UInt8(ascii: "9"))
      return Marks(bits: (~usual | word) & Self.each(0x80)) | equal(to: UInt8(ascii: "/"))
    }
  }

  /// The scheme that the bytes begin with, as "https://" and "http:///" do.
  var scheme: PlainScheme? {
    if word == 0x2F2F_3A73_7074_7468 { return .https }
    return word & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 ? .http : nil
  }
}
