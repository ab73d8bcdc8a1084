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

    /// Returns the form of a value that is an integer of 64 bits, or `nil` if it is none.
    static func exact(_ signed: Int64?, _ unsigned: @autoclosure () -> UInt64?) -> Storage? {
      signed.map { .signed($0) } ?? unsigned().map { .unsigned($0) }
    }
  }

  let storage: Storage

  /// Creates a number from an integer. Beyond 64 bits, it is the nearest `Double`.
  public init(_ value: some BinaryInteger) {
    storage = .exact(Int64(exactly: value), UInt64(exactly: value)) ?? .double(Double(value))
  }

  /// Creates the number that a floating-point value prints as, which is also what `JSONEncoder` writes: 0.1 for
  /// `Float(0.1)`.
  ///
  /// JSON can't express NaN and infinity. Such a number equals none in a body. A condition with it is a
  /// ``RequestMatcher/mistake``, and a response with it fails its request.
  public init(_ value: some BinaryFloatingPoint) {
    let double = value as? Double ?? Double("\(value)") ?? Double(value)
    storage =
      .exact(Int64(exactly: double), UInt64(exactly: double))
      ?? (double.isFinite
        ? .double(double) : .mistake("JSON can't represent the number \(value). Write nil or a string instead."))
  }

  /// Creates a number from the digits of an integer of 64 bits. Returns `nil` for any other text.
  init?(integer text: String) {
    guard let storage = Storage.exact(Int64(text), UInt64(text)) else { return nil }
    self.storage = storage
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
    if case .signed(let value) = storage { Int(exactly: value) } else { nil }
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
