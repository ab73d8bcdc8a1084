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
    Data((0..<length).map { UInt8(truncatingIfNeeded: $0 % 251 + $0 / 65_536) })
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
