/// The ranges that a `Range` field asks for (RFC 9110, 14.1.2 and 14.2).
struct ByteRanges: Equatable {
  /// More would cost more than they are good for: then the field is ignored, as a server may do.
  static let limit = 100

  fileprivate enum Part: Equatable {
    case from(Int, through: Int?)
    case last(Int)
  }
  private let parts: [Part]

  /// What there is of them in a body.
  enum Resolution: Equatable {
    case whole
    /// In the order in which they were asked for; none overlaps another, and none is empty.
    case parts([Range<Int>])
    case unsatisfiable
  }

  /// Nil for a field that is to be ignored: of another unit, malformed, or with too many ranges.
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

  /// - Parameter length: How many bytes the body has.
  func resolved(in length: Int) -> Resolution {
    var found: [Range<Int>] = []
    for part in parts {
      switch part {
      case .from(let first, let last):
        if first < length { found.merge(first..<min(last ?? .max, length - 1) + 1) }
      case .last(let count):
        // The last bytes of nothing can't be written as a Content-Range.
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
      // Of two that are beyond all numbers nobody knows which is the greater.
      guard first <= last else { return nil }
      self = .from(first, through: last)
    }
  }
}

extension [Range<Int>] {
  /// Adds a range, in one with those that it overlaps, at the place of the first of them.
  fileprivate mutating func merge(_ range: Range<Int>) {
    let overlapping = filter { $0.overlaps(range) }
    guard let first = overlapping.first, let place = firstIndex(of: first) else { return append(range) }
    removeAll { $0.overlaps(range) }
    let all = overlapping + [range]
    insert(all.map(\.lowerBound).min()!..<all.map(\.upperBound).max()!, at: place)
  }
}

extension Substring {
  /// Decimal digits; a number that is too great counts as the greatest.
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
