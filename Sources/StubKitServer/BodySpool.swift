import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The body of a request while it arrives. A large one is kept in a file.
struct BodySpool {
  private let limit: Int
  private var data = Data()
  private var file: SpoolFile?

  /// - Parameter limit: The largest number of bytes that are kept in memory.
  init(inMemory limit: Int) { self.limit = limit }

  mutating func append(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) {
    if file == nil {
      guard data.count + bytes.count > limit else { return data.append(contentsOf: bytes) }
      file = SpoolFile()
      guard file?.append(data) == true else { throw Self.problem }
      data = Data()
    }
    guard file?.append(bytes) == true else { throw Self.problem }
  }

  /// Returns all bytes, or `nil` if there are none. Those of a file are mapped into memory.
  func finish() throws(RequestProblem) -> Data? {
    guard let file else { return data.isEmpty ? nil : data }
    guard let data = file.mapped() else { throw Self.problem }
    return data
  }

  private static var problem: RequestProblem {
    RequestProblem(
      507,
      "The server can't write the body to a temporary file (\(String(cString: strerror(errno)))). Free disk space, or set "
        + "TMPDIR to a directory that the tests may write to.")
  }
}

/// A file without a name, which the system removes when nobody needs it any more. It is written at its end, and read from
/// its beginning.
///
/// Use it on the thread of the server's loop only.
final class SpoolFile {
  private let descriptor: Int32
  private var byteCount = 0
  private var readCount = 0

  /// Returns `nil` if there can be none, with `errno`.
  init?() {
    var path = Array((FileManager.default.temporaryDirectory.path + "/StubKit-upload-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { if descriptor >= 0 { Sockets.close(descriptor) } }

  /// The number of bytes that were not read.
  var backlog: Int { byteCount - readCount }

  /// Returns `false` if they can't be written, with `errno`.
  func append(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = pwrite(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(byteCount))
        guard count > 0 || count < 0 && errno == EINTR else { return false }
        byteCount += max(0, count)
        rest = rest.dropFirst(max(0, count))
      }
      return true
    } ?? append(Array(bytes))
  }

  /// Returns the next bytes, or `nil` if the file can't be read.
  func read(atMost limit: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // Holds: the buffer has room for as many.
      count = max(0, pread(descriptor, buffer.baseAddress, limit, off_t(readCount)))
    }
    readCount += bytes.count
    return bytes.isEmpty ? nil : bytes
  }

  /// Returns all bytes, or `nil` if they can't be mapped, with `errno`.
  func mapped() -> Data? {
    // Holds: nobody else knows the file, so it keeps its length as long as it is mapped.
    guard let bytes = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), bytes != MAP_FAILED else {
      return nil
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .unmap)
  }
}
