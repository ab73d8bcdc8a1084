import Foundation
import StubKit

/// Replacements for ranges of bytes. All other bytes stay.
struct ByteEdits {
  struct Edit {
    var range: Range<Int>
    var replacement: [UInt8]
    /// The placeholders without escapes, and why the secrets are some. There are none in another edit, and can be
    /// several in what is encoded as a whole.
    var secrets: [(placeholder: String, reason: SecretReason)] = []
    /// What takes the place of a text that is encoded as a whole, without escapes.
    var encoded: [String] = []
  }
  private var all: [Edit] = []

  var isEmpty: Bool { all.isEmpty }

  /// Adds an edit. Of edits that overlap, the one that begins first replaces both, and the longer one of two that begin
  /// together.
  mutating func replace(_ range: Range<Int>, with bytes: some Sequence<UInt8>) {
    all.append(Edit(range: range, replacement: Array(bytes)))
  }

  /// Replaces a secret. What is percent-encoded stays so.
  mutating func replace(
    _ range: Range<Int>, of text: UnsafeBufferPointer<UInt8>, with placeholder: String, because reason: SecretReason
  ) {
    let bytes = Self.escaped(placeholder, inPlaceOf: range, of: text)
    all.append(Edit(range: range, replacement: bytes, secrets: [(placeholder, reason)]))
  }

  /// Replaces what is encoded as a whole.
  mutating func replace(
    _ part: SecretFinder.EncodedFindings, of text: UnsafeBufferPointer<UInt8>, with inner: EditedBytes
  ) {
    let encoded = String(utf8: part.text.encoded(inner.data))
    let edit = Edit(
      range: part.range, replacement: Self.escaped(encoded, inPlaceOf: part.range, of: text),
      secrets: inner.edits.flatMap(\.secrets), encoded: [encoded] + inner.edits.flatMap(\.encoded))
    all.append(edit)
  }

  /// What was percent-encoded stays so.
  private static func escaped(
    _ text: String, inPlaceOf range: Range<Int>, of whole: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    Array((whole[range].contains(UInt8(ascii: "%")) ? text.percentEncoded() : text).utf8)
  }

  /// The edits that apply, in order.
  var ordered: [Edit] {
    let sorted = all.enumerated().sorted { left, right in
      let (one, other) = (left.element.range, right.element.range)
      return (one.lowerBound, other.upperBound, left.offset) < (other.lowerBound, one.upperBound, right.offset)
    }
    var edits: [Edit] = []
    for edit in sorted.map(\.element) {
      if let last = edits.last?.range, edit.range.lowerBound < last.upperBound {
        // No part of the other secret stays.
        edits[edits.count - 1].range = last.lowerBound..<max(last.upperBound, edit.range.upperBound)
      } else {
        edits.append(edit)
      }
    }
    return edits
  }

  func applied(to bytes: UnsafeBufferPointer<UInt8>) -> EditedBytes {
    var result = EditedBytes(data: Data(capacity: bytes.count), edits: ordered)
    var position = 0
    for edit in result.edits {
      result.data.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position..<edit.range.lowerBound]))
      result.data.append(contentsOf: edit.replacement)
      position = edit.range.upperBound
    }
    result.data.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[position...]))
    return result
  }
}

/// The result of edits.
struct EditedBytes {
  var data: Data
  var edits: [ByteEdits.Edit]
  /// The values that look random and stayed.
  var kept: [SecretReason] = []
  /// The secrets that were found in the text itself.
  var replaced: [String] = []

  var text: String { String(utf8: data) }
  /// What stands for secrets in the text.
  var placeholders: [String] { edits.flatMap { $0.secrets.map(\.placeholder) + $0.encoded } }

  /// Returns whether an edit replaces a part of a range.
  func touches(_ range: Range<Int>) -> Bool {
    var (low, high) = (0, edits.count)
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < edits.count && edits[low].range.lowerBound < range.upperBound
  }

  /// Returns the positions after the edits. A position within an edit moves to its end.
  ///
  /// - Parameter positions: Positions in ascending order. Others move, but perhaps to a later place.
  func moved(_ positions: [Int]) -> [Int] {
    var (next, growth) = (0, 0)
    return positions.map { position in
      while next < edits.count, edits[next].range.upperBound <= position {
        growth += edits[next].replacement.count - edits[next].range.count
        next += 1
      }
      guard next < edits.count, edits[next].range.lowerBound < position else { return max(0, position + growth) }
      return edits[next].range.lowerBound + edits[next].replacement.count + growth
    }
  }
}
