/// A ratio or figure that StubKit keeps on two idle cores, with room for noise.
///
/// A limit is what the kept run measured, and room for noise. It is no goal: a promise that breaks is a fault to look for.
/// `Documentation/Performance/README.md` lists the promises.
struct Promise {
  enum Bound: String, Codable {
    case atMost
    case atLeast
  }

  let name: String
  let limit: Double
  let bound: Bound
  let meaning: String

  init(_ name: String, _ limit: Double, bound: Bound = .atMost, _ meaning: String) {
    self.name = name
    self.limit = limit
    self.bound = bound
    self.meaning = meaning
  }

  /// A Boolean value that indicates whether a debug build keeps the promise. A release build keeps all others.
  var isOfDebugBuild: Bool { name.hasPrefix("debug-") }

  func isKept(by value: Double) -> Bool { bound == .atMost ? value <= limit : value >= limit }

  /// Returns the worse of two values.
  func worse(_ one: Double, _ other: Double) -> Double { bound == .atMost ? max(one, other) : min(one, other) }

  static let all: [Promise] = [
    Promise("match-over-extract", 4, "a match of one style, the worst of hits and misses, over extract"),
    Promise("match-mixed-over-extract", 4.5, "the same with three styles mixed"),
    Promise("match-query-over-extract", 4.4, "a match of stubs that differ by a query value, over extract"),
    Promise("match-template-over-extract", 11, "a match of stubs that differ by a template, over extract"),
    Promise(
      "match-mixed-any-flatness", 10, "any of the most stubs of three styles over the match with one of them"),
    Promise("match-flatness", 1.2, "a match among the most stubs over a match with one"),
    Promise("match-flatness-query", 1.5, "the same, stubs that differ by a query value"),
    Promise("match-flatness-query-name", 1.5, "… by the name of a query item"),
    Promise("match-flatness-header", 1.5, "… by a header"),
    Promise("match-flatness-json", 1.5, "… by a field of a JSON body"),
    Promise("match-flatness-template", 1.5, "… by a template"),
    Promise("match-flatness-prefix", 1.5, "… by a path prefix of 100 lengths"),
    Promise("match-over-scan-1", 0.5, "a match over the scan, one stub"),
    Promise("scan-over-match-10000", 10_000, bound: .atLeast, "the scan over a match, the worst of 10,000 stubs"),
    Promise("closure-stub-ns", 25, "each closure-only stub that is asked, ns"),
    Promise("growth-query", 12, "a query of 10,000 items over one of 1,000, parsed and matched"),
    Promise("growth-form", 12, "the same, a form"),
    Promise("growth-json", 12, "… the members of a JSON object"),
    Promise("growth-multipart", 12, "… the parts of a multipart body"),
    Promise("growth-cookies", 12, "… cookies"),
    Promise("growth-parameters", 12, "… the parameters of a header"),
    Promise("growth-graphql", 12, "… the fields of a GraphQL document"),
    Promise("growth-condition", 12, "a condition of 250 levels over one of 25"),
    Promise("growth-report-query", 12, "the report of a query of 10,000 items over one of 1,000"),
    Promise("growth-report-form", 12, "the same, a form"),
    Promise("growth-report-json", 12, "… the members of a JSON object"),
    Promise("growth-report-multipart", 12, "… the parts of a multipart body"),
    Promise("growth-report-unmatched", 12, "a request that fails with the report of a form"),
    Promise("growth-repeated-miss", 2, "a repeated request that none of 10,000 stubs matches over one of 1,000"),
    Promise("growth-shadowed", 12, "the search for the hidden ones of 1,000 unused stubs over 100"),
    Promise("growth-register-closures", 12, "10,000 closures, registered in falling priorities, over 1,000"),
    Promise("growth-register-path", 12, "the same, stubs of one path"),
    Promise("growth-register-last", 12, "… stubs of one path, each asked last"),
    Promise("growth-removed-body", 2, "a body of 10,000 members that a removed stub knew over one of 1,000"),
    Promise("growth-kinds", 2, "a match among 10,000 stubs of a kind that comes after 60 others over 1,000"),
    Promise("growth-redact-page", 12, "redaction of a page with 10,000 names in escaped JSON over one with 1,000"),
    Promise("growth-redact-marks", 12, "the same, question marks in a row"),
    Promise("growth-redact-style", 12, "the same, URLs in a minified stylesheet"),
    Promise("growth-redact-secrets", 12, "… entries with a secret each, all of which are searched everywhere"),
    Promise("registration-us", 2.2, "adding or removing a stub, 100 to the most, the worst of the ways, µs"),
    Promise("request-over-floor-1", 1.3, "a whole request over the bare URLProtocol, one stub"),
    Promise("request-over-floor-10000", 1.25, "the same with the most stubs"),
    Promise("request-over-floor-64-tasks", 1.25, "the same, 64 requests at once"),
    Promise("request-over-floor-async", 1.4, "a whole request with an async call, one stub"),
    Promise("request-over-floor-async-64-tasks", 1.25, "the same, 64 requests at once"),
    Promise(
      "request-over-mock-async-64-tasks", 1.18, "a whole request over a hand-written mock, 64 async calls at once"),
    Promise("debug-request-over-mock", 1.3, "a debug build's request over a hand-written mock, up to 100 stubs"),
    Promise("debug-request-over-mock-async", 1.5, "the same with an async call"),
    Promise("request-over-floor-cached", 0.9, "a whole request in a session with a cache"),
    Promise("closure-request-over-floor", 1.75, "a whole request with a closure as responder"),
    Promise("closure-request-over-floor-async", 2, "the same by an async call"),
    Promise("body-memory-mb", 10, "resident beside a 100 MB body from memory, MB"),
    Promise("body-file-mb", 10, "resident for a 100 MB body from a file, MB"),
    Promise("timer-early-ms", 0, "how much too early the earliest of 1,000 delays ends, ms"),
    Promise("timer-p50-ms", 0.2, "how late the median ends, ms"),
    Promise("timer-p99-ms", 3, "how late all but one in a hundred end, ms"),
    Promise("manual-clock-step-us", 3_000, "a manual clock's step from one deadline to the next, µs"),
    Promise("manual-clock-retries-ms", 60, "100 retries with back-off on a manual clock, ms"),
    Promise("manual-clock-download-ms", 10, "20 seconds over EDGE on a manual clock, ms"),
    Promise(
      "manual-clock-beside-100-over-alone", 50,
      "three deadlines of code that a manual clock runs, beside 100 busy tasks over alone"),
    Promise(
      "manual-clock-advance-beside-100-over-alone", 50,
      "three deadlines of a plain task that advance(by:) wakes, beside 100 busy tasks over alone"),
    Promise(
      "manual-clock-hop-over-none", 1.35, "a hop of other tasks while a manual clock lives, over none"),
    Promise("stub-bytes", 700, "memory of a stub beyond its response, bytes"),
    Promise("first-stub-ms", 3.5, "the first stub of a process, ms"),
    Promise("archive-read-over-foundation", 1.5, "reading an archive over JSONSerialization on the same bytes"),
    Promise("archive-memory", 3, "resident while a file of 100 MB is read, over its length"),
    Promise(
      "recording-download", 1.2,
      "resident for a download of 60 MB that is recorded, above one that is not, over its length"),
    Promise("server-over-bare", 1.6, "processor time of a request to a server of stubs over one to a bare server"),
    Promise("server-p99-ms", 5, "all but one in a hundred of its requests, at 64 connections, ms"),
    Promise("server-growth-mb", 10, "resident memory that half a million further requests to it add, MB"),
    Promise("server-flatness", 0.8, bound: .atLeast, "its requests a second with 10,000 stubs over one"),
    Promise("replay-over-one-stub", 1.1, "a request answered from an archive of 10,000 entries over one with one stub"),
  ]
}
