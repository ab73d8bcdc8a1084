import Foundation

/// The values of a body in JSON at the places by which stubs are known. One pass over the bytes finds them, and makes
/// no tree of them. It keeps where they are, and no text of the body.
struct JSONScan {
  /// A value at such a place, or an array or object around one.
  private struct FoundValue {
    /// The hash of the place.
    let place: UInt64
    /// The position of the array or object that it is in among those that were found, or -1 for the whole body.
    let container: Int
    let step: Step
    /// The hash of the place and the value, or `nil` if no stub is known by the place.
    var item: UInt64?
    /// The bytes of the value, or `nil` for an array or an object.
    var scalar: Range<Int>?
  }

  /// How a value is reached from the array or object that it is in.
  private enum Step {
    case body
    /// The bytes of the key are in this range.
    case member(Range<Int>)
    case element(Int)
  }

  /// Thrown for a body of which a tree has to be made: see `init`.
  private struct TreeNeeded: Error {}

  /// With more values than this, a tree is faster.
  private static let mostFound = 64

  private let parts: IndexedParts
  private var found: [FoundValue] = []
  /// A Boolean value that indicates whether all of the body is ASCII.
  private var isASCII = false

  /// Finds the values at all places, or none if the body isn't JSON. Returns `nil` if only a tree tells:
  ///
  /// - with a key that occurs twice, or that Swift may find equal to another one, because the last one counts
  /// - with a key that has escapes
  /// - with surrogates, of which each needs its other half
  /// - with many values
  init?(_ body: Data, for parts: IndexedParts) {
    self.parts = parts
    do {
      try body.withUnsafeBytes { try read($0.bindMemory(to: UInt8.self)) }
    } catch is TreeNeeded {
      return nil
    } catch {
      found = []
    }
  }

  /// Calls `body` with the hash of each value and its place.
  func forEachItem(_ body: (UInt64) -> Void) {
    for number in found.indices { if let item = found[number].item { body(item) } }
  }

  /// Returns whether a place is among those that were looked for, so that a scalar is there only if it was found.
  func covers(_ place: JSONPlace) -> Bool {
    parts.places.contains(hash: place.hash) && parts.containers.isSuperset(of: place.containers)
  }

  /// Returns the scalar at a place that is covered, or `nil` if there is none.
  ///
  /// - Parameter body: The body that was scanned. The ranges aren't checked in another one.
  func scalar(at place: JSONPlace, _ path: JSONPath, in body: Data) -> StubJSON? {
    body.withUnsafeBytes {
      let utf8 = $0.bindMemory(to: UInt8.self)
      for number in found.indices where found[number].place == place.hash && isValue(number, at: path, in: utf8) {
        return found[number].scalar.flatMap { range in
          var scanner = JSONScanner(UnsafeBufferPointer(rebasing: utf8[range]))
          return try? scanner.scalar(scanner.next())
        }
      }
      return nil
    }
  }

  /// Returns whether the steps of a path lead to a value, because another place can have the same hash.
  private func isValue(_ number: Int, at path: JSONPath, in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var number = number
    for step in path.steps.reversed() {
      switch found[number].step {
      case .body: return false
      case .member(let key):
        // As buffers, because one by one, the bytes of a text take ten times as long.
        guard case .key(var wanted) = step,
          wanted.withBytes({ $0.elementsEqual(UnsafeBufferPointer(rebasing: utf8[key])) })
        else { return false }
      case .element(let position): guard step.position == position else { return false }
      }
      number = found[number].container
    }
    return found[number].container < 0
  }
}

// Reading the body.
extension JSONScan {
  private mutating func read(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    var scanner = JSONScanner(utf8)
    isASCII = utf8.isASCII
    if !isASCII, utf8.firstInvalidUTF8 != nil { throw scanner.error("this is not UTF-8") }
    found.reserveCapacity(8)
    let root = JSONPlace.root.hash
    if isLookedFor(root) {
      try read(scanner.next(), at: root, .body, in: -1, &scanner)
    } else {
      try skip(scanner.next(), &scanner)
    }
    // Whatever follows is an error, which the scanner throws.
    _ = try scanner.next()
    if scanner.hasSurrogates { throw TreeNeeded() }
  }

  @inline(__always)
  private func isLookedFor(_ place: UInt64) -> Bool {
    parts.places.contains(hash: place) || parts.containers.contains(hash: place)
  }

  private mutating func read(
    _ token: JSONScanner.Token, at place: UInt64, _ step: Step, in container: Int, _ scanner: inout JSONScanner
  ) throws {
    if found.count == Self.mostFound { throw TreeNeeded() }
    let number = found.count
    let isKey = parts.places.contains(hash: place)
    var value = FoundValue(place: place, container: container, step: step)
    if let scalar = try scanner.scalar(token) {
      value.scalar = scanner.start..<scanner.position
      if isKey { value.item = KeyHash.ofItem(place, scalar.fieldHash) }
      return found.append(value)
    }
    let isObject = if case .beginObject = token { true } else { false }
    if isKey { value.item = KeyHash.ofItem(place, (isObject ? StubJSON.object([:]) : .array([])).fieldHash) }
    found.append(value)
    if isObject { try readMembers(of: place, number, &scanner) } else { try readElements(of: place, number, &scanner) }
    // With nothing in it, another value may come with the same key, and count. In `{"a": {}, "a": 1}`, the first `a`
    // leaves no trace.
    if found.count == number + 1, value.item == nil { found.removeLast() }
  }

  private mutating func readMembers(of place: UInt64, _ container: Int, _ scanner: inout JSONScanner) throws {
    while case .key(let key) = try scanner.next() {
      // Only where both are ASCII, keys are equal exactly if their bytes are.
      guard !key.hasEscapes, isASCII || key.utf8.isASCII else { throw TreeNeeded() }
      let hash = KeyHash.ofItem(place, KeyHash.of(UnsafeRawBufferPointer(key.utf8)))
      let token = try scanner.next()
      guard isLookedFor(hash) else {
        try skip(token, &scanner)
        continue
      }
      if found.contains(where: { $0.place == hash }) { throw TreeNeeded() }
      try read(token, at: hash, .member(key.start + 1..<key.range.upperBound - 1), in: container, &scanner)
    }
  }

  private mutating func readElements(of place: UInt64, _ container: Int, _ scanner: inout JSONScanner) throws {
    var position = 0
    while true {
      let token = try scanner.next()
      if case .endArray = token { return }
      let hash = KeyHash.ofItem(place, "\(position)".keyHash)
      if isLookedFor(hash) {
        try read(token, at: hash, .element(position), in: container, &scanner)
      } else {
        try skip(token, &scanner)
      }
      position += 1
    }
  }

  /// Goes past a value, and notices a number that is too large.
  private func skip(_ token: JSONScanner.Token, _ scanner: inout JSONScanner) throws {
    var token = token
    let depth =
      switch token {
      case .beginObject, .beginArray: scanner.depth - 1
      default: scanner.depth
      }
    while true {
      if case .number(let range) = token, scanner.canBeTooLarge(range) { _ = try scanner.number(range) }
      if scanner.depth == depth { return }
      token = try scanner.next()
    }
  }
}
