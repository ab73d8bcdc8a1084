import Foundation

/// A large file, open for reading: what is sent of it is read when it is sent, so that it costs the memory of a piece.
final class FixtureFile: Sendable {
  let url: URL
  let length: Int
  private let descriptor: CInt
  /// Whose descriptor it is, if it is another's.
  private let owner: FixtureFile?

  /// Nil for what is read at once instead: a file that is no larger than a piece, and what is no plain file.
  init?(_ url: URL, largerThan pieceLength: Int) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > pieceLength else {
      close(descriptor)
      return nil
    }
    self.url = url
    self.descriptor = descriptor
    owner = nil
    length = Int(status.st_size)
  }

  /// The same file, of which no more than so many bytes are seen.
  init(_ file: FixtureFile, first count: Int) {
    url = file.url
    descriptor = file.descriptor
    owner = file
    length = min(count, file.length)
  }

  deinit { if owner == nil { close(descriptor) } }

  /// The bytes at these positions, in memory of their own.
  func read(_ range: Range<Int>) throws(StubResponseError.Reason) -> Data {
    guard let buffer = malloc(range.count) else { throw unreadable("There is not enough memory") }
    var count = 0
    while count < range.count {
      let more = pread(descriptor, buffer + count, range.count - count, off_t(range.lowerBound + count))
      if more < 0 && errno == EINTR { continue }
      guard more > 0 else {
        let reason = more == 0 ? "It became shorter while it was sent" : String(cString: strerror(errno))
        free(buffer)
        throw unreadable(reason)
      }
      count += more
    }
    return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
  }

  /// Writes all bytes to a new file, which its receiver may change.
  ///
  /// - Throws: `StubResponseError.Reason` where it is this file that can't be read.
  func copy(to copy: URL) throws {
    try Data().write(to: copy)
    let handle = try FileHandle(forWritingTo: copy)
    defer { try? handle.close() }
    for start in stride(from: 0, to: length, by: Self.copiedLength) {
      try handle.write(contentsOf: read(start..<min(length, start + Self.copiedLength)))
    }
  }

  /// How much of a file is in memory while it is copied.
  private static let copiedLength = 1 << 20

  private func unreadable(_ reason: String) -> StubResponseError.Reason { .fixtureUnreadable(url.path, reason) }
}
