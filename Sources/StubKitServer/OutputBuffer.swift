import Foundation

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let largeLength = 16_384

  private var whole: [Data] = []
  private var joined: [UInt8] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0

  var isEmpty: Bool { whole.isEmpty && joined.isEmpty }

  var byteCount: Int { whole.reduce(joined.count) { $0 + $1.count } - sent }

  mutating func append(_ bytes: some Collection<UInt8>) { joined.append(contentsOf: bytes) }

  mutating func append(_ data: Data) {
    guard data.count >= Self.largeLength else { return joined.append(contentsOf: data) }
    if !joined.isEmpty {
      whole.append(Data(joined))
      joined = []
    }
    whole.append(data)
  }

  /// Sends as much as the socket takes. Returns `false` if the other end is gone.
  mutating func send(to descriptor: Int32) -> Bool {
    while !isEmpty {
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
    return true
  }

  mutating func removeAll() { self = OutputBuffer() }
}
