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

      let word = baseTable.words + first
      // A linker can place the table where it is read-only. The word lies within one page.
      let page = UInt(bitPattern: word) & ~UInt(getpagesize() - 1)
      guard mprotect(UnsafeMutableRawPointer(bitPattern: page), Int(getpagesize()), PROT_READ | PROT_WRITE) == 0
      else { throw MissingInternal("the class's table is read-only") }
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
#endif
