import Foundation

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let largeLength = 16_384

  private var whole: [Data] = []
  private var joined: [UInt8] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0
  /// The bytes after those in memory, or `nil` if there are none.
  private var rest: SpooledBytes?

  private var isMemoryEmpty: Bool { whole.isEmpty && joined.isEmpty }
  var isEmpty: Bool { isMemoryEmpty && (rest?.byteCount ?? 0) == 0 }

  /// Why the rest can't be kept, or `nil` if it can. Then nothing is sent any more.
  var problem: String? { rest?.problem }

  var byteCount: Int { whole.reduce(joined.count) { $0 + $1.count } - sent + (rest?.byteCount ?? 0) }

  /// Keeps what is appended in a file from now on, until the client has read everything.
  mutating func spool() { rest = rest ?? SpooledBytes() }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if let rest { return rest.append(Data(bytes)) }
    joined.append(contentsOf: bytes)
  }

  mutating func append(_ data: Data) {
    if let rest { return rest.append(data) }
    guard data.count >= Self.largeLength else { return joined.append(contentsOf: data) }
    if !joined.isEmpty {
      whole.append(Data(joined))
      joined = []
    }
    whole.append(data)
  }

  /// Sends as much as the socket takes. Returns `false` if the other end is gone, or if there is a problem.
  mutating func send(to descriptor: Int32) -> Bool {
    while true {
      refill()
      if problem != nil { return false }
      if isMemoryEmpty { return true }
      let (offset, isWhole) = (sent, !whole.isEmpty)
      // Holds: each buffer has more than `offset` bytes, or it would have been removed.
      func write(_ bytes: UnsafeRawBufferPointer) -> Sockets.Transfer {
        Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      }
      switch isWhole ? whole[0].withUnsafeBytes(write) : joined.withUnsafeBytes(write) {
      case .bytes(let count):
        sent += count
        guard sent == (isWhole ? whole[0].count : joined.count) else { continue }
        sent = 0
        if isWhole { whole.removeFirst() } else { joined.removeAll(keepingCapacity: joined.count <= 65_536) }
      case .later: return true
      case .over: return false
      }
    }
  }

  /// Takes bytes from the file when those in memory are sent.
  private mutating func refill() {
    guard isMemoryEmpty, let rest else { return }
    joined = rest.take()
    if rest.byteCount == 0, rest.problem == nil { self.rest = nil }
  }

  mutating func removeAll() { self = OutputBuffer() }
}

/// Bytes in a temporary file without a name, which ends with this object.
private final class SpooledBytes {
  private static let mostAtOnce = 262_144

  private let descriptor: Int32
  private var start = 0
  private var end = 0
  /// Why the file can't be used any more, or `nil` if it can.
  private(set) var problem: String?

  var byteCount: Int { end - start }

  /// Returns `nil` if no file can be created.
  init?() {
    let folder = FileManager.default.temporaryDirectory.path
    var path = Array("\(folder)/StubKit-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { Sockets.close(descriptor) }

  func append(_ data: Data) {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, problem == nil {
        let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(end))
        if count > 0 {
          rest = rest.dropFirst(count)
          end += count
        } else if errno != EINTR {
          problem = String(cString: strerror(errno))
        }
      }
    }
  }

  func take() -> [UInt8] {
    let wanted = min(byteCount, Self.mostAtOnce)
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(start)))
    }
    if bytes.count < wanted { problem = problem ?? String(cString: strerror(errno)) }
    start += bytes.count
    return bytes
  }
}
