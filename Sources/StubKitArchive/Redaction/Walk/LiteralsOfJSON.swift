import StubKit

extension Bytes {
  /// Whether the text is a number of JSON.
  var isNumberOfJSON: Bool { isNumberOfJSON(0..<count) }

  func isNumberOfJSON(_ range: Range<Int>) -> Bool {
    /// Returns the end of the digits at an index, of which there is at least one.
    func afterDigits(_ start: Int) -> Int? {
      let end = Swift.min(firstIndex(notIn: .digit, from: start), range.upperBound)
      return end > start ? end : nil
    }
    let first = range.lowerBound + (hasByte(UInt8(ascii: "-"), at: range.lowerBound) ? 1 : 0)
    guard var index = afterDigits(first), self[first] != UInt8(ascii: "0") || index == first + 1 else { return false }
    if index < range.upperBound, self[index] == UInt8(ascii: ".") {
      guard let end = afterDigits(index + 1) else { return false }
      index = end
    }
    if index < range.upperBound, self[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if hasByte(UInt8(ascii: "+"), at: index) || hasByte(UInt8(ascii: "-"), at: index) { index += 1 }
      guard let end = afterDigits(index) else { return false }
      index = end
    }
    return index == range.upperBound
  }

  var isLiteralOfJSON: Bool { isLiteralOfJSON(0..<count) }

  func isLiteralOfJSON(_ range: Range<Int>) -> Bool {
    let count = range.upperBound - range.lowerBound
    return count == 4 && (has("true", at: range.lowerBound) || has("null", at: range.lowerBound))
      || count == 5 && has("false", at: range.lowerBound)
  }
}
