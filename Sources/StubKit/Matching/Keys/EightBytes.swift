/// Eight bytes of a text in one word, the first one lowest. Questions are answered for all of them at once.
struct EightBytes {
  private let word: UInt64

  /// - Parameter position: A position that eight bytes or more of the text follow. Exactly eight are read.
  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The bytes with the last one lowest, to be examined from the end.
  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int, reversed: Bool) {
    let bytes = EightBytes(text, at: position)
    self = reversed ? EightBytes(word: bytes.word.byteSwapped) : bytes
  }

  private init(word: UInt64) { self.word = word }

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

  /// The bytes that are neither a lower-case letter nor a digit nor a dot.
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

  /// The scheme that the bytes begin with, such as that of "https://" and "http:///".
  var scheme: PlainScheme? {
    if word == 0x2F2F_3A73_7074_7468 { return .https }
    return word & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 ? .http : nil
  }
}
