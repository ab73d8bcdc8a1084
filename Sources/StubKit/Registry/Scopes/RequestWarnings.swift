import Foundation

/// Warnings about requests that failed, and that no running test is certain to have made.
///
/// Each request is reported once, however many scopes are open. After 20 of a kind, the rest are counted, and the end of
/// the process tells their number.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case late = "requests were made after the end of their scope, or of every scope"
    case unclear = "requests were made outside of every scope while several were open"
    case inferred = "requests that named no scope matched no stub of the only open one"
    case unclaimed = "requests that named no scope matched no stub of the global registry"
    case leftOver = "requests matched no stub of a test that was over"
    case untaken = "requests were held for a test that was over"
  }

  private static let limit = 20
  private static let counts = Protected<[Kind: Int]>([:])
  /// Receives the warnings in place of the run, for tests.
  static let receiver = Protected<(@Sendable (String) -> Void)?>(nil)

  /// - Parameter text: The report of the request. Creating it can take long, so don't call this on a queue of URLSession.
  static func add(_ kind: Kind, _ text: @autoclosure () -> String) {
    let count = counts.withLock { counts in
      counts[kind, default: 0] += 1
      return counts[kind, default: 0]
    }
    guard count <= limit else {
      if count == limit + 1 { _ = tellsCounts }
      return
    }
    let note = count == limit ? "\nThis is the \(limit)th such request. From now on, they are only counted." : ""
    let receive = receiver.withLock(\.self) ?? write
    receive(text() + note)
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  private static func write(_ warning: String) {
    FileHandle.standardError.write(Data("StubKit: warning: \(warning)\n".utf8))
  }

  private static let tellsCounts: Void = { _ = atexit { RequestWarnings.tellCounts() } }()

  private static func tellCounts() {
    let counts = counts.withLock(\.self)
    for kind in Kind.allCases {
      guard let count = counts[kind], count > limit else { continue }
      write("\(count) \(kind.rawValue). The first \(limit) were reported.")
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
