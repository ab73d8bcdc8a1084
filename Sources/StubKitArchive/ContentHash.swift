import Foundation

extension Data {
  /// A hash that is the same on every machine. It is not cryptographic: it distinguishes contents that differ by
  /// accident, not by design.
  ///
  /// It is FNV-1a with 64 bits, of eight bytes at a time, and then of the rest and of the length.
  package var contentHash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x0000_0100_0000_01B3
      // A multiplication moves bits up only.
      hash ^= hash &>> 32
    }
    withUnsafeBytes { bytes in
      let blocks = bytes.count & ~7
      for position in stride(from: 0, to: blocks, by: 8) {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      }
      for byte in bytes[blocks...] { add(UInt64(byte)) }
    }
    add(UInt64(count))
    return hash
  }
}
