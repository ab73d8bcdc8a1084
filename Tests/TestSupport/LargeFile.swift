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

  deinit { removePlace(url) }
}
