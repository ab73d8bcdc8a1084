/// Comparisons of bytes that are faster than a call for the short texts of requests.
enum PlainBytes {
  @inline(__always)
  static func equal(
    _ wanted: UnsafeRawPointer, _ count: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard count == bytes.count, let start = bytes.baseAddress else { return false }
    return equal(wanted, start, count)
  }

  /// - Parameter count: The number of bytes in both. No more are read.
  @inline(__always)
  static func equal(_ wanted: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    @inline(__always)
    func differ(_ position: Int) -> Bool {
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        != wanted.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    }
    guard count >= 8 else { return equalFew(wanted, bytes, count) }
    var position = 0
    while position < count &- 8 {
      if differ(position) { return false }
      position &+= 8
    }
    return !differ(count &- 8)
  }

  /// Compares fewer than eight bytes.
  @inline(__always)
  private static func equalFew(_ wanted: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    if count >= 4 {
      @inline(__always)
      func differ(_ position: Int) -> Bool {
        bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          != wanted.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      }
      return !differ(0) && !differ(count &- 4)
    }
    for position in 0..<count
    where bytes.load(fromByteOffset: position, as: UInt8.self) != wanted.load(fromByteOffset: position, as: UInt8.self)
    {
      return false
    }
    return true
  }
}
