import Foundation

/// A file with bytes that tell their position, removed when the test lets go of it.
package final class LargeFile: Sendable {
  package let url = temporaryPlace(".bin")
  package let bytes: Data

  package init(length: Int) throws {
    bytes = Self.bytes(length: length)
    try bytes.write(to: url)
  }

  /// Bytes that repeat with no length a piece might have.
  package static func bytes(length: Int) -> Data {
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        buffer[count] = UInt8(truncatingIfNeeded: count % 251 + count / 65_536)
        count += 1
      }
    }
    return Data(bytes)
  }

  /// A file that is too long for StubKit to read it as a whole. All of it but the beginning and the end is a hole,
  /// which takes no room on the disk.
  package static func long() throws -> LargeFile { try LargeFile(endsOfLongFile: bytes(length: 70_000)) }

  private init(endsOfLongFile ends: Data) throws {
    bytes = ends + Data(count: 64 << 20) + ends
    try ends.write(to: url)
    let handle = try FileHandle(forWritingTo: url)
    try handle.seek(toOffset: UInt64(bytes.count - ends.count))
    try handle.write(contentsOf: ends)
    try handle.close()
  }

  deinit { removePlace(url) }
}
