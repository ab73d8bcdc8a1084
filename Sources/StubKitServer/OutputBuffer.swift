import Foundation

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let largeLength = 16_384

  private var pieces: [Data] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0

  var isEmpty: Bool { byteCount == 0 }

  var byteCount: Int { pieces.reduce(0) { $0 + $1.count } - sent }

  mutating func append(_ bytes: some Collection<UInt8>) {
    let data = bytes as? Data ?? Data(bytes)
    if let last = pieces.indices.last, max(pieces[last].count, data.count) < Self.largeLength {
      pieces[last].append(data)
    } else if !data.isEmpty {
      pieces.append(data)
    }
  }

  /// Sends as much as the socket takes. Returns `false` if the other end is gone.
  mutating func send(to descriptor: Int32) -> Bool {
    while true {
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
