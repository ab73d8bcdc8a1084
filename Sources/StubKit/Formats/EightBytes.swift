/// Eight bytes of a text in one word, the first one lowest. Questions are answered for all of them at once.
struct EightBytes {
  private let word: UInt64

  /// - Parameter position: A position that eight bytes or more of the text follow. Exactly eight are read.
  @inline(__always)
  init(_ text: UnsafeRawPointer, at position: Int) {
    word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private init(word: UInt64) { self.word = word }

  /// The bytes without the first ones, and with zeros after the last one.
  @inline(__always)
  func dropFirst(_ count: Int) -> EightBytes { EightBytes(word: word &>> UInt64(truncatingIfNeeded: 8 &* count)) }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// The bytes that were found, marked by their highest bits. Only the first mark counts. Later ones can be wrong.
  struct Marks {
    fileprivate let bits: UInt64

    /// The position of the first marked byte, or `nil` if none is marked.
    var first: Int? { @inline(__always) get { bits == 0 ? nil : bits.trailingZeroBitCount &>> 3 } }

    @inline(__always)
    static func | (left: Marks, right: Marks) -> Marks { Marks(bits: left.bits | right.bits) }
  }

  var nonASCII: Marks { Marks(bits: word & Self.each(0x80)) }

  @inline(__always)
  func equal(to byte: UInt8) -> Marks { EightBytes(word: word ^ Self.each(byte)).below(1) }

  /// - Parameter limit: At most 0x80.
  @inline(__always)
  func below(_ limit: UInt8) -> Marks {
    // Subtracting borrows from the next byte only where a byte is below the limit, which is at the first mark.
    Marks(bits: (word &- Self.each(limit)) & ~word & Self.each(0x80))
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
      let usual = within(UInt8(ascii: "a"), UInt8(ascii: "z")) | within(.minus, UInt8(ascii: "9"))
      return Marks(bits: (~usual | word) & Self.each(0x80)) | equal(to: .slash)
    }
  }

  /// Whether the bytes are those of "http://" and another one.
  var isHTTP: Bool { word & 0x00FF_FFFF_FFFF_FFFF == 0x002F_2F3A_7074_7468 }

  /// Whether the bytes are those of "https://".
  var isHTTPS: Bool { word == 0x2F2F_3A73_7074_7468 }
}
