import Foundation
import StubKit

extension TranscribedText {
  /// Returns the values that the placeholders have in a sent text, or `nil` if the text differs from this one.
  ///
  /// One pass without a way back: a value ends where its shape does, or at the first place where the text behind the
  /// placeholder begins. So the time grows with the length of the text, whatever it is.
  func values(in sent: String, _ machine: Machine) -> [String]? {
    var sent = sent
    return sent.withUTF8 { values(in: $0, machine) }
  }

  private func values(in bytes: UnsafeBufferPointer<UInt8>, _ machine: Machine) -> [String]? {
    var (position, values): (Int, [String]) = (0, [])
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let text):
        guard bytes.continues(with: text.string, at: position) else { return nil }
        position += text.string.utf8.count
      case .placeholder(let placeholder):
        let kind = placeholder.kind
        guard
          let end = kind.hasShape
            ? kind.end(in: bytes, from: position, machine) : end(after: index, in: bytes, position),
          end > position
        else { return nil }
        let value = UnsafeBufferPointer(rebasing: bytes[position..<end])
        guard kind.hasShape || kind.accepts(value, machine) else { return nil }
        let text = String(utf8: value)
        if kind.isTime, !kind.isCurrent(text, machine), !machine.seenOnce.contains(text.digest) { return nil }
        values.append(text)
        position = end
      }
    }
    return position == bytes.count ? values : nil
  }

  /// Returns where a value without a shape ends.
  ///
  /// - Parameters:
  ///   - index: The index of its placeholder.
  ///   - start: Where the value begins.
  private func end(after index: Int, in bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard index + 1 < pieces.count, case .literal(let next) = pieces[index + 1] else { return bytes.count }
    if index + 2 == pieces.count { return bytes.count - next.string.utf8.count }
    var text = next.string
    return text.withUTF8 { bytes.firstIndex(of: $0, from: start + 1) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns where some bytes are for the first time, after Knuth, Morris and Pratt: in linear time for any bytes.
  fileprivate func firstIndex(of other: Self, from start: Int) -> Int? {
    // How much of the other bytes begins anew at each of their positions.
    var (borders, border) = ([Int](repeating: 0, count: other.count), 0)
    var index = 1
    while index < other.count {
      while border > 0, other[index] != other[border] { border = borders[border - 1] }
      if other[index] == other[border] { border += 1 }
      borders[index] = border
      index += 1
    }
    border = 0
    index = start
    while index < count {
      while border > 0, self[index] != other[border] { border = borders[border - 1] }
      if self[index] == other[border] { border += 1 }
      if border == other.count { return index - border + 1 }
      index += 1
    }
    return nil
  }
}
