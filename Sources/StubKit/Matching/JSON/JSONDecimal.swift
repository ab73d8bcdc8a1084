/// The digits of a number in a JSON text: `significand` times ten to the power of `exponent`.
struct JSONDecimal {
  var isNegative = false
  var exponent = 0
  private var significand: UInt64 = 0
  /// The zeros at the end that the significand omits, so that `1.000` needs no more room than `1`.
  private var zeros = 0
  private var overflows = false

  mutating func append(_ digit: UInt8) {
    if digit == 0 {
      if significand != 0 { zeros += 1 }
      return
    }
    for _ in 0..<zeros { shift(adding: 0) }
    zeros = 0
    shift(adding: UInt64(digit))
  }

  mutating func appendFraction(_ digit: UInt8) {
    append(digit)
    exponent -= 1
  }

  /// The number if it is an integer of 64 bits, however it is written, or `nil`.
  var integer: JSONNumber? {
    if overflows { return nil }
    if significand == 0 { return JSONNumber(0) }
    let exponent = exponent + zeros
    guard 0...19 ~= exponent else { return nil }
    var magnitude = significand
    for _ in 0..<exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
    }
    if !isNegative { return JSONNumber(magnitude) }
    return magnitude <= Int64.min.magnitude ? JSONNumber(Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
  }

  private mutating func shift(adding digit: UInt64) {
    if overflows { return }
    let (product, isTooLarge) = significand.multipliedReportingOverflow(by: 10)
    let (sum, isStillTooLarge) = product.addingReportingOverflow(digit)
    significand = sum
    overflows = isTooLarge || isStillTooLarge
  }
}
