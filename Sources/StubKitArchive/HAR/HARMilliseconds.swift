import StubKitFormats

/// The durations of an HTTP Archive: milliseconds, which StubKit writes with three decimal places.
extension Duration {
  /// The duration in milliseconds with microseconds, such as `12.5`. A negative duration becomes `0`.
  var harText: String {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000_000_000)).components
    let microseconds = seconds * 1_000_000 + (attoseconds + 500_000_000_000) / 1_000_000_000_000
    let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000)
    guard fraction > 0 else { return String(whole) }
    var digits = String(1_000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// Creates a duration, or returns `nil` for a number that isn't a valid duration.
  ///
  /// - Parameter milliseconds: Any number from a file. More than 31 years count as 31 years.
  init?(harMilliseconds milliseconds: Double?) {
    guard let milliseconds, milliseconds >= 0 else { return nil }
    self = .microseconds(Int64((min(milliseconds, 1e12) * 1_000).rounded()))
  }
}

extension Int {
  /// The largest number that is read from a file: 4 TB. The sum of a million such numbers is far from overflow.
  private static let largestInFile = 1 << 42

  /// Creates an integer from any number of a file, or returns `nil` for one with a fraction. It is clamped.
  init?(harNumber number: Double?) {
    guard let number, number.rounded() == number else { return nil }
    let bound = Double(Self.largestInFile)
    self.init(exactly: Swift.min(Swift.max(number, -bound), bound))
  }
}
