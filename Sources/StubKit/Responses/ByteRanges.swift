/// The ranges that a `Range` field asks for (RFC 9110, sections 14.1.2 and 14.2).
struct ByteRanges: Equatable {
  /// The largest number of ranges. A field with more is ignored, as servers may do.
  static let limit = 100

  fileprivate enum Part: Equatable {
    case from(Int, through: Int?)
    case last(Int)
  }
  private let parts: [Part]

  /// The ranges that exist in a body.
  enum Resolution: Equatable {
    case whole
    /// The ranges in the order of the field. None overlaps another, and none is empty.
    case parts([Range<Int>])
    case unsatisfiable
  }

  /// Returns `nil` for a field that must be ignored, because its unit is unknown, it is malformed, or it has too many
  /// ranges.
  init?(_ field: String) {
    guard let sign = field.firstIndex(of: "="), field[..<sign].lowercased() == "bytes" else { return nil }
    var parts: [Part] = []
    for element in field[field.index(after: sign)...].split(separator: ",") {
      let element = element.drop(while: \.isBlank).trimmingTrailingBlanks
      if element.isEmpty { continue }
      guard parts.count < Self.limit, let part = Part(element) else { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// - Parameter length: The number of bytes in the body.
  func resolved(in length: Int) -> Resolution {
    var found: [Range<Int>] = []
    for part in parts {
      switch part {
      case .from(let first, let last):
        if first < length { found.merge(first..<min(last ?? .max, length - 1) + 1) }
      case .last(let count):
        // A Content-Range can't express the last bytes of an empty body.
        if count > 0, length == 0 { return .whole }
        if count > 0 { found.merge(max(0, length - count)..<length) }
      }
    }
    return found.isEmpty ? .unsatisfiable : .parts(found)
  }
}

extension ByteRanges.Part {
  fileprivate init?(_ text: Substring) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): return nil
    case (true, false):
      guard let count = ends[1].position else { return nil }
      self = .last(count)
    case (false, true):
      guard let first = ends[0].position else { return nil }
      self = .from(first, through: nil)
    case (false, false):
      guard let first = ends[0].position, let last = ends[1].position else { return nil }
      // If both numbers are too large, nobody knows which one is larger.
      guard first <= last else { return nil }
      self = .from(first, through: last)
    }
  }
}

extension [Range<Int>] {
  /// Adds a range. It merges with ranges that it overlaps, in the place of the first of them.
  fileprivate mutating func merge(_ range: Range<Int>) {
    let overlapping = filter { $0.overlaps(range) }
    guard let first = overlapping.first, let place = firstIndex(of: first) else { return append(range) }
    removeAll { $0.overlaps(range) }
    let all = overlapping + [range]
    insert(all.map(\.lowerBound).min()!..<all.map(\.upperBound).max()!, at: place)
  }
}

extension Substring {
  /// Decimal digits. A number that is too large counts as the largest one.
  fileprivate var position: Int? {
    guard utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    return Int(self) ?? .max
  }

  fileprivate var trimmingTrailingBlanks: Substring {
    var text = self
    while text.last?.isBlank == true { text.removeLast() }
    return text
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
