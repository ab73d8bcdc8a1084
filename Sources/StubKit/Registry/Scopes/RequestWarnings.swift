import Foundation

/// Warnings that no test owns: about requests of unknown origin, and about stubs outside of scopes. They go to standard
/// error.
///
/// Each request is reported once, however many scopes are open. After 20 of a kind, or one stub, the rest are counted, and
/// the end of the process tells their number. It also tells of the requests that came after the end of their test.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case unclear = "requests were made outside of every scope while several were open"
    case inferred = "requests that named no scope matched no stub of the only open one"
    case unclaimed = "requests that named no scope matched no stub of the global registry"
    case leftOver = "requests matched no stub of a test that was over"
    case untaken = "requests were held for a test that was over"
    case endless = "stubs answered 10,000 requests"
    case shared = "stubs were registered outside of every scope, where tests share them"

    var limit: Int { self == .shared ? 1 : 20 }
  }

  private static let counts = Protected<[Kind: Int]>([:])
  /// The requests that came after the end of their tests.
  private static let late = Protected<[LateRequests]>([])

  /// Receives the warnings in place of the run, for tests.
  static let receiver = Protected<Closure<@Sendable (String) -> Void>?>(nil)

  /// - Parameters:
  ///   - text: The report of the request. Creating it can take long, so don't call this on a queue of URLSession.
  ///   - record: Receives the warning in place of standard error, or `nil`.
  static func add(_ kind: Kind, _ text: @autoclosure () -> String, record: ((String) -> Void)? = nil) {
    let count = counts.withLock { counts in
      counts[kind, default: 0] += 1
      return counts[kind, default: 0]
    }
    guard count <= kind.limit else { return _ = tellsAtEnd }
    let note =
      switch kind {
      case .shared: " Further ones are only counted."
      case _ where count == kind.limit: "\nThis is the \(count)th such request. From now on, they are only counted."
      default: ""
      }
    if let record { record(text() + note) } else { write(text() + note) }
  }

  /// Adds a request that was certainly made after the end of its test, or of every scope.
  ///
  /// - Parameters:
  ///   - test: The name of the test, or of the last one that had a scope. `nil` if it is unknown.
  ///   - isOutside: Whether the request was made outside of every scope.
  static func addLate(_ request: URLRequest, after test: String?, isOutside: Bool) {
    let summary = request.summary(in: .shared)
    late.withLock { late in
      let place = late.firstIndex { $0.summary == summary && $0.isOutside == isOutside }
      if place == nil { late.append(LateRequests(summary: summary, isOutside: isOutside)) }
      late[place ?? late.count - 1].add(test)
    }
    _ = tellsAtEnd
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  static func write(_ warning: String) {
    if let receiver = receiver.withLock(\.self) { return receiver.call(warning) }
    FileHandle.standardError.write(Data("StubKit: warning: \(warning)\n".utf8))
  }

  private static let tellsAtEnd: Void = { _ = atexit { RequestWarnings.tellAtEnd() } }()

  private static func tellAtEnd() {
    let counts = counts.withLock(\.self)
    for kind in Kind.allCases {
      guard let count = counts[kind], count > kind.limit else { continue }
      write("\(count) \(kind.rawValue). The first \(kind.limit == 1 ? "was" : "\(kind.limit) were") reported.")
    }
    for line in late.withLock(\.self).map(\.description).cut(
      to: 20, { "Requests of \($0) other URLs were made after their test had ended, too." })
    {
      write(line)
    }
  }
}

/// The requests with one method and URL that were made after the end of their tests.
private struct LateRequests: CustomStringConvertible {
  let summary: String
  let isOutside: Bool
  private var count = 0
  private var tests: [(name: String, count: Int)] = []

  init(summary: String, isOutside: Bool) { (self.summary, self.isOutside) = (summary, isOutside) }

  mutating func add(_ test: String?) {
    count += 1
    guard let test else { return }
    let position = tests.firstIndex { $0.name == test }
    if let position { tests[position].count += 1 } else { tests.append((test, 1)) }
  }

  var description: String {
    let names = tests.map { $0.count == 1 || $0.count == count ? $0.name : "\($0.name) (\($0.count) times)" }
      .cut(to: 20) { "\($0) more" }.joined(separator: ", ")
    let times = count == 1 ? "" : " \(count) times"
    guard isOutside else {
      return
        "\(summary) was requested\(times) after its test had ended\(names.isEmpty ? "" : ": \(names)"). Wait in the test "
        + "until the client has made its last request and its handlers have returned."
    }
    return "\(summary) was requested\(times) outside of every scope, after "
      + "\(names.isEmpty ? "every scope" : names) had ended. If a test has left it behind, let the test wait for it. If code "
      + "outside of scopes may use the network, write once: HTTPStubs.unscoped = .passThrough."
  }
}

extension StubScopeEndedError.Reason {
  /// Warns about a request that was made after the end of its scope, and returns its error.
  func warn(about request: URLRequest, after test: String?) -> StubScopeEndedError {
    RequestWarnings.addLate(request, after: test, isOutside: self == .outside)
    return StubScopeEndedError(self)
  }
}

extension UnmatchedRequestError {
  /// Tells the test that a request certainly belongs to, or else warns about the request.
  func deliver(_ confidence: AttributionConfidence, to misses: MissCollection?) {
    switch confidence {
    case .certain, .session:
      guard let misses, !misses.add(self) else { return }
      RequestWarnings.add(
        .leftOver, "\(description)\nThe test was over when it made the request\(misses.test.map { ": \($0)" } ?? "").")
    case .onlyScope:
      if let misses, misses.runsAlone, misses.add(self) { return }
      RequestWarnings.add(.inferred, description)
    case .unclaimed: RequestWarnings.add(.unclaimed, description)
    }
  }
}
