import Foundation

extension Data {
  /// The same bytes with indices that begin at zero, on which those who receive a body rely.
  var fromZero: Data { piece(0..<count) }

  /// Returns the bytes at these positions. A slice is copied, because its indices would not begin at zero, on which a
  /// delegate may rely.
  func piece(_ range: Range<Int>) -> Data {
    if range.count == count, startIndex == 0 { return self }
    return subdata(in: startIndex + range.lowerBound..<startIndex + range.upperBound)
  }
}
