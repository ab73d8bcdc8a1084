import Foundation

/// Replacements for ranges of bytes. All other bytes stay.
struct ByteEdits {
  struct Edit {
    let range: Range<Int>
    let replacement: [UInt8]
    /// Why a secret is one, or `nil` for another edit.
    var reason: SecretReason?
  }
  private var all: [Edit] = []

  init() {}

  var isEmpty: Bool { all.isEmpty }

  /// Adds an edit. Of edits that overlap, the one that begins first applies, and the longer one of two that begin
  /// together.
  mutating func replace(_ range: Range<Int>, with bytes: some Sequence<UInt8>, because reason: SecretReason? = nil) {
    all.append(Edit(range: range, replacement: Array(bytes), reason: reason))
  }

  mutating func append(_ other: ByteEdits) { all += other.all }

  /// The edits that apply, in order.
  var ordered: [Edit] {
    var end = 0
    return all.enumerated().sorted { left, right in
      let (one, other) = (left.element.range, right.element.range)
      return (one.lowerBound, other.upperBound, left.offset) < (other.lowerBound, one.upperBound, right.offset)
    }.map(\.element).filter { edit in
      guard edit.range.lowerBound >= end else { return false }
      end = edit.range.upperBound
      return true
    }
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
  fileprivate(set) var data: Data
  let edits: [ByteEdits.Edit]

  var text: String { String(decoding: data, as: UTF8.self) }

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
