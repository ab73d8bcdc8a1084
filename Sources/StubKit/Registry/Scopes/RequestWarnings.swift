import Foundation

/// Warnings that no test owns: about requests of unknown origin, and about stubs outside of scopes. They go to standard
/// error.
///
/// A text is told once, however many requests have it. Of each kind, a few texts are told, at most 5 of them about the
/// same method and URL, which the first line of a text names. The end of the process tells how many others there were.
enum RequestWarnings {
  enum Kind: String, CaseIterable {
    case unattributed = "requests that named no scope failed"
    case late = "requests came after the end of their test, or of every scope"
    case endless = "stubs answered 1,000 requests"
    case unreported = "reports of requests that no test has were due"
    case waiting = "requests waited for more than five seconds"
    case shared = "stubs were registered outside of every scope, where tests share them"
    case settings = "clocks and network conditions were set outside of every scope, where tests share them"
    case departed = "tests without a scope made requests that went to the network"
    case cutOff = "tests ended while a task awaited a request"
    case escaped = "requests of kinds that StubKit can't take went to the network"

    /// The number of texts that are told. Of these two, one says all that the others would.
    fileprivate var mostTexts: Int { self == .shared || self == .escaped ? 1 : 20 }
  }

  /// The warnings of a kind.
  private struct Warnings {
    /// How many there were, told or not.
    var count = 0
    var toldTexts: Set<String> = []

    /// Counts a warning. Returns whether to tell it.
    mutating func add(_ text: String, _ kind: Kind) -> Bool {
      func heading(_ text: String) -> Substring { text.prefix { !$0.isNewline } }
      count += 1
      guard toldTexts.count < kind.mostTexts else { return false }
      let ofSameRequest = toldTexts.count { heading($0) == heading(text) }
      return ofSameRequest < TestReport.mostReports && toldTexts.insert(text).inserted
    }
  }

  private static let state = Protected<[Kind: Warnings]>([:])

  /// - Parameters:
  ///   - text: The report of the request. Creating it can take long, so don't call this on a queue of URLSession.
  ///   - tell: Receives the warning in place of standard error.
  static func add(_ kind: Kind, _ text: String, tell: (String) -> Void = write) {
    let isTold = state.withLock { $0[kind, default: Warnings()].add(text, kind) }
    if isTold { tell(text) } else { _ = tellsAtEnd }
  }

  private static let queue = DispatchQueue(label: "StubKit.warnings", qos: .utility)

  /// Adds warnings later, from where a lock of URLSession can be held. The end of the process waits for them.
  static func later(_ add: @escaping Work) {
    _ = tellsAtEnd
    let sink = RunningTest.sink
    queue.async { RunningTest.$sink.withValue(sink, operation: add) }
  }

  private static let unreportedCount = Protected(0)

  /// Adds an unmatched request that no test reports. A client that asks again and again would hang without a word, so
  /// the hundredth is told, and each thousandth.
  static func addUnreported(_ report: String) {
    let count = unreportedCount.withLock { count in
      count += 1
      return count
    }
    guard count == 100 || count % 1_000 == 0 else { return }
    add(
      .unreported,
      "\(count) requests had no stub where no test reports it, and the client goes on. The last one:\n\(report)")
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
        : "\(summary) was requested after its \(test.map { "test had ended: \($0)" } ?? "scope had ended"). Wait in the "
          + "test until the client has made its last request and its handlers have returned. For another test, create its "
          + "session there."
    )
  }

  /// Adds a request of a kind that StubKit can't take, if stubs are in use where it is made. Call this there, where
  /// a lock of URLSession can be held.
  ///
  /// - Parameter request: The request, or `nil` for a task that mustn't be asked for it.
  static func addEscape(of request: URLRequest?) {
    // What has no server doesn't leave the machine.
    guard !["data", "file", "about"].contains(request?.url?.scheme?.lowercased()),
      StubRegistry.local?.isEnabled ?? (StubRegistry.global.isEnabled || !OpenScopes.shared.isEmpty)
    else { return }
    later {
      add(
        .escaped,
        "\(request?.summary(in: .shared) ?? "A WebSocket, a stream or a task of AVFoundation") goes to the network, although stubs are in use here. StubKit can't take WebSockets, streams, FTP and "
          + "background sessions. Replace the part of the client that makes them, or let it ask a server of the test's own."
      )
    }
  }

  /// Swift Testing would report a warning without a test once for each test that runs, and XCTest has no warnings.
  static func write(_ warning: String) {
    if let listener = RunningTest.listener.current { return listener.call(warning) }
    RunningTest.tell("warning: \(warning)")
  }

  private static let tellsAtEnd: Void = {
    _ = atexit {
      queue.sync {}
      let state = RequestWarnings.state.current
      for kind in Kind.allCases {
        guard let warnings = state[kind], warnings.count > warnings.toldTexts.count else { continue }
        let told = warnings.toldTexts.count
        write("\(warnings.count) \(kind.rawValue). \(told == 1 ? "1 is" : "\(told) are") reported above.")
      }
    }
  }()
}
