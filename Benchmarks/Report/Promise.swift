/// A ratio or figure that StubKit keeps on two idle cores, with room for noise.
///
/// A limit is what the kept run measured, and room for noise. It is no goal: a promise that breaks is a fault to look
/// for. `Documentation/Performance/README.md` says what each promise is.
struct Promise {
  enum Bound: String, Codable {
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

  /// Returns the worse of two values.
  func worse(_ one: Double, _ other: Double) -> Double { bound == .atMost ? max(one, other) : min(one, other) }

  static let all: [Promise] = [
    Promise("match-over-extract", 3.3),
    Promise("match-mixed-over-extract", 4.4),
    Promise("match-query-over-extract", 4.1),
    Promise("match-template-over-extract", 5.2),
    Promise("match-mixed-any-flatness", 10),
    Promise("match-flatness", 1.2),
    Promise("match-flatness-query", 1.5),
    Promise("match-flatness-query-name", 1.5),
    Promise("match-flatness-header", 1.5),
    Promise("match-flatness-json", 1.5),
    Promise("match-flatness-template", 1.5),
    Promise("match-flatness-prefix", 1.5),
    Promise("match-over-scan-1", 0.5),
    Promise("scan-over-match-10000", 10_000, bound: .atLeast),
    Promise("closure-stub-over-closure", 8),
    Promise("growth-query", 14),
    Promise("growth-form", 14),
    Promise("growth-json", 14),
    Promise("growth-multipart", 14),
    Promise("growth-cookies", 14),
    Promise("growth-parameters", 14),
    Promise("growth-graphql", 14),
    Promise("growth-condition", 14),
    Promise("growth-report-query", 14),
    Promise("growth-report-form", 14),
    Promise("growth-report-json", 14),
    Promise("growth-report-multipart", 14),
    Promise("growth-shadowed", 14),
    Promise("growth-register-closures", 14),
    Promise("growth-register-path", 14),
    Promise("growth-register-last", 14),
    Promise("growth-verification", 20),
    Promise("growth-mocks", 14),
    Promise("growth-removed-body", 2),
    Promise("growth-kinds", 2),
    Promise("growth-upload-photo", 14),
    Promise("growth-upload-form", 14),
    Promise("growth-upload-json", 14),
    Promise("growth-upload-multipart", 14),
    Promise("growth-stream", 14),
    Promise("growth-redact-page", 14),
    Promise("growth-redact-marks", 14),
    Promise("growth-redact-text", 14),
    Promise("growth-redact-style", 14),
    Promise("growth-redact-base64", 14),
    Promise("growth-redact-secrets", 14),
    Promise("registration-over-dictionary", 15),
    Promise("request-over-floor-1", 1.35),
    Promise("request-over-floor-10000", 1.5),
    Promise("request-over-floor-64-tasks", 1.6),
    Promise("request-over-floor-async", 1.45),
    Promise("request-over-floor-async-64-tasks", 1.8),
    Promise("request-over-mock-async-64-tasks", 1.7),
    Promise("verification-beside-64-tasks", 1.5),
    Promise("debug-request-over-mock", 2.3),
    Promise("debug-request-over-mock-async", 2.6),
    Promise("request-over-floor-cached", 0.9),
    Promise("closure-request-over-floor", 2.1),
    Promise("closure-request-over-floor-async", 2.1),
    Promise("request-beside-closure-over-alone", 1.08),
    Promise("request-beside-closure-over-alone-async", 1.08),
    Promise("body-memory-mb", 10),
    Promise("body-file-mb", 10),
    Promise("timer-early-ms", 0),
    Promise("timer-p50-over-dispatch", 4),
    Promise("timer-p99-over-dispatch", 10),
    Promise("manual-clock-step-over-hop", 450),
    Promise("manual-clock-retries-over-none", 8),
    Promise("manual-clock-download-over-none", 8),
    Promise("manual-clock-beside-100-over-alone", 50),
    Promise("manual-clock-advance-beside-100-over-alone", 50),
    Promise("manual-clock-hop-over-none", 1.35),
    Promise("stub-bytes", 700),
    Promise("first-stub-over-first-task", 1.6),
    Promise("archive-read-over-foundation", 1.5),
    Promise("archive-memory", 3),
    Promise("recording-download", 2.2),
    Promise("server-over-bare", 3),
    Promise("server-p99-over-bare", 4),
    Promise("server-growth-mb", 10),
    Promise("server-flatness", 0.8, bound: .atLeast),
    Promise("replay-over-one-stub", 1.1),
  ]
}
