/// The statistics of a set of samples.
struct Statistics {
  let median: Double
  let p99: Double

  init(_ samples: [Double]) {
    let sorted = samples.sorted()
    median = Self.quantile(0.5, ofSorted: sorted)
    p99 = Self.quantile(0.99, ofSorted: sorted)
  }

  static func median(_ samples: [Double]) -> Double { quantile(0.5, ofSorted: samples.sorted()) }

  /// Interpolates between two samples. Returns NaN if there are no samples.
  static func quantile(_ part: Double, ofSorted sorted: [Double]) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let position = part * Double(last)
    let lower = Int(position)
    let upper = min(lower + 1, last)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}
