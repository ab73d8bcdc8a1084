import Foundation
import StubKit

/// A value in a text that the next run may have another of, by its look.
struct VaryingValue {
  /// The bytes of the text.
  let range: Range<Int>
  let kind: PlaceholderKind
}

extension TranscribedText {
  /// Returns the values in a text that is sent which the next run may have others of: identifiers, times of now, words
  /// that look random, and values of this machine.
  func varyingValues(_ role: TextRole, _ machine: Machine) -> [VaryingValue] {
    var text = sent
    if case .header("accept-language") = role, text.has(";"), machine.hasLanguages(text) {
      return [VaryingValue(range: 0..<text.utf8.count, kind: .languages)]
    }
    if case .header("content-type") = role, let boundary = MultipartBody.boundary(ofContentType: text),
      let range = text.range(of: boundary, options: [.backwards, .literal])
    {
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      return [VaryingValue(range: start..<start + boundary.utf8.count, kind: .boundary)]
    }
    return text.withUTF8 { bytes in
      var search = VaryingValueSearch(bytes: bytes, machine: machine, isUserAgent: role == .header("user-agent"))
      search.run()
      return search.found
    }
  }
}

private struct VaryingValueSearch {
  // Safe because no search leaves the closure in which its caller has the buffer.
  let bytes: UnsafeBufferPointer<UInt8>
  let machine: Machine
  let isUserAgent: Bool
  var found: [VaryingValue] = []

  private static let times: [PlaceholderKind] = [
    .time, .compacttime, .localtime, .date, .compactdate, .nanoseconds, .microseconds, .milliseconds, .seconds,
  ]

  mutating func run() {
    var position = 0
    while position < bytes.count {
      if let value = value(at: position) {
        found.append(value)
        position = value.range.upperBound
        continue
      }
      // Only a word begins a value.
      while position < bytes.count, bytes[position].isAlphanumeric { position += 1 }
      while position < bytes.count, !bytes[position].isAlphanumeric { position += 1 }
    }
  }

  private func value(at start: Int) -> VaryingValue? {
    guard start < bytes.count, bytes[start].isAlphanumeric else { return nil }
    if isUserAgent {
      for kind in [PlaceholderKind.process, .system] {
        if let end = kind.end(in: bytes, from: start, machine) { return VaryingValue(range: start..<end, kind: kind) }
      }
    }
    return shape(at: start) ?? word(at: start)
  }

  private func shape(at start: Int) -> VaryingValue? {
    func value(_ kind: PlaceholderKind) -> VaryingValue? {
      guard let end = kind.end(in: bytes, from: start, machine), end == bytes.count || !bytes[end].isAlphanumeric else {
        return nil
      }
      return VaryingValue(range: start..<end, kind: kind)
    }
    if let uuid = value(.uuid), bytes[uuid.range].distinctCount >= 8 { return uuid }
    if bytes[start].isLetter { return value(.httpdate).flatMap { isNow($0) ? $0 : nil } }
    // The digits behind a point are part of a number.
    if start > 1, bytes[start - 1] == UInt8(ascii: "."), bytes[start - 2].isDigit { return nil }
    return Self.times.lazy.compactMap(value).first(where: isNow)
  }

  private func isNow(_ value: VaryingValue) -> Bool { value.kind.isCurrent(String(utf8: bytes[value.range]), machine) }

  /// A long word that looks random: in base 16, in Base64, or of letters and digits.
  private func word(at start: Int) -> VaryingValue? {
    // The words of a longer one are no words.
    if start > 0, bytes[start - 1].isInName { return nil }
    var scan = ShapeScan(bytes: bytes, position: start)
    while scan.takeRandom() {}
    let encoded = bytes[start..<scan.position]
    var end = start
    while end < bytes.count, bytes[end].isInName {
      // A word such as session-UUID has the value in it.
      if end > start, !bytes[end - 1].isAlphanumeric, shape(at: end) != nil { return nil }
      end += 1
    }
    if end < scan.position, encoded.count.isMultiple(of: 4) || encoded.contains(UInt8(ascii: "%")), encoded.count >= 16,
      encoded.looksRandom
    {
      return VaryingValue(range: start..<scan.position, kind: .random)
    }
    let word = bytes[start..<end]
    let isHex = word.count >= 16 && word.allSatisfy { $0.hexadecimalDigit != nil }
    if isHex, word.contains(where: \.isDigit), word.contains(where: \.isLetter), word.distinctCount >= 8 {
      return VaryingValue(range: start..<end, kind: .hex)
    }
    guard word.count >= 20, word.looksRandom else { return nil }
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return VaryingValue(range: start..<end, kind: .random)
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  fileprivate var distinctCount: Int { Set(self).count }

  /// Whether letters and digits, or upper and lower case, alternate as in no word.
  fileprivate var looksRandom: Bool {
    let kinds = compactMap { byte in byte.isDigit ? 0 : byte.isUppercase ? 1 : byte.isLowercase ? 2 : nil as Int? }
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return distinctCount >= 10 && kinds.contains(0) && changes * 4 >= kinds.count
  }
}
