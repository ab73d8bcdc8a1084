import Foundation

/// The bytes that a connection has yet to send. Small pieces are joined, and large ones aren't copied.
struct OutputBuffer {
  private static let largeLength = 16_384

  private var whole: [Data] = []
  private var joined: [UInt8] = []
  /// The number of bytes of the first piece that were sent.
  private var sent = 0
  /// The bytes behind all others, if there are too many for memory.
  private var overflow: SpoolFile?
  /// Whether bytes were lost, because the disk is full.
  private var isBroken = false
  /// The largest number of bytes that wait in memory, where whoever produces them can't be told to wait.
  var mostInMemory = Int.max

  var isEmpty: Bool { whole.isEmpty && joined.isEmpty && overflow == nil }

  var byteCount: Int { whole.reduce(joined.count + (overflow?.backlog ?? 0)) { $0 + $1.count } - sent }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if !overflows(bytes) { joined.append(contentsOf: bytes) }
  }

  /// Returns `false` if the bytes are to wait in memory.
  private mutating func overflows(_ bytes: some Collection<UInt8>) -> Bool {
    guard overflow != nil || mostInMemory < .max && byteCount + bytes.count > mostInMemory else { return false }
    overflow = overflow ?? SpoolFile()
    guard let overflow else { return false }
    if !overflow.append(bytes) { isBroken = true }
    return true
  }

  mutating func append(_ data: Data) {
    if overflows(data) { return }
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
      guard !isBroken else { return false }
      if whole.isEmpty, joined.isEmpty, let overflow {
        guard let bytes = overflow.read(atMost: 65_536) else { return false }
        joined = bytes
        if overflow.backlog == 0 { self.overflow = nil }
      }
      let (offset, isWhole) = (sent, !whole.isEmpty)
      // Holds: each buffer has more than `offset` bytes, or it would have been removed.
      let transfer =
        isWhole
        ? whole[0].withUnsafeBytes { Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        : joined.withUnsafeBytes { Sockets.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
      switch transfer {
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
