#if os(Linux)
  import Foundation
  import Glibc

  /// The word of a class's method table that contains the implementation of one member, found by comparison.
  ///
  /// It needs no symbol names and no slot numbers. A subclass that overrides nothing inherits every word, and a
  /// subclass that overrides only the member differs in exactly that member's words. Anything that looks different is
  /// refused.
  struct ClassSlot {
    // Safe because the word lives as long as its class, and classes are never unloaded.
    nonisolated(unsafe) private let word: UnsafeMutablePointer<UInt>
    private let original: UInt
    private let replacement: UInt

    /// - Parameters:
    ///   - base: The class that declares the member. Its table is changed.
    ///   - inert: A subclass that overrides nothing.
    ///   - hook: A subclass that overrides only the member.
    ///   - accessors: The number of neighbouring words that the member has: 3 for a property (getter, setter,
    ///     modify).
    init(base: AnyClass, inert: AnyClass, hook: AnyClass, accessors: Int = 3) throws(MissingInternal) {
      guard MemoryLayout<UInt>.size == 8 else { throw MissingInternal("the platform is not a 64-bit one") }
      let baseTable = try ClassTable(base)
      let inertTable = try ClassTable(inert)
      let hookTable = try ClassTable(hook)
      guard inertTable.superclass == baseTable.address, hookTable.superclass == baseTable.address,
        inertTable.count >= baseTable.count, hookTable.count >= baseTable.count
      else { throw MissingInternal("the classes' tables are not laid out as expected") }

      let differing = ClassTable.methods(below: baseTable.count).filter {
        inertTable[$0] == baseTable[$0] && hookTable[$0] != baseTable[$0]
      }
      guard let first = differing.first, differing == Array(first..<first + accessors) else {
        throw MissingInternal("\(differing.count) words differ where \(accessors) neighbours should")
      }

      let mappings = MemoryMappings.atFirstUse
      guard mappings.of(baseTable[first])?.isExecutable == true, mappings.of(hookTable[first])?.isExecutable == true
      else { throw MissingInternal("the word found does not point at code") }
      let word = baseTable.words + first
      guard mappings.of(UInt(bitPattern: word))?.isWritable == true else {
        throw MissingInternal("the class's table is read-only")
      }
      self.word = word
      original = baseTable[first]
      replacement = hookTable[first]
    }

    /// Replaces the member, and restores it if that has no effect.
    init(
      replacedIn base: AnyClass, inert: AnyClass, hook: AnyClass, accessors: Int = 3,
      ifEffective isEffective: () -> Bool
    ) throws(MissingInternal) {
      try self.init(base: base, inert: inert, hook: hook, accessors: accessors)
      install()
      guard isEffective() else {
        uninstall()
        throw MissingInternal("the replaced member is not called")
      }
    }

    func install() { word.pointee = replacement }
    func uninstall() { if word.pointee == replacement { word.pointee = original } }
  }

  /// The metadata of a Swift class as words, from its address point, as long as the metadata itself says.
  private struct ClassTable {
    let words: UnsafeMutablePointer<UInt>
    let count: Int

    /// The kind, the superclass, the flags, the sizes, the descriptor and the ivar destroyer precede the methods.
    static func methods(below count: Int) -> Range<Int> { 7..<max(7, count) }

    init(_ type: AnyClass) throws(MissingInternal) {
      guard let metadata = UnsafeMutableRawPointer(bitPattern: unsafeBitCast(type, to: UInt.self)) else {
        throw MissingInternal("a class has no metadata")
      }
      // Without Objective-C interoperation, the class's size and address point are at these offsets (Swift's stable
      // ABI).
      let size = Int(metadata.load(fromByteOffset: 32, as: UInt32.self))
      let addressPoint = Int(metadata.load(fromByteOffset: 36, as: UInt32.self))
      words = metadata.assumingMemoryBound(to: UInt.self)
      count = (size - addressPoint) / 8
      guard (8..<4096).contains(count) else { throw MissingInternal("a class's size makes no sense") }
    }

    var address: UInt { UInt(bitPattern: words) }
    var superclass: UInt { words[1] }
    subscript(index: Int) -> UInt { words[index] }
  }

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

    /// Parses lines such as `55d0c0a00000-55d0c0a21000 rw-p 00000000 00:00 0 [heap]`.
    init(path: String = "/proc/self/maps") {
      // Not `String(contentsOfFile:)`, which reads only the beginning of a file without a length. Splitting characters
      // instead of bytes would take a millisecond of the first stub.
      let text = String(decoding: (try? FileHandle(forReadingAtPath: path)?.readToEnd()) ?? Data(), as: UTF8.self)
      mappings = text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count > 1 else { return nil }
        let bounds = parts[0].split(separator: UInt8(ascii: "-")).compactMap { UInt(Substring($0), radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return Mapping(
          range: bounds[0]..<bounds[1], isWritable: parts[1].contains(UInt8(ascii: "w")),
          isExecutable: parts[1].contains(UInt8(ascii: "x")))
      }
    }

    func of(_ address: UInt) -> Mapping? { mappings.first { $0.range.contains(address) } }
  }

  /// A pointer that each thread has for itself. Defaults to `nil`.
  struct ThreadSlot: Sendable {
    private let key: pthread_key_t

    /// Returns `nil` if there is no memory for it.
    init?() {
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { return nil }
      self.key = key
    }

    var pointer: UnsafeRawPointer? {
      get { pthread_getspecific(key).map { UnsafeRawPointer($0) } }
      nonmutating set { pthread_setspecific(key, newValue) }
    }
  }
#endif
