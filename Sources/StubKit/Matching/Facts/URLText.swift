import Foundation

/// The text of a URL with the positions of its parts.
struct URLText: Sendable {
  let string: String
  let layout: URLLayout

  init(_ string: String) {
    var string = string
    layout = string.withUTF8 { URLLayout($0) }
    self.string = string
  }

  /// The range of a plain path without its trailing slashes. Empty for the root.
  var plainPath: Range<Int> {
    var end = layout.path.upperBound
    let utf8 = string.utf8
    while end > layout.path.lowerBound,
      utf8[utf8.index(utf8.startIndex, offsetBy: end - 1)] == UInt8(ascii: "/")
    { end -= 1 }
    return layout.path.lowerBound..<end
  }

  /// Returns a part of the URL.
  func text(_ range: Range<Int>) -> String {
    let utf8 = string.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(string[start..<utf8.index(start, offsetBy: range.count)])
  }

  /// Returns whether some bytes equal a text.
  func bytes(_ range: Range<Int>, equal text: String) -> Bool {
    guard range.count == text.utf8.count else { return false }
    return withBytes(range, text) { bytes, text in
      // An empty buffer may have no address. Both contain `text.count` bytes, as checked above.
      guard let left = bytes.baseAddress, let right = text.baseAddress else { return true }
      return memcmp(left, right, text.count) == 0
    }
  }

  /// Lends the bytes of both for the time of the call.
  func withBytes(
    _ range: Range<Int>, _ text: String,
    _ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    // Both strings are native and contiguous, so the copies that `var` makes share their buffers.
    var (left, right) = (string, text)
    return left.withUTF8 { left in right.withUTF8 { right in body(UnsafeBufferPointer(rebasing: left[range]), right) } }
  }
}
