import Foundation

/// Warnings that no test owns: about requests of unknown origin, and about stubs outside of scopes. They go to standard
/// error.
///
/// Each text is told once, however many requests have it, and at most 20 of a kind. The rest are counted, and the end of
/// the process tells their number.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case unattributed = "requests that named no scope failed"
    case late = "requests came after the end of their test, or of every scope"
    case endless = "stubs answered 10,000 requests"
    case shared = "stubs were registered outside of every scope, where tests share them"
  }

  /// How many warnings of each kind there were, and the texts that were told.
  private static let state = Protected<[Kind: (count: Int, texts: Set<String>)]>([:])

  /// Receives the warnings in place of the run, for tests.
  static let receiver = Protected<Closure<@Sendable (String) -> Void>?>(nil)

  /// - Parameters:
  ///   - text: The report of the request. Creating it can take long, so don't call this on a queue of URLSession.
  ///   - tell: Receives the warning in place of standard error.
  static func add(_ kind: Kind, _ text: String, tell: (String) -> Void = write) {
    let isNew = state.withLock { state in
      state[kind, default: (0, [])].count += 1
      return state[kind]!.texts.count < (kind == .shared ? 1 : 20) && state[kind]!.texts.insert(text).inserted
    }
    if isNew { tell(text) } else { _ = tellsAtEnd }
  }

  /// Adds a request that was certainly made after the end of its test, or of every scope.
  ///
  /// - Parameters:
  ///   - test: The name of the test, or of the last one that had a scope. `nil` if it is unknown.
  ///   - isOutside: Whether the request was made outside of every scope.
  static func addLate(_ request: URLRequest, after test: String?, isOutside: Bool) {
    let summary = request.summary(in: .shared)
    add(
      .late,
      isOutside
        ? "\(summary) was requested outside of every scope, after \(test ?? "every scope") had ended. If a test has left it "
          + "behind, let the test wait for it. If code outside of scopes may use the network, write once: "
          + "HTTPStubs.unscoped = .passThrough."
        : "\(summary) was requested after its test had ended\(test.map { ": \($0)" } ?? ""). Wait in the test until the "
          + "client has made its last request and its handlers have returned.")
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  static func write(_ warning: String) {
    if let receiver = receiver.withLock(\.self) { return receiver.call(warning) }
    FileHandle.standardError.write(Data("StubKit: warning: \(warning)\n".utf8))
  }

  private static let tellsAtEnd: Void = { _ = atexit { RequestWarnings.tellAtEnd() } }()

  private static func tellAtEnd() {
    let state = state.withLock(\.self)
    for kind in Kind.allCases {
      guard let (count, texts) = state[kind], count > texts.count else { continue }
      write("\(count) \(kind.rawValue). \(texts.count == 1 ? "1 is" : "\(texts.count) are") reported above.")
    }
  }
}

extension UnmatchedRequestError {
  /// Tells the test that a request certainly belongs to, or else warns about the request.
  func deliver(_ confidence: AttributionConfidence, to misses: MissCollection?) {
    switch confidence {
    case .certain, .session:
      guard let misses, !misses.add(self) else { return }
      RequestWarnings.add(
        .late, "\(description)\nThe test was over when it made the request\(misses.test.map { ": \($0)" } ?? "").")
    case .onlyScope, .unclaimed:
      if confidence == .onlyScope, let misses, misses.runsAlone, misses.add(self) { return }
      RequestWarnings.add(.unattributed, description)
    }
  }
}
