import Foundation
import StubKitFormats

/// A body in memory, or in a file that doesn't change. A large body is never completely in memory.
package struct ArchivedBody: Sendable, Equatable {
  private enum Storage: Sendable {
    case memory(Data)
    case file(ArchivedFile)
    case missing(count: Int)
  }
  private var storage: Storage

  package init(_ data: Data) { storage = .memory(data) }

  package init(_ file: ArchivedFile) { storage = .file(file) }

  /// A body that is lost. Only its length is known.
  package init(missing count: Int) { storage = .missing(count: count) }

  package var count: Int {
    switch storage {
    case .memory(let data): data.count
    case .file(let file): file.length
    case .missing(let count): count
    }
  }

  /// The bytes. A file is read on each access. A missing body has none.
  package var data: Data {
    switch storage {
    case .memory(let data): data
    case .file(let file): file.data
    case .missing: Data()
    }
  }

  /// The file that contains the bytes, or `nil` for a body in memory.
  package var file: ArchivedFile? {
    if case .file(let file) = storage { file } else { nil }
  }

  package var isMissing: Bool {
    if case .missing = storage { true } else { false }
  }

  /// Compares the bytes.
  package static func == (left: ArchivedBody, right: ArchivedBody) -> Bool {
    left.count == right.count && left.isMissing == right.isMissing && left.data == right.data
  }
}

/// A file that contains the body of a recorded response.
package final class ArchivedFile: Sendable {
  package let url: URL
  /// The length in bytes.
  package let length: Int
  package let isTemporary: Bool
  /// What keeps the file.
  private let owner: (any AnyObject & Sendable)?
  /// The bytes at the time the archive was read. They stay even if the file is replaced or removed.
  private let mapping: Data?

  /// - Parameters:
  ///   - isTemporary: Whether to remove the file with the last reference to this object.
  ///   - owner: What keeps the file, such as its folder.
  package init(_ url: URL, length: Int, isTemporary: Bool, in owner: (any AnyObject & Sendable)? = nil) {
    self.url = url
    self.length = length
    self.isTemporary = isTemporary
    self.owner = owner
    mapping = nil
  }

  /// Creates a reference to a file beside an archive. Returns `nil` if it can't be read.
  package init?(mapping url: URL) {
    // Only regular files are read, because reading a FIFO can take forever.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let data = try? Data(contentsOf: url, options: .mappedIfSafe)
    else {
      return nil
    }
    self.url = url
    length = data.count
    isTemporary = false
    owner = nil
    mapping = data
  }

  /// Creates a temporary file with these bytes. Returns `nil` if that fails.
  package convenience init?(temporary data: Data) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString)")
    guard (try? data.write(to: url)) != nil else { return nil }
    self.init(url, length: data.count, isTemporary: true)
  }

  deinit { if isTemporary { unlink(url.path) } }

  /// The bytes, memory-mapped if possible. Empty if the file no longer exists.
  package var data: Data { mapping ?? (try? Data(contentsOf: url, options: .mappedIfSafe)) ?? Data() }
}

extension Data {
  /// A hash that is the same on every machine. It is not cryptographic: it distinguishes contents that differ by
  /// accident, not by design.
  ///
  /// It is FNV-1a with 64 bits, of eight bytes at a time, and then of the rest and of the length.
  package var contentHash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      hash = (hash ^ word) &* 0x0000_0100_0000_01B3
      // A multiplication moves bits up only.
      hash ^= hash &>> 32
    }
    withUnsafeBytes { bytes in
      let blocks = bytes.count & ~7
      for position in stride(from: 0, to: blocks, by: 8) {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      }
      for byte in bytes[blocks...] { add(UInt64(byte)) }
    }
    add(UInt64(count))
    return hash
  }
}
