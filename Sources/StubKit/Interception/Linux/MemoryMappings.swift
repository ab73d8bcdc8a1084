#if os(Linux)
  import Glibc

  /// The process's memory mappings, as the kernel lists them.
  struct MemoryMappings {
    struct Mapping {
      let range: Range<UInt>
      let isWritable: Bool
      let isExecutable: Bool
    }

    /// The mappings at the first use. Code and classes stay where they are, so their mappings are read only once.
    static let atFirstUse = MemoryMappings()

    private let mappings: [Mapping]

    init(path: String = "/proc/self/maps") {
      mappings = Self.contents(of: path).withUnsafeBufferPointer(Self.mappings)
    }

    func of(_ address: UInt) -> Mapping? { mappings.first { $0.range.contains(address) } }

    /// Read to the end by hand, because the kernel reports such files as empty, so a length taken beforehand is
    /// wrong.
    private static func contents(of path: String) -> [UInt8] {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece[..<count] }
      return bytes
    }

    /// Parses hundreds of lines in every process, so it works on bytes.
    private static func mappings(in text: UnsafeBufferPointer<UInt8>) -> [Mapping] {
      var mappings: [Mapping] = []
      var start = 0
      while start < text.count {
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
        if let mapping = Mapping(line: UnsafeBufferPointer(rebasing: text[start..<end])) { mappings.append(mapping) }
        start = end + 1
      }
      return mappings
    }
  }

  extension MemoryMappings.Mapping {
    /// Parses a line such as `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0 [heap]`.
    fileprivate init?(line: UnsafeBufferPointer<UInt8>) {
      var position = 0
      guard let lower = line.hexadecimal(before: UInt8(ascii: "-"), from: &position),
        let upper = line.hexadecimal(before: UInt8(ascii: " "), from: &position), lower < upper,
        position + 4 <= line.count
      else { return nil }
      range = lower..<upper
      isWritable = line[position + 1] == UInt8(ascii: "w")
      isExecutable = line[position + 2] == UInt8(ascii: "x")
    }
  }

  extension UnsafeBufferPointer<UInt8> {
    /// Returns a number of up to 16 digits that ends before a separator, and moves the position past the separator.
    fileprivate func hexadecimal(before separator: UInt8, from position: inout Int) -> UInt? {
      let first = position
      var value: UInt = 0
      while position < count, self[position] != separator {
        let digit: UInt8
        switch self[position] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[position] - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = self[position] - UInt8(ascii: "a") + 10
        default: return nil
        }
        guard position - first < 16 else { return nil }
        value = value << 4 | UInt(digit)
        position += 1
      }
      guard position > first, position < count else { return nil }
      position += 1
      return value
    }
  }
#endif
