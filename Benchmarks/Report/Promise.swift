/// A ratio or figure that StubKit keeps on two idle cores, with room for noise.
///
/// A limit is what the kept run measured, and room for noise. It is no goal: a promise that breaks is a fault to look
/// for. `Documentation/Performance/README.md` says what each promise is.
struct Promise {
  enum Bound {
    case atMost
    case atLeast
  }

  let name: String
  let limit: Double
  let bound: Bound

  init(_ name: String, _ limit: Double, bound: Bound = .atMost) {
    (self.name, self.limit, self.bound) = (name, limit, bound)
  }

  /// A Boolean value that indicates whether a debug build keeps the promise. A release build keeps all others.
  var isOfDebugBuild: Bool { name.hasPrefix("debug-") }

  func isKept(by value: Double) -> Bool { bound == .atMost ? value <= limit : value >= limit }

  /// Returns whether a value is worse than that of an earlier run, by more than noise: 15 % of it, and a twentieth of
  /// the limit.
  func isWorse(_ value: Double, than earlier: Double) -> Bool {
    let difference = bound == .atMost ? value - earlier : earlier - value
    return difference > max(0.15 * earlier, 0.05 * limit)
  }

  /// Returns the worse of two values.
  func worse(_ one: Double, _ other: Double) -> Double { bound == .atMost ? max(one, other) : min(one, other) }

  static let all: [Promise] = [
    Promise("match-over-extract", 3.5),
    Promise("match-query-over-extract", 4),
    Promise("match-template-over-extract", 4.5),
    Promise("match-prefix-over-extract", 5),
    Promise("match-mixed-over-extract", 4),
    Promise("match-header-over-extract", 12),
    Promise("match-json-over-extract", 36),
    Promise("match-closure-over-extract", 0.6),
    Promise("match-flatness", 1.2),
    Promise("match-over-scan-1", 0.5),
    Promise("scan-over-match-10000", 10_000, bound: .atLeast),
    // Ten times as much no longer fits into the processor's caches. What grows with its square takes 100 times as long.
    Promise("growth", 16),
    Promise("registration-over-dictionary", 7),
    Promise("request-over-floor-1", 1.35),
    Promise("request-over-floor-10000", 1.5),
    Promise("request-over-floor-64-tasks", 1.6),
    Promise("request-over-floor-async", 1.45),
    Promise("request-over-floor-async-64-tasks", 1.8),
    Promise("verification-beside-64-tasks", 1.5),
    Promise("debug-request-over-mock", 2.3),
    Promise("closure-request-over-floor", 2.1),
    Promise("closure-request-over-floor-async", 2.1),
    Promise("request-beside-closure-over-alone", 1.08),
    Promise("body-memory-mb", 10),
    Promise("body-file-mb", 10),
    Promise("manual-clock-retries-over-none", 8),
    Promise("manual-clock-beside-100-over-alone", 50),
    Promise("first-stub-over-first-task", 1.6),
    Promise("server-over-bare", 4),
    Promise("server-flatness", 0.75, bound: .atLeast),
    Promise("replay-over-one-stub", 1.1),
  ]
}
