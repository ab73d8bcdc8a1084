import Foundation
import StubKit

/// The kind of the values that a placeholder stands for. `{{uuid1}}` has the kind of its name.
enum PlaceholderKind: String, CaseIterable, Sendable {
  case uuid
  case time, localtime, compacttime, httpdate, date, compactdate
  case seconds, milliseconds, microseconds, nanoseconds
  case number, hex, random, secret, boundary
  case languages, process, system
  case text

  /// The kind that a name says: itself, or with a number behind it.
  init?(ofName name: String) {
    let digits = name.utf8.reversed().prefix(while: \.isDigit).count
    self.init(rawValue: String(name.dropLast(digits)))
  }

  /// Whether a clock gives the values. Two of them can be equal by chance.
  var isTime: Bool {
    switch self {
    case .time, .localtime, .compacttime, .httpdate, .date, .compactdate: true
    case .seconds, .milliseconds, .microseconds, .nanoseconds: true
    default: false
    }
  }
  /// Whether this machine knows the value.
  var isOfMachine: Bool { self == .languages || self == .process || self == .system }
  /// Whether two names have different values, because chance makes no two of them equal.
  var isDistinct: Bool {
    switch self {
    case .uuid, .hex, .random, .secret, .boundary: true
    default: false
    }
  }
  /// Whether the kind alone, as in `{{time}}`, stands for another value each time.
  var hasOwnName: Bool { isTime || isOfMachine }
  /// How many seconds must pass until a repeated value is one that doesn't change. A day is the longest time for which
  /// a clock shows one date.
  var timeToRepeat: TimeInterval { isTime ? 86_400 : 2 }

  /// Whether the kind alone says where a value ends. Otherwise, it ends where the text behind it begins.
  var hasShape: Bool { self == .uuid || isTime || self == .process || self == .system }

  /// The shapes of values, the longer one first: d is a digit, h one in base 16, a a letter, and s a sign.
  private var shapes: [StaticString] {
    switch self {
    case .uuid: ["hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"]
    case .time: ["dddd-dd-ddTdd:dd:dd"]
    case .localtime: ["dddd-dd-ddTdd:dd:dd", "dddd-dd-dd dd:dd:dd", "dddd-dd-ddTdd:dd", "dddd-dd-dd dd:dd"]
    case .compacttime: ["ddddddddTddddddZ", "ddddddddTdddddd"]
    case .httpdate: ["aaa, dd aaa dddd dd:dd:dd GMT"]
    case .date: ["dddd-dd-dd", "dddd/dd/dd", "dddd.dd.dd", "dd.dd.dddd", "dd/dd/dddd"]
    case .compactdate: ["dddddddd"]
    case .seconds: ["dddddddddd"]
    case .milliseconds: ["ddddddddddddd"]
    case .microseconds: ["dddddddddddddddd"]
    case .nanoseconds: ["ddddddddddddddddddd"]
    default: []
    }
  }

  /// Returns where a value of a kind with a shape ends, or `nil` if none begins at a position.
  func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ machine: Machine) -> Int? {
    if isOfMachine {
      let texts = self == .process ? [machine.process] : machine.systems
      for text in texts where !text.isEmpty && bytes.continues(with: text, at: start) { return start + text.utf8.count }
      return nil
    }
    for shape in shapes {
      var scan = ShapeScan(bytes: bytes, position: start)
      guard scan.take(shape) else { continue }
      switch self {
      case .time, .localtime:
        scan.takeFraction()
        let hasZone = scan.take("Z") || scan.take("sdd:dd") || scan.take("sdddd")
        if hasZone != (self == .time) { continue }
      case .seconds, .milliseconds: scan.takeFraction()
      default: break
      }
      let isOpen = shape.utf8Start[shape.utf8CodeUnitCount - 1] == UInt8(ascii: "d")
      if isOpen, scan.isAt(\.isDigit) { continue }
      return scan.position
    }
    return nil
  }

  /// Returns whether bytes, of which there is at least one, are a value of a kind without a shape.
  func accepts(_ bytes: UnsafeBufferPointer<UInt8>, _ machine: Machine) -> Bool {
    var scan = ShapeScan(bytes: bytes, position: 0)
    switch self {
    case .hex:
      while scan.isAt({ $0.hexadecimalDigit != nil }) { scan.position += 1 }
      return scan.position == bytes.count
    case .random:
      while scan.takeRandom() {}
      return scan.position == bytes.count
    case .number:
      _ = scan.take("-")
      guard scan.takeDigits() else { return false }
      scan.takeFraction()
      if scan.isAt({ $0 | 0x20 == UInt8(ascii: "e") }) {
        scan.position += 1
        _ = scan.take("s")
        guard scan.takeDigits() else { return false }
      }
      return scan.position == bytes.count
    case .languages: return machine.hasLanguages(String(utf8: bytes))
    default: return true
    }
  }

  /// Returns whether a value of a time is one of now: within a day, or of a day that begins or ends somewhere now.
  func isCurrent(_ value: String, _ machine: Machine) -> Bool {
    instants(value).contains { abs($0 - machine.now) < (self == .date || self == .compactdate ? 1.5 : 1) * 86_400 }
  }

  /// The times that a value can be, in seconds since 1970. The order of a day and its month can be unknown.
  private func instants(_ value: String) -> [Double] {
    switch self {
    case .seconds: return [Double(value) ?? 0]
    case .milliseconds: return [(Double(value) ?? 0) / 1e3]
    case .microseconds: return [(Double(value) ?? 0) / 1e6]
    case .nanoseconds: return [(Double(value) ?? 0) / 1e9]
    case .httpdate: return Date(httpDate: value).map { [$0.timeIntervalSince1970] } ?? []
    case .compacttime, .compactdate:
      let digits = value.utf8.filter(\.isDigit)
      func number(_ range: Range<Int>) -> Int { Int(String(utf8: digits[range])) ?? 0 }
      let clock = digits.count < 14 ? [] : [number(8..<10), number(10..<12), number(12..<14)]
      return [Self.instant(number(0..<4), number(4..<6), number(6..<8), clock[...])].compactMap(\.self)
    default:
      let numbers = value.numbers
      guard numbers.count >= 3 else { return [] }
      if numbers[0] > 31 { return [Self.instant(numbers[0], numbers[1], numbers[2], numbers[3...])].compactMap(\.self) }
      return [
        Self.instant(numbers[2], numbers[1], numbers[0], []), Self.instant(numbers[2], numbers[0], numbers[1], []),
      ].compactMap(\.self)
    }
  }

  /// Returns a time in seconds since 1970, at noon if there is no clock, or `nil` if there is no such day.
  private static func instant(_ year: Int, _ month: Int, _ day: Int, _ clock: ArraySlice<Int>) -> Double? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    // Days in the Gregorian calendar, with years that begin in March.
    let (years, months) = (month > 2 ? year : year - 1, (month + 9) % 12)
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (months * 306 + 5) / 10 + day - 719_469
    let seconds = clock.count < 2 ? 43_200 : (clock + [0]).prefix(3).reduce(0) { $0 * 60 + $1 }
    return Double(days * 86_400 + seconds)
  }
}

/// A position in bytes that are read.
struct ShapeScan {
  // Safe because no scan leaves the closure in which its caller has the buffer.
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int

  func isAt(_ test: (UInt8) -> Bool) -> Bool { position < bytes.count && test(bytes[position]) }

  mutating func takeDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    return position > start
  }

  mutating func takeFraction() {
    guard isAt({ $0 == UInt8(ascii: ".") }), position + 1 < bytes.count, bytes[position + 1].isDigit else { return }
    position += 1
    _ = takeDigits()
  }

  /// Takes a character of a random word, also of one in Base64, with or without percent-encoding.
  mutating func takeRandom() -> Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    if byte.isInName || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") {
      position += 1
      return true
    }
    guard byte == UInt8(ascii: "%"), let code = percentCode, "+/=".utf8.contains(code) else { return false }
    position += 3
    return true
  }

  private var percentCode: UInt8? {
    guard position + 2 < bytes.count, let high = bytes[position + 1].hexadecimalDigit,
      let low = bytes[position + 2].hexadecimalDigit
    else { return nil }
    return high << 4 | low
  }

  /// Takes a shape as a whole, or nothing. A colon, a plus and a blank can be percent-encoded.
  mutating func take(_ shape: StaticString) -> Bool {
    let start = position
    for index in 0..<shape.utf8CodeUnitCount {
      let sign = shape.utf8Start[index]
      if isAt({ $0 == UInt8(ascii: "%") }), let code = percentCode,
        code == sign || sign == UInt8(ascii: "s") && code == UInt8(ascii: "+")
      {
        position += 3
        continue
      }
      let fits = isAt { byte in
        switch sign {
        case UInt8(ascii: "d"): byte.isDigit
        case UInt8(ascii: "h"): byte.hexadecimalDigit != nil
        case UInt8(ascii: "a"): byte.isLetter
        case UInt8(ascii: "s"): byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        default: byte == sign
        }
      }
      guard fits else {
        position = start
        return false
      }
      position += 1
    }
    return true
  }
}

extension String {
  /// The numbers in a text, without those of percent-encoding.
  fileprivate var numbers: [Int] {
    var text = self
    return text.withUTF8 { bytes in
      var (numbers, position): ([Int], Int) = ([], 0)
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "%") {
          position += 3
          continue
        }
        guard bytes[position].isDigit else {
          position += 1
          continue
        }
        var number = 0
        while position < bytes.count, bytes[position].isDigit {
          number = (number * 10 + Int(bytes[position] - 0x30)) % 1_000_000_000_000
          position += 1
        }
        numbers.append(number)
      }
      return numbers
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether a text is at a position, which can be outside of the bytes.
  func continues(with text: String, at position: Int) -> Bool {
    var text = text
    return text.withUTF8 { other in
      guard position >= 0, position + other.count <= count, let start = baseAddress, let otherStart = other.baseAddress
      else {
        return other.isEmpty
      }
      return memcmp(start + position, otherStart, other.count) == 0
    }
  }
}
