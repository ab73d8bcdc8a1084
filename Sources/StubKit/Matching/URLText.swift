/// A URL's text with the places of its parts.
struct URLText: Sendable {
  let string: String
  let layout: URLLayout

  init(_ string: String) {
    var string = string
    layout = string.withUTF8 { URLLayout($0) }
    self.string = string
  }

  /// The range of a plain path without its trailing slashes; of the root, empty.
  var plainPath: Range<Int> {
    var end = layout.path.upperBound
    let utf8 = string.utf8
    while end > layout.path.lowerBound,
      utf8[utf8.index(utf8.startIndex, offsetBy: end - 1)] == UInt8(ascii: "/")
    { end -= 1 }
    return layout.path.lowerBound..<end
  }

  func text(_ range: Range<Int>) -> String {
    let utf8 = string.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(string[start..<utf8.index(start, offsetBy: range.count)])
  }

  func bytes(_ range: Range<Int>, equal text: String) -> Bool {
    range.count == text.utf8.count && withBytes(range, text) { $0.elementsEqual($1) }
  }

  func withBytes(
    _ range: Range<Int>, _ text: String,
    _ body: (Slice<UnsafeBufferPointer<UInt8>>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    // Both strings are native and contiguous, so the copies that `var` makes share their buffers.
    var (left, right) = (string, text)
    return left.withUTF8 { left in right.withUTF8 { right in body(left[range], right) } }
  }
}
