import Foundation

/// A regular file, open for reading. Its bytes stay available if it is replaced or removed.
///
/// Other kinds of file are refused and not even opened: opening a FIFO can block for ever, and a device has no end.
package final class RegularFile: Sendable {
  /// Why a path leads to no bytes.
  package enum Problem: Error, Equatable {
    case missing
    case isDirectory
    /// The kind of file, with an article.
    case isNotRegular(String)
    case becameShorter
    /// The reason is that of the system.
    case isUnreadable(String)
  }

  /// The length in bytes when the file was opened.
  let length: Int
  private let descriptor: CInt

  package init(_ url: URL) throws(Problem) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { throw .last }
    if let problem = Problem(of: status) { throw problem }
    // Doesn't block, because something else may have taken the file's place.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last }
    let problem = fstat(descriptor, &status) == 0 ? Problem(of: status) : .last
    if let problem {
      close(descriptor)
      throw problem
    }
    self.descriptor = descriptor
    length = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Returns the bytes at these positions, in memory of their own. They aren't mapped, because a mapping would change
  /// when the file is rewritten, and would end the process where the file became shorter.
  func read(_ range: Range<Int>) throws(Problem) -> Data {
    let buffer = try allocate(range.count)
    do { try fill(buffer, range) } catch {
      free(buffer)
      throw error
    }
    return Data(bytesNoCopy: buffer, count: range.count, deallocator: .free)
  }

  /// Returns the bytes at these positions, in memory of their own.
  ///
  /// - Throws: A `Problem`, and `CancellationError` as soon as the flag is cancelled.
  func read(_ range: Range<Int>, unless flag: CancellationFlag) throws -> Data {
    let (start, count) = (range.lowerBound, range.count)
    let buffer = try allocate(count)
    do {
      for piece in Self.pieces(of: count) {
        try flag.check()
        try fill(buffer + piece.lowerBound, start + piece.lowerBound..<start + piece.upperBound)
      }
    } catch {
      free(buffer)
      throw error
    }
    return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
  }

  /// Returns all bytes up to the end, also of a file whose length doesn't say how many there are, such as some files
  /// of the system.
  package func readToEnd() throws(Problem) -> Data {
    var bytes = try read(0..<length)
    var piece = [UInt8](repeating: 0, count: 4_096)
    while case let count = pread(descriptor, &piece, piece.count, off_t(bytes.count)), count != 0 {
      if count > 0 { bytes.append(contentsOf: piece[..<count]) } else if errno != EINTR { throw .last }
    }
    return bytes
  }

  /// Returns the positions of a number of bytes, in pieces of a megabyte.
  static func pieces(of count: Int) -> some Sequence<Range<Int>> {
    let length = 1 << 20
    return stride(from: 0, to: count, by: length).lazy.map { $0..<min(count, $0 + length) }
  }

  private func allocate(_ count: Int) throws(Problem) -> UnsafeMutableRawPointer {
    guard let buffer = malloc(max(1, count)) else { throw .isUnreadable("There is not enough memory") }
    return buffer
  }

  private func fill(_ buffer: UnsafeMutableRawPointer, _ range: Range<Int>) throws(Problem) {
    var count = 0
    while count < range.count {
      let more = pread(descriptor, buffer + count, range.count - count, off_t(range.lowerBound + count))
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw .last }
      guard more > 0 else { throw .becameShorter }
      count += more
    }
  }
}

extension RegularFile.Problem {
  /// The error of the last system call.
  fileprivate static var last: Self {
    switch errno {
    case ENOENT, ENOTDIR: .missing
    default: .isUnreadable(String(cString: strerror(errno)))
    }
  }

  /// Returns `nil` for a regular file.
  fileprivate init?(of status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self = .isDirectory
    case S_IFIFO: self = .isNotRegular("a FIFO")
    case S_IFSOCK: self = .isNotRegular("a socket")
    case S_IFCHR: self = .isNotRegular("a character device")
    case S_IFBLK: self = .isNotRegular("a block device")
    default: self = .isNotRegular("a special file")
    }
  }
}
