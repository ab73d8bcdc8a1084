#if os(Linux)
  import Glibc

  /// The process's memory mappings, as the kernel lists them.
  struct MemoryMappings {
    struct Mapping {
      let range: Range<UInt>
      let isWritable: Bool
      let isExecutable: Bool
    }
    private let mappings: [Mapping]

    init(path: String = "/proc/self/maps") {
      mappings = Self.contents(of: path).split(separator: "\n").compactMap(Mapping.init)
    }

    func of(_ address: UInt) -> Mapping? { mappings.first { $0.range.contains(address) } }

    /// Read to the end by hand, because the kernel reports such files as empty, so a length taken beforehand is
    /// wrong.
    private static func contents(of path: String) -> String {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return "" }
      defer { close(file) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  extension MemoryMappings.Mapping {
    /// Parses a line such as `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0 [heap]`.
    fileprivate init?(_ line: Substring) {
      let fields = line.split(separator: " ", maxSplits: 2)
      let bounds = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard fields.count > 1, bounds.count == 2, bounds[0] < bounds[1] else { return nil }
      range = bounds[0]..<bounds[1]
      isWritable = fields[1].contains("w")
      isExecutable = fields[1].contains("x")
    }
  }
#endif
