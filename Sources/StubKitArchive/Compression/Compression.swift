import Foundation

/// A compression of bodies that StubKit can undo, and write again.
///
/// It writes blocks without compression, which every decompressor reads.
enum Compression: Sendable {
  /// RFC 1952.
  case gzip
  /// RFC 1950, which is what HTTP means by `deflate`.
  case zlib

  /// The longest body, in bytes, that is decompressed.
  private static let longest = 256 << 20

  /// Returns the compression of a body, or `nil` if it isn't compressed, or in another way.
  ///
  /// - Parameter coding: The value of `Content-Encoding`. A body can be decompressed although it says otherwise.
  init?(_ coding: String?, _ body: Data) {
    if body.starts(with: [0x1F, 0x8B, 8]) {
      self = .gzip
    } else if coding?.lowercased() == "deflate", body.count > 6, body[body.startIndex] & 15 == 8,
      (Int(body[body.startIndex]) << 8 | Int(body[body.startIndex + 1])) % 31 == 0
    {
      self = .zlib
    } else {
      return nil
    }
  }

  /// Returns the decompressed bytes, or `nil` if the data is invalid.
  func decompressed(_ data: Data) -> Data? {
    switch self {
    case .gzip: Self.endOfHead(data).flatMap { Inflate.bytes(data, from: $0, limit: Self.longest) }
    case .zlib: Inflate.bytes(data, from: 2, limit: Self.longest)
    }
  }

  func compressed(_ data: Data) -> Data {
    var result = Data(self == .gzip ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] : [0x78, 0x01])
    var rest = data[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(0xFFFF)
      let length = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      for number in [length, ~length] { result.append(contentsOf: [UInt8(number & 0xFF), UInt8(number >> 8)]) }
      result.append(block)
    } while !rest.isEmpty
    switch self {
    case .gzip:
      for number in [Self.cyclicCheck(data), UInt32(truncatingIfNeeded: data.count)] {
        result.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
      }
    case .zlib:
      let check = Self.adler(data)
      result.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: check >> (24 - $0 * 8)) })
    }
    return result
  }

  /// Returns the length of the head of a file in gzip, or `nil` if it breaks off.
  private static func endOfHead(_ data: Data) -> Int? {
    let bytes = data.prefix(1 << 16)
    guard bytes.count > 10 else { return nil }
    let flags = bytes[bytes.startIndex + 3]
    var position = bytes.startIndex + 10
    if flags & 4 != 0 {
      guard position + 2 <= bytes.endIndex else { return nil }
      position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8
    }
    // The name of the file, and a comment.
    for flag in [8, 16] as [UInt8] where flags & flag != 0 {
      guard position < bytes.endIndex, let end = bytes[position...].firstIndex(of: 0) else { return nil }
      position = end + 1
    }
    if flags & 2 != 0 { position += 2 }
    return position <= bytes.endIndex ? position - bytes.startIndex : nil
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }

  /// The check of RFC 1952, section 8.
  private static func cyclicCheck(_ data: Data) -> UInt32 {
    ~data.reduce(~0) { remainders[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  /// The check of RFC 1950, section 9.
  private static func adler(_ data: Data) -> UInt32 {
    let (low, high) = data.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return high << 16 | low
  }
}
