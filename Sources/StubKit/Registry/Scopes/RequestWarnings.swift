import Foundation

/// Warnings about requests that failed, and that no running test is certain to have made, and about some stubs.
///
/// Each request is reported once, however many scopes are open. After 20 of a kind, or one stub, the rest are counted, and
/// the end of the process tells their number.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case late = "requests were made after the end of their scope, or of every scope"
    case unclear = "requests were made outside of every scope while several were open"
    case inferred = "requests that named no scope matched no stub of the only open one"
    case unclaimed = "requests that named no scope matched no stub of the global registry"
    case leftOver = "requests matched no stub of a test that was over"
    case untaken = "requests were held for a test that was over"
    case endless = "stubs answered 10,000 requests"
    case shared = "stubs were registered outside of every scope, where tests that run in parallel share them"

    var limit: Int { self == .shared ? 1 : 20 }
  }

  private static let counts = Protected<[Kind: Int]>([:])
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
    guard count <= kind.limit else {
      if count == kind.limit + 1 { _ = tellsCounts }
      return
    }
    let note =
      switch kind {
      case .shared: "\nFurther ones are only counted."
      case _ where count == kind.limit: "\nThis is the \(count)th such request. From now on, they are only counted."
      default: ""
      }
    if let receive = record ?? receiver.withLock(\.self)?.call { receive(text() + note) } else { write(text() + note) }
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  private static func write(_ warning: String) {
    FileHandle.standardError.write(Data("StubKit: warning: \(warning)\n".utf8))
  }

  private static let tellsCounts: Void = { _ = atexit { RequestWarnings.tellCounts() } }()

  private static func tellCounts() {
    let counts = counts.withLock(\.self)
    for kind in Kind.allCases {
      guard let count = counts[kind], count > kind.limit else { continue }
      write("\(count) \(kind.rawValue). The first \(kind.limit == 1 ? "was" : "\(kind.limit) were") reported.")
    }
  }
}

extension StubScopeEndedError.Reason {
  /// Warns about a request that was made after the end of its scope, and returns its error.
  func report(_ request: URLRequest) -> StubScopeEndedError {
    let error = StubScopeEndedError(self)
    RequestWarnings.add(.late, "\(request.summary(in: .shared)) failed. \(error.description)")
    return error
  }
}

extension UnmatchedRequestError {
  /// Tells the test that a request certainly belongs to, or else warns about the request.
  func report(_ confidence: AttributionConfidence, to misses: MissCollection?) {
    switch confidence {
    case .certain, .session:
      guard let misses, !misses.add(self) else { return }
      RequestWarnings.add(
        .leftOver, "\(description)\nThe test was over when it made the request\(misses.test.map { ": \($0)" } ?? "").")
    case .onlyScope: RequestWarnings.add(.inferred, description)
    case .unclaimed: RequestWarnings.add(.unclaimed, description)
    }
  }
}
