import Foundation
import StubKit

/// A set of bytes as a table. A closure for each byte would be slow in a debug build.
struct ByteSet: @unchecked Sendable {
  // Holds: nothing writes to the table after the initialiser, and nothing frees it.
  fileprivate let members: UnsafePointer<Bool>

  init(_ text: String, _ others: (UInt8) -> Bool = { _ in false }) {
    let members = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max { members[Int(byte)] = others(byte) }
    for byte in text.utf8 { members[Int(byte)] = true }
    self.members = UnsafePointer(members)
  }

  subscript(byte: UInt8) -> Bool { members[Int(byte)] }

  static let base64 = ByteSet("+/-_", \.isAlphanumeric)
  /// What says nothing in Base64.
  static let inBase64 = ByteSet("= \t\r\n")
}

/// The bytes of a text, which its owner lends.
package typealias Bytes = UnsafeBufferPointer<UInt8>

extension Bytes {
  /// Whether a byte is at an index, which can be outside of the text.
  func hasByte(_ byte: UInt8, at index: Int) -> Bool { index >= 0 && index < count && self[index] == byte }

  /// Returns a part of the bytes. A slice costs a debug build much more.
  func part(_ range: Range<Int>) -> Bytes {
    guard let baseAddress else { return self }
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return Bytes(start: baseAddress + range.lowerBound, count: range.upperBound - range.lowerBound)
  }

  /// Whether a byte of a set is at an index, which can be outside of the text.
  func has(_ set: ByteSet, at index: Int) -> Bool { index >= 0 && index < count && set[self[index]] }

  /// Returns the index of the first byte of a set, or the end.
  func firstIndex(in set: ByteSet, from start: Int = 0) -> Int { firstIndex(in: set, from: start, to: count) }

  /// Returns the index of the first byte of a set before another index, or that one, or the end.
  func firstIndex(in set: ByteSet, from start: Int, to end: Int) -> Int {
    let end = end < count ? end : count
    guard start < end, let bytes = baseAddress else { return start }
    // Holds: the indices that are read are between the one that is checked and the end.
    precondition(start >= 0)
    let members = set.members
    var index = start
    while index < end, !members[Int(bytes[index])] { index += 1 }
    return index
  }

  /// Returns the index of the first byte that isn't of a set, or the end.
  func firstIndex(notIn set: ByteSet, from start: Int = 0) -> Int {
    let end = count
    guard start < end, let bytes = baseAddress else { return start }
    // Holds: the indices that are read are between the one that is checked and the end.
    precondition(start >= 0)
    let members = set.members
    var index = start
    while index < end, members[Int(bytes[index])] { index += 1 }
    return index
  }

  /// Returns how many bytes of a set are in a range.
  func count(of set: ByteSet, in range: Range<Int>) -> Int {
    guard let bytes = baseAddress else { return 0 }
    // Holds: the indices that are read are in the range that is checked.
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let members = set.members
    let end = range.upperBound
    var count = 0
    var index = range.lowerBound
    while index < end {
      if members[Int(bytes[index])] { count += 1 }
      index += 1
    }
    return count
  }

  /// Returns where the bytes of a set begin that end before an index.
  func startIndex(of set: ByteSet, before end: Int, notBefore least: Int = 0) -> Int {
    // No byte beyond the text is of the set.
    // Holds: the indices that are read are between 0 and the one that is checked.
    guard end > least, end <= count, let bytes = baseAddress else { return end }
    let members = set.members
    let least = least < 0 ? 0 : least
    var index = end
    while index > least, members[Int(bytes[index - 1])] { index -= 1 }
    return index
  }

  /// Returns the index of the first byte with a value, or `nil`.
  func firstIndex(of byte: UInt8, from start: Int, to end: Int = .max) -> Int? {
    guard let base = baseAddress, start < Swift.min(end, count) else { return nil }
    let found = memchr(base + start, Int32(byte), Swift.min(end, count) - start)
    return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
  }

  /// Returns where a text begins, or `nil`.
  func firstIndex(of text: String, from start: Int = 0, to end: Int = .max) -> Int? {
    var start = start
    while let index = firstIndex(of: text.utf8[text.startIndex], from: start, to: end) {
      if has(string: text, at: index) { return index }
      start = index + 1
    }
    return nil
  }

  /// Whether a text stands at an index, which can be outside of the text.
  func has(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let baseAddress, index >= 0, index + length <= count, baseAddress[index] == text.utf8Start[0] else {
      return false
    }
    return length == 1 || memcmp(text.utf8Start, baseAddress + index, length) == 0
  }

  /// Whether a text that isn't known before stands at an index, which can be outside of the text.
  func has(string text: String, at index: Int) -> Bool {
    guard let baseAddress, index >= 0, index + text.utf8.count <= count,
      self[index] == text.utf8[text.startIndex]
    else { return false }
    return text.withCString { memcmp($0, baseAddress + index, text.utf8.count) == 0 }
  }
}

extension String {
  func withUTF8Bytes<Result>(_ body: (Bytes) throws -> Result) rethrows -> Result {
    var text = self
    return try text.withUTF8(body)
  }

  func consists(of set: ByteSet) -> Bool { withUTF8Bytes { $0.firstIndex(notIn: set) == $0.count } }

  func contains(anyOf set: ByteSet) -> Bool { withUTF8Bytes { $0.firstIndex(in: set) < $0.count } }
}
