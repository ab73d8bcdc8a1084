/// The number of operations that take a given time together.
///
/// Other work can interrupt a measurement for any time. A batch of one operation, which that would lead to, is too
/// short for the clock. So the shortest time of several attempts counts.
struct Calibration {
  /// The time that the operations should take, in nanoseconds.
  let batch: Double

  /// Returns the number, which is at least one.
  ///
  /// - Parameter time: Performs a number of operations, and returns the nanoseconds that they took. The first calls
  ///   warm up.
  func count(by time: (_ count: Int) -> Double) -> Int {
    // What takes an eighth of the batch is long enough to tell how long one operation takes.
    let enough = batch / 8
    var count = 1
    while true {
      let shortest = shortestTime(enough: enough) { time(count) }
      if shortest > enough { return max(1, Int(Double(count) * batch / shortest)) }
      count *= 4
    }
  }

  /// Returns the shortest time of some attempts. What takes long by itself is tried once more, and not more often.
  private func shortestTime(enough: Double, _ attempt: () -> Double) -> Double {
    var shortest = attempt()
    var attempts = 1
    while shortest > enough, attempts < (shortest < 1_000 * enough ? 6 : 2) {
      shortest = min(shortest, attempt())
      attempts += 1
    }
    return shortest
  }
}
