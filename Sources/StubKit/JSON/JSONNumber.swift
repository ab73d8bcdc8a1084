import StubKitFormats

/// A JSON number. Numbers compare by value: `1`, `1.0` and `1e0` are the same number.
///
/// Integers from `Int64.min` to `UInt64.max` are exact. Every other number is the nearest `Double`.
///
/// ```swift
/// JSONNumber(1) == JSONNumber(1.0)  // true
/// // false, although they would be equal as doubles:
/// JSONNumber(9_007_199_254_740_993) == JSONNumber(0x1p53)
/// ```
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// One form for each value, so that synthesized equality and hashing compare values.
  enum Storage: Sendable, Hashable {
    case signed(Int64)
    /// Only above `Int64.max`.
    case unsigned(UInt64)
    /// Only what neither of the others can hold exactly. Finite.
    case double(Double)
    /// Something that JSON can't express, and why.
    case mistake(String)
  }

  let storage: Storage

  /// Creates a number from an integer. Beyond 64 bits, it is the nearest `Double`.
  public init(_ value: some BinaryInteger) {
    if let signed = Int64(exactly: value) {
      storage = .signed(signed)
    } else if let unsigned = UInt64(exactly: value) {
      storage = .unsigned(unsigned)
    } else {
      storage = .double(Double(value))
    }
  }

  /// Creates the number that a floating-point value prints as, which is also what `JSONEncoder` writes: 0.1 for
  /// `Float(0.1)`.
  ///
  /// JSON can't express NaN and infinity. Such a number equals none in a body. A condition with it is a
  /// ``RequestMatcher/mistake``, and a response with it fails its request.
  public init(_ value: some BinaryFloatingPoint) {
    let double = value as? Double ?? Double("\(value)") ?? Double(value)
    storage =
      if let signed = Int64(exactly: double) {
        .signed(signed)
      } else if let unsigned = UInt64(exactly: double) {
        .unsigned(unsigned)
      } else if double.isFinite {
        .double(double)
      } else {
        .mistake("JSON can't represent the number \(value). Write nil or a string instead.")
      }
  }

  /// Creates a number from the digits of an integer of 64 bits. Returns `nil` for any other text.
  init?(integer text: String) {
    if let signed = Int64(text) {
      self.init(signed)
    } else if let unsigned = UInt64(text) {
      self.init(unsigned)
    } else {
      return nil
    }
  }

  /// Creates what JSON can't express.
  init(mistake: String) { storage = .mistake(mistake) }

  /// Why JSON can't express the number, or `nil` if it can.
  var mistake: String? { if case .mistake(let mistake) = storage { mistake } else { nil } }

  /// The number as a `Double`, rounded to the nearest if necessary.
  public var doubleValue: Double {
    switch storage {
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .mistake: .nan
    }
  }

  /// The number as an `Int`, or `nil` if it has a fraction or doesn't fit.
  public var intValue: Int? {
    switch storage {
    case .signed(let value): Int(exactly: value)
    case .unsigned, .double, .mistake: nil
    }
  }

  /// The number in the format of JSON. Integers are written in full, and other numbers with the fewest digits that
  /// restore them.
  public var description: String {
    switch storage {
    case .signed(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.description
    case .mistake: "nan"
    }
  }
}
