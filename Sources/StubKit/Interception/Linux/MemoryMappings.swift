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
      var mappings: [Mapping] = []
      if let file = fopen(path, "re") {
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        while getline(&line, &capacity, file) > 0 {
          if let mapping = line.flatMap({ Mapping(line: $0) }) { mappings.append(mapping) }
        }
        free(line)
      }
      self.mappings = mappings
    }

    func of(_ address: UInt) -> Mapping? { mappings.first { $0.range.contains(address) } }
  }

  extension MemoryMappings.Mapping {
    /// Parses a line such as `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0 [heap]`.
    ///
    /// - Parameter line: Safe because `getline` ends it with a zero, where `strtoul` and the comparisons stop.
    fileprivate init?(line: UnsafePointer<CChar>) {
      var end: UnsafeMutablePointer<CChar>?
      let lower = strtoul(line, &end, 16)
      guard let dash = end, dash[0] == CChar(bitPattern: UInt8(ascii: "-")) else { return nil }
      let upper = strtoul(dash + 1, &end, 16)
      guard lower < upper, let rights = end, strlen(rights) > 4 else { return nil }
      range = lower..<upper
      isWritable = rights[2] == CChar(bitPattern: UInt8(ascii: "w"))
      isExecutable = rights[3] == CChar(bitPattern: UInt8(ascii: "x"))
    }
  }
#endif
