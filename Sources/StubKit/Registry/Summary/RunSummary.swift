import Foundation

/// What the requests of a run were, and what they received: a row for each endpoint, with `STUBKIT_SUMMARY`.
///
/// The table shows which responses a suite never tries. It has no requests, and keeps none alive.
struct RunSummary: Equatable, Codable {
  /// What the requests to one endpoint have received.
  struct Row: Equatable, Codable {
    var count = 0
    /// How often there was each status, failure or other end, such as `200`, `timedOut` and `unmatched`.
    var answers: [String: Int] = [:]
    /// How often there was each fault, such as `lost in mid-body`.
    var faults: [String: Int] = [:]
    var hasFailed = false

    /// What a client can receive that no request to the endpoint did.
    var untried: [String] {
      let statuses = answers.keys.compactMap { Int($0) }
      var untried: [String] = []
      if !statuses.contains(where: { 400..<500 ~= $0 }) { untried.append("no 4xx") }
      if !statuses.contains(where: { 500..<600 ~= $0 }) { untried.append("no 5xx") }
      if !hasFailed { untried.append("no failure") }
      return untried
    }

    fileprivate mutating func merge(_ other: Row) {
      count += other.count
      answers.merge(other.answers, uniquingKeysWith: +)
      faults.merge(other.faults, uniquingKeysWith: +)
      hasFailed = hasFailed || other.hasFailed
    }
  }

  /// What a row learns of a request before its end.
  struct Note {
    /// The pattern of the stub, or `nil` for none.
    var pattern: EndpointName.Pattern?
    var faults: [String] = []
  }

  /// The most endpoints that have a row.
  static let mostRows = 2_000

  /// The rows, by the names of their endpoints.
  private(set) var rows: [String: Row] = [:]
  /// The number of requests to further endpoints.
  private(set) var otherCount = 0

  mutating func add(_ request: RecordedRequest, _ note: Note?) {
    var row = Row(count: 1)
    row.answers[request.outcome.answerInSummary] = 1
    for fault in note?.faults ?? [] { row.faults[fault, default: 0] += 1 }
    // StubKit's own errors say that the test is wrong, and not that it tries a failure.
    if let error = request.outcome.error { row.hasFailed = !(error is any StubKitError) }
    merge(row, EndpointName(request.request, note?.pattern).text)
  }

  mutating func merge(_ other: RunSummary) {
    for (name, row) in other.rows.sorted(by: { $0.key < $1.key }) { merge(row, name) }
    otherCount += other.otherCount
  }

  private mutating func merge(_ row: Row, _ name: String) {
    if rows[name] == nil, rows.count >= Self.mostRows { return otherCount += row.count }
    rows[name, default: Row()].merge(row)
  }
}

/// The summary of this process.
extension RunSummary {
  /// What the variable says, or `nil` if it isn't set.
  private static let setting = ProcessInfo.processInfo.environment["STUBKIT_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
  static let isOn = setting != nil

  private static let current: Protected<RunSummary> = {
    // The end of the process writes it.
    _ = atexit { RunSummary.finish() }
    return Protected(RunSummary())
  }()

  /// Adds a request that is over. Call this outside of every lock.
  static func add(_ entry: JournalEntry) {
    let (request, note) = entry.inSummary
    // Its client has not made it after all.
    guard request.outcome != .inProgress else { return }
    current.withLock { $0.add(request, note) }
  }

  private static func finish() {
    let summary = current.current
    guard let setting, !summary.rows.isEmpty else { return }
    guard setting != "1" else { return RunningTest.tell(summary.text) }
    do { try summary.writeSummary(to: URL(fileURLWithPath: setting)) } catch {
      RunningTest.tell("STUBKIT_SUMMARY=\(setting) can't be written: \(error.localizedDescription)\n\(summary.text)")
    }
  }

  /// Writes the summary as Markdown. What another process of the same run has written there is merged.
  func writeSummary(to file: URL, run: Int = Int(getppid())) throws {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    flock(descriptor, LOCK_EX)
    var whole = self
    let old = try handle.readToEnd() ?? Data()
    if let earlier = RunSummary(writtenIn: String(decoding: old, as: UTF8.self), run: run) { whole.merge(earlier) }
    try handle.truncate(atOffset: 0)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(whole.markdown(run: run).utf8))
  }
}

extension RecordedRequest.Outcome {
  /// How the request has ended, as a row says it.
  fileprivate var answerInSummary: String {
    guard let error else {
      return status.map { "\($0)" } ?? (self == .passedThrough ? "passed through" : "cancelled")
    }
    if error is UnmatchedRequestError { return "unmatched" }
    guard let error = error as? URLError else { return "\(type(of: error))" }
    return Self.names[error.code] ?? "URLError \(error.errorCode)"
  }

  private static let names: [URLError.Code: String] = [
    .timedOut: "timedOut", .networkConnectionLost: "networkConnectionLost", .cancelled: "cancelled",
    .notConnectedToInternet: "notConnectedToInternet", .cannotFindHost: "cannotFindHost",
    .cannotConnectToHost: "cannotConnectToHost", .secureConnectionFailed: "secureConnectionFailed",
    .badServerResponse: "badServerResponse", .cannotParseResponse: "cannotParseResponse",
    .httpTooManyRedirects: "httpTooManyRedirects", .dataNotAllowed: "dataNotAllowed",
    .serverCertificateUntrusted: "serverCertificateUntrusted", .dnsLookupFailed: "dnsLookupFailed",
    .unsupportedURL: "unsupportedURL", .unknown: "unknown",
  ]
}
