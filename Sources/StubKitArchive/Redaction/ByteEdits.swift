import Foundation
import StubKitFormats

/// Replacements for ranges of bytes, in order and without overlaps. All other bytes stay.
struct ByteEdits {
  private(set) var edits: [(range: Range<Int>, replacement: [UInt8])] = []

  var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }

  /// Adds an edit. An edit that touches an existing one is ignored, because that one covers a whole secret.
  mutating func replace(_ range: Range<Int>, with text: String) {
    guard range.lowerBound >= edits.last?.range.upperBound ?? 0 else { return }
    edits.append((range, Array(text.utf8)))
  }

  /// - Parameter other: Edits of the bytes that start at the offset.
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

  /// Returns a position after the edits. A position within an edit moves to its end.
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
