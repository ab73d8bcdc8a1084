import Foundation

/// Places of some bytes, in order and apart from each other, and what takes their places. All other bytes stay.
struct ByteEdits {
  private(set) var edits: [(range: Range<Int>, replacement: [UInt8])] = []

  var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }

  /// An edit that touches one that is there already is left out: what is there is a secret's whole place.
  mutating func replace(_ range: Range<Int>, with text: String) {
    guard range.lowerBound >= edits.last?.range.upperBound ?? 0 else { return }
    edits.append((range, Array(text.utf8)))
  }

  /// - Parameter other: Edits of the bytes that begin at the offset.
  mutating func append(_ other: ByteEdits, at offset: Int) {
    for edit in other.edits {
      edits.append((edit.range.lowerBound + offset..<edit.range.upperBound + offset, edit.replacement))
    }
  }

  func applied(to bytes: UnsafeBufferPointer<UInt8>) -> Data {
    var result = Data(capacity: bytes.count)
    var position = 0
    for edit in edits {
      result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<edit.range.lowerBound]))
      result.append(contentsOf: edit.replacement)
      position = edit.range.upperBound
    }
    result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position...]))
    return result
  }

  func applied(to text: String) -> String {
    var text = text
    return text.withUTF8 { String(decoding: applied(to: $0), as: UTF8.self) }
  }

  /// Where a position lies after the edits. One within an edit moves to its end.
  func moved(_ position: Int) -> Int {
    var growth = 0
    for edit in edits {
      guard edit.range.lowerBound < position else { break }
      growth += edit.replacement.count - edit.range.count
      if position < edit.range.upperBound { return edit.range.upperBound + growth }
    }
    return position + growth
  }
}
