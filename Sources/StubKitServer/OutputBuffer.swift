import Foundation

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let longestJoined = 16_384

  /// None of them is empty.
  private var pieces: [Data] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0
  /// The bytes after those in memory, or `nil` if there are none.
  private var rest: SpooledBytes?

  var isEmpty: Bool { pieces.isEmpty && (rest?.byteCount ?? 0) == 0 }

  var byteCount: Int { pieces.reduce(0) { $0 + $1.count } - sent + (rest?.byteCount ?? 0) }

  /// Keeps what is appended in a file from now on, until the client has read everything.
  mutating func spool() { rest = rest ?? SpooledBytes() }

  mutating func append(_ bytes: some Collection<UInt8>) { append(Data(bytes)) }

  mutating func append(_ data: Data) {
    if let rest { return rest.append(data) }
    if data.isEmpty { return }
    if let length = pieces.last?.count, length + data.count <= Self.longestJoined {
      pieces[pieces.count - 1].append(data)
    } else {
      pieces.append(data)
    }
  }

  /// Sends as much as the socket takes. Returns `false` if the other end is gone.
  mutating func send(to descriptor: Int32) -> Bool {
    while true {
      guard refill() else { return false }
      guard let first = pieces.first else { return true }
      // Holds: each piece has more than `sent` bytes, or it would have been removed.
      switch first.withUnsafeBytes({ Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
      case .bytes(let count):
        sent += count
        guard sent == first.count else { continue }
        sent = 0
        pieces.removeFirst()
      case .later: return true
      case .over: return false
      }
    }
  }

  /// Takes bytes from the file when those in memory are sent. Returns `false` if the file can't be used any more.
  private mutating func refill() -> Bool {
    guard pieces.isEmpty, let rest else { return true }
    guard let bytes = rest.take() else { return false }
    if !bytes.isEmpty { pieces = [bytes] }
    if rest.byteCount == 0 { self.rest = nil }
    return true
  }

  mutating func removeAll() { self = OutputBuffer() }
}

/// Bytes in a temporary file without a name, which ends with this object.
private final class SpooledBytes {
  private static let mostAtOnce = 262_144

  private let descriptor: Int32
  private var start = 0
  private var end = 0
  private var isBroken = false

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
      while !rest.isEmpty, !isBroken {
        let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(end))
        if count > 0 {
          rest = rest.dropFirst(count)
          end += count
        } else if errno != EINTR {
          isBroken = true
        }
      }
    }
  }

  /// Returns the next bytes, or `nil` if the file can't be read, or could not be written.
  func take() -> Data? {
    guard !isBroken else { return nil }
    var bytes = Data(count: min(byteCount, Self.mostAtOnce))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    guard count == bytes.count else { return nil }
    start += count
    return bytes
  }
}
