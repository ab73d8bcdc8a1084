import Foundation

/// The hash of the index. It is fast for the short texts of requests, and the same for bytes and strings.
///
/// It is a multiply-and-fold hash in the manner of wyhash (public domain). Keys that collide share a bucket, and
/// every candidate is verified, so a collision costs time and never causes a wrong answer.
struct KeyHash {
  private(set) var value: UInt64

  init(seed: UInt64) { value = seed &+ 0x9E37_79B9_7F4A_7C15 }

  @inline(__always)
  mutating func combine(_ other: UInt64) { value = Self.fold(value ^ other, Self.secret) }

  /// Combines the hash of a dimension, whatever the order of the dimensions. It counts differently for each dimension,
  /// because values that change places would collide otherwise.
  @inline(__always)
  mutating func add(_ hash: UInt64, of dimension: Dimension) {
    let rotation = UInt64(dimension.rawValue) &* 8
    value &+= hash &* (Self.secret &<< rotation | Self.secret &>> (64 &- rotation) | 1)
  }

  /// Processes the bytes, eight at a time, as long as more follow. All prefixes of a text share this part.
  @inline(__always)
  mutating func combineWords(of bytes: UnsafeRawPointer, from position: inout Int, before count: Int) {
    while position &+ 8 < count {
      combine(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position &+= 8
    }
  }

  /// Combines exactly the last bytes of `count`, which can overlap those before. There is one or more.
  @inline(__always)
  mutating func finish(_ bytes: UnsafeRawPointer, count: Int) {
    @inline(__always)
    func load<Word: FixedWidthInteger>(_ position: Int, _: Word.Type) -> UInt64 {
      UInt64(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: position, as: Word.self))
    }
    let last =
      switch count {
      case 8...: load(count &- 8, UInt64.self)
      case 4...: load(0, UInt32.self) | load(count &- 4, UInt32.self) &<< 32
      default: load(0, UInt8.self) | load(count &>> 1, UInt8.self) &<< 8 | load(count &- 1, UInt8.self) &<< 16
      }
    value = Self.fold(value ^ last, Self.otherSecret ^ UInt64(truncatingIfNeeded: count))
  }

  private static var secret: UInt64 { 0xA076_1D64_78BD_642F }
  private static var otherSecret: UInt64 { 0x8EBC_6AF0_9C88_C6E3 }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

extension KeyHash {
  @inline(__always)
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = KeyHash(seed: 0)
    var position = 0
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return hash.value }
    hash.combineWords(of: start, from: &position, before: bytes.count)
    hash.finish(start, count: bytes.count)
    return hash.value
  }

  /// - Parameter range: A range of bytes that belong to the text at `bytes`.
  @inline(__always)
  static func of(_ bytes: UnsafeRawPointer, _ range: Range<Int>) -> UInt64 {
    of(UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.upperBound &- range.lowerBound))
  }

  @inline(__always)
  static func ofItem(_ name: UInt64, _ value: UInt64?) -> UInt64 {
    var hash = KeyHash(seed: name)
    hash.combine(value ?? 1)
    return hash.value
  }
}

extension StringProtocol {
  /// The hash of the bytes of the text.
  var keyHash: UInt64 {
    var text = String(self)
    return text.withBytes { KeyHash.of(UnsafeRawBufferPointer($0)) }
  }
}

extension Data {
  var keyHash: UInt64 { withUnsafeBytes { KeyHash.of($0) } }
}

extension NamedValue {
  /// The hash of the name and the value. A missing value differs from an empty one.
  var keyHash: UInt64 { KeyHash.ofItem(name.keyHash, value?.keyHash) }
}

extension String {
  /// The hash of a method.
  var methodHash: UInt64 {
    let code = methodCode
    return code == 0 ? keyHash : code
  }
}
