import Foundation
import StubKit

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let largeLength = 16_384

  private var pieces: [Data] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0
  /// The bytes after those in memory, or `nil` if there are none.
  private var rest: SpooledBytes?

  var isEmpty: Bool { byteCount == 0 }

  /// Why the rest can't be kept, or `nil` if it can. Then nothing is sent any more.
  var problem: String? { rest?.problem }

  var byteCount: Int { pieces.reduce(rest?.byteCount ?? 0) { $0 + $1.count } - sent }

  /// Keeps what is appended in a file from now on, until the client has read everything.
  mutating func spool() { rest = rest ?? SpooledBytes() }

  mutating func append(_ bytes: some Collection<UInt8>) {
    let data = bytes as? Data ?? Data(bytes)
    if let rest { return rest.append(data) }
    if let last = pieces.indices.last, max(pieces[last].count, data.count) < Self.largeLength {
      pieces[last].append(data)
    } else if !data.isEmpty {
      pieces.append(data)
    }
  }

  /// Sends as much as the socket takes. Returns `false` if the other end is gone, or if there is a problem.
  mutating func send(to descriptor: Int32) -> Bool {
    while true {
      // What is in the file comes after what is in memory.
      if pieces.isEmpty, let rest {
        pieces = [rest.take()].filter { !$0.isEmpty }
        if rest.byteCount == 0, rest.problem == nil { self.rest = nil }
      }
      if problem != nil { return false }
      guard let piece = pieces.first else { return true }
      // Holds: the piece has more than `sent` bytes, or it would have been removed.
      let transfer = piece.withUnsafeBytes { [sent] bytes in
        Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[sent...]))
      }
      switch transfer {
      case .bytes(let count):
        sent += count
        guard sent == piece.count else { continue }
        sent = 0
        pieces.removeFirst()
      case .later: return true
      case .over: return false
      }
    }
  }
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
          problem = errno.systemError
        }
      }
    }
  }

  func take() -> Data {
    var bytes = Data(count: min(byteCount, Self.mostAtOnce))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    if count < bytes.count { problem = problem ?? errno.systemError }
    bytes = bytes.prefix(max(0, count))
    start += bytes.count
    return bytes
  }
}
