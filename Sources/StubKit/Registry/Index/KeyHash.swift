/// The hash of the index: fast on the short texts that requests are made of, and the same for bytes and strings.
///
/// A multiply-and-fold hash in the manner of wyhash (public domain). Keys that collide share a bucket, and every
/// candidate is verified, so a collision costs time and never a wrong answer.
struct KeyHash: Sendable {
  private(set) var value: UInt64

  init(seed: UInt64) { value = seed &+ 0x9E37_79B9_7F4A_7C15 }

  mutating func combine(_ other: UInt64) { value = Self.fold(value ^ other, 0xA076_1D64_78BD_642F) }

  mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    var hash = Self.fold(value ^ UInt64(truncatingIfNeeded: bytes.count), 0xE703_7ED1_A0B4_28DB)
    var position = 0
    // Reads stay inside the buffer: each is checked against its count, and an empty buffer is never read.
    if let base = UnsafeRawPointer(bytes.baseAddress) {
      while position &+ 8 <= bytes.count {
        let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        hash = Self.fold(hash ^ word, 0xA076_1D64_78BD_642F)
        position &+= 8
      }
      var rest: UInt64 = 0
      while position < bytes.count {
        rest = rest << 8 | UInt64(bytes[position])
        position &+= 1
      }
      hash = Self.fold(hash ^ rest, 0x8EBC_6AF0_9C88_C6E3)
    }
    value = hash
  }

  /// The text's canonical form: texts that Swift takes for equal have equal hashes.
  mutating func combine(_ text: some StringProtocol) {
    var composed = String(text).composed
    composed.withUTF8 { combine($0) }
  }

  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

extension KeyHash {
  static func of(_ text: some StringProtocol) -> UInt64 {
    var hash = KeyHash(seed: 0)
    hash.combine(text)
    return hash.value
  }

  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = KeyHash(seed: 0)
    hash.combine(bytes)
    return hash.value
  }

  /// A method, whose hash is known beforehand if it is one of the usual.
  @inline(__always)
  static func ofMethod(_ method: String) -> UInt64 {
    switch method {
    case "GET": get
    case "POST": post
    default: of(method)
    }
  }
  private static let get = of("GET")
  private static let post = of("POST")

  /// An item by its name and value; no value is not the empty one.
  static func of(_ item: NamedValue) -> UInt64 {
    var hash = KeyHash(seed: item.value == nil ? 1 : 2)
    hash.combine(item.name)
    if let value = item.value { hash.combine(value) }
    return hash.value
  }
}
