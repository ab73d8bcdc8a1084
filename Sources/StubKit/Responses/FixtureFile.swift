import Foundation

/// A large file, open for reading: what is sent of it is read when it is sent, so that it costs the memory of a piece.
final class FixtureFile: Sendable {
  let url: URL
  let length: Int
  private let descriptor: CInt

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
    length = Int(status.st_size)
  }

  deinit { close(descriptor) }

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

  /// All bytes, read when they are touched.
  func mapped() throws(StubResponseError.Reason) -> Data {
    guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw unreadable(String(cString: strerror(errno)))
    }
    return Data(bytesNoCopy: start, count: length, deallocator: .custom { start, length in munmap(start, length) })
  }

  /// Copies the file, without taking its bytes into this process where the system can do that.
  func copy(to copy: URL) throws {
    try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: copy)
    // A fixture that may not be written to is copied with that: the receiver's file is its own.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
  }

  private func unreadable(_ reason: String) -> StubResponseError.Reason { .fixtureUnreadable(url.path, reason) }
}
