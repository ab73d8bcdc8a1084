import StubKitFormats

/// The durations of an HTTP Archive: milliseconds, which StubKit writes with three decimal places.
extension Duration {
  /// The duration in milliseconds with microseconds, such as `12.5`. A negative duration becomes `0`.
  var harText: String {
    let (seconds, attoseconds) = max(self, .zero).components
    let microseconds = seconds * 1_000_000 + (attoseconds + 500_000_000_000) / 1_000_000_000_000
    let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000)
    guard fraction > 0 else { return String(whole) }
    var digits = String(1_000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  /// Creates a duration, or returns `nil` for a number that isn't a valid duration.
  ///
  /// - Parameter milliseconds: Any number from a file.
  init?(harMilliseconds milliseconds: Double?) {
    guard let milliseconds, (0...1e15).contains(milliseconds) else { return nil }
    self = .microseconds(Int64((milliseconds * 1_000).rounded()))
  }
}
