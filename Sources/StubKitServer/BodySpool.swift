import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The body of a request while it arrives. A large one is kept in a file without a name, which the system removes when
/// nobody needs it any more.
struct BodySpool: ~Copyable {
  private let limit: Int
  private var data = Data()
  private var descriptor: Int32?
  private var byteCount = 0

  /// - Parameter limit: The largest number of bytes that are kept in memory.
  init(inMemory limit: Int) { self.limit = limit }

  deinit { if let descriptor { Sockets.close(descriptor) } }

  mutating func append(_ bytes: ArraySlice<UInt8>) throws(RequestProblem) {
    byteCount += bytes.count
    if descriptor == nil {
      guard byteCount > limit else { return data.append(contentsOf: bytes) }
      descriptor = Self.makeFile()
      guard descriptor != nil else { throw Self.problem }
      try write(data)
      data = Data()
    }
    try write(bytes)
  }

  /// Returns all bytes, or `nil` if there are none. Those of a file are mapped into memory.
  consuming func finish() throws(RequestProblem) -> Data? {
    guard byteCount > 0 else { return nil }
    guard let descriptor else { return data }
    // Holds: nobody else knows the file, so it keeps its length as long as it is mapped.
    guard let bytes = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), bytes != MAP_FAILED else {
      throw Self.problem
    }
    return Data(bytesNoCopy: bytes, count: byteCount, deallocator: .unmap)
  }

  private func write(_ bytes: some Collection<UInt8>) throws(RequestProblem) {
    guard let descriptor, bytes.withContiguousStorageIfAvailable({ Self.write($0, to: descriptor) }) == true else {
      throw Self.problem
    }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  private static func makeFile() -> Int32? {
    var path = Array((FileManager.default.temporaryDirectory.path + "/StubKit-upload-XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    return descriptor
  }

  private static var problem: RequestProblem {
    RequestProblem(
      507,
      "The server can't write the body to a temporary file (\(String(cString: strerror(errno)))). Free disk space, or set "
        + "TMPDIR to a directory that the tests may write to.")
  }
}

/// The system call, which has the name of a member above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
