import Foundation

/// A number of a ``StubJSON``, which creates it. Numbers compare as the decimals that they are written as: `1`, `1.0`
/// and `1e0` are the same number.
///
/// ```swift
/// StubJSON(1) == StubJSON(1.0)  // true
/// // false, although they would be equal as doubles:
/// StubJSON(9_007_199_254_740_993) == StubJSON(0x1p53)
/// ```
///
/// A `Double` is written with the fewest digits that restore it. The text `0.10000000000000001` is another number than
/// `0.1`, although both are the same `Double`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// One form for each value, so that synthesized equality and hashing compare values.
  enum Storage: Hashable {
    case signed(Int64)
    /// Only above `Int64.max`.
    case unsigned(UInt64)
    /// Only what neither of the others can express: the decimal that the value prints as. Finite.
    case double(Double)
    /// Only what no `Double` prints as, as ``WrittenDecimal/text``.
    case decimal(String)
    /// Something that JSON can't express, and why.
    case mistake(String)

    /// Returns the form of a value that is an integer of 64 bits, or `nil` if it is none.
    ///
    /// - Parameters:
    ///   - signed: The value, if an `Int64` can have it. It is that, then, so that each value has one form.
    ///   - unsigned: The value, if a `UInt64` can have it. Most numbers don't ask for it.
    static func exact(_ signed: Int64?, _ unsigned: @autoclosure () -> UInt64?) -> Storage? {
      if let signed { return .signed(signed) }
      return unsigned().map { .unsigned($0) }
    }

    /// - Parameter double: The nearest `Double`.
    fileprivate static func of(_ decimal: WrittenDecimal, nearest double: Double) -> Storage {
      let text = decimal.text
      if let exact = exact(Int64(text), UInt64(text)) { return exact }
      return WrittenDecimal(double.description) == decimal ? .double(double) : .decimal(text)
    }
  }

  let storage: Storage

  /// Creates a number from an integer.
  package init(_ value: some BinaryInteger) {
    let exact = Storage.exact(Int64(exactly: value), UInt64(exactly: value))
    storage = exact ?? .of(WrittenDecimal(String(value)), nearest: Double(value))
  }

  /// Creates the number that a floating-point value prints as, which is also what `JSONEncoder` writes: 0.1 for
  /// `Float(0.1)`.
  ///
  /// JSON can't express NaN and infinity. Such a number equals none in a body. A condition with it is a
  /// mistake, and a response with it fails its request.
  package init(_ value: some BinaryFloatingPoint) {
    let double = value as? Double ?? Double("\(value)") ?? Double(value)
    if !double.isFinite {
      storage = .mistake("JSON can't represent the number \(value). Write nil or a string instead.")
    } else if abs(double) <= 0x1p53 {
      storage = .exact(Int64(exactly: double), nil) ?? .double(double)
    } else {
      storage = .of(WrittenDecimal(double.description), nearest: double)
    }
  }

  /// Creates the number that a JSON text is. Returns `nil` if it is too large for a `Double`.
  init?(writtenAs text: String) {
    if let exact = Storage.exact(Int64(text), UInt64(text)) {
      storage = exact
      return
    }
    guard let double = Double(text), double.isFinite else { return nil }
    // A decimal of at most 15 digits is what its nearest `Double` prints as.
    let isShort = text.utf8.count <= 16 && !text.has("e") && !text.has("E")
    storage = isShort ? JSONNumber(double).storage : .of(WrittenDecimal(text), nearest: double)
  }

  init(_ storage: Storage) { self.storage = storage }

  /// Why JSON can't express the number, or `nil` if it can.
  var mistake: String? { if case .mistake(let mistake) = storage { mistake } else { nil } }

  /// The number as a `Double`, rounded to the nearest if necessary.
  public var doubleValue: Double {
    switch storage {
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text) ?? .nan
    case .mistake: .nan
    }
  }

  /// The number as an `Int`, or `nil` if it has a fraction or doesn't fit.
  public var intValue: Int? { if case .signed(let value) = storage { Int(exactly: value) } else { nil } }

  /// The number in JSON. Integers are written in full, a `Double` with the fewest digits that restore it, and other
  /// numbers with all of their digits.
  public var description: String {
    switch storage {
    case .signed(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.description
    case .decimal(let text): text
    case .mistake: "nan"
    }
  }
}

/// The digits of a number, and the power of ten by which they count. Equal numbers have the same.
private struct WrittenDecimal: Equatable {
  private var sign = ""
  /// Neither the first nor the last one is a zero. Empty for zero.
  private var digits: [UInt8] = []
  private var exponent = 0

  /// - Parameter text: A number as in JSON, or as Swift prints one.
  init(_ text: String) {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var isFraction = false
    for byte in mantissa {
      if byte == .dot { isFraction = true }
      guard byte.isDigit else { continue }
      if isFraction { exponent -= 1 }
      if byte != .zeroDigit || !digits.isEmpty { digits.append(byte) }
    }
    while digits.last == .zeroDigit {
      digits.removeLast()
      exponent += 1
    }
    // What is smaller than any text could write out counts as zero.
    let power = text.utf8.count == mantissa.count ? 0 : Int(Substring(text.utf8.dropFirst(mantissa.count + 1))) ?? .min
    if power < -1_000_000_000 { digits = [] }
    if digits.isEmpty { exponent = 0 } else { exponent += power }
    if text.utf8.first == .minus, !digits.isEmpty { sign = "-" }
  }

  /// The number in JSON: in full, unless there would be many zeros at one end.
  var text: String {
    let digits = String(utf8: digits)
    let point = digits.utf8.count + exponent
    switch exponent {
    case _ where digits.isEmpty: return "0"
    case 0...40: return sign + digits + String(repeating: "0", count: exponent)
    case -40..<0 where point <= 0: return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)"
    case ..<0 where point > 0: return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    default:
      let fraction = digits.dropFirst()
      return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e\(point - 1)"
    }
  }
}
