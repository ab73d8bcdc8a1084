import Dispatch
import Foundation

/// What a request can wait for, without a time that the test has set. Whoever begins the wait says so.
enum Awaited: Sendable {
  /// The end of its body, or the stream that its client's delegate is asked for.
  case body
  /// The user's closures.
  case conditions, response, policy, callback
  /// The test, which answers the call.
  case test
  /// The decision of its client's delegate.
  case redirect, challenge
  case gate
  /// The next piece of a stream.
  case piece

  private static let cure = "Let it return. A closure that waits for its own request never does."
  private static let answer = "Let the delegate call the completion handler."

  /// What it is, and what ends the wait.
  fileprivate var sentences: (reason: String, cure: String) {
    switch self {
    case .body: ("the end of its body", "Let the client end the body.")
    case .conditions: ("a closure in the condition of a stub", Self.cure)
    case .response: ("the response closure of the stub", Self.cure)
    case .policy: ("the closure of the policy for unmatched requests", Self.cure)
    case .callback: ("a callback of the registry", Self.cure)
    case .test: ("the test", "Answer the call with respond(), finish() or fail().")
    case .redirect: ("its client to decide about the redirect", Self.answer)
    case .challenge: ("its client to answer the challenge", Self.answer)
    case .gate: ("its gate", "Open the gate.")
    case .piece: ("the next piece of its stream", "Send it, or end the stream.")
    }
  }
}

/// A request that waits for more than five seconds for something of StubKit's is told once, on standard error: a test
/// that hangs would otherwise say nothing.
extension RequestsInFlight {
  /// The time between two looks, of which a process that is stopped makes none.
  private static let pause = Duration.milliseconds(500)
  private static let mostLooks = 10

  /// Looks for long waits, as long as a request waits.
  func watch() {
    DispatchQueue.global().asyncAfter(deadline: (.now() + Self.pause).dispatchTime) { [self] in
      let (waiting, long) = table.withLock { table in
        let waiting = table.entries.values.filter { $0.state.wait != nil }
        table.isWatched = !waiting.isEmpty
        return (waiting, waiting.filter { $0.state.look(mostLooks: Self.mostLooks) })
      }
      for entry in long { WorkerPool.background.run(entry.tellOfWait) }
      if !waiting.isEmpty { watch() }
    }
  }
}

extension JournalEntry.State {
  /// Looks at what the request waits for. Returns `true` once, when so many looks have found the same wait.
  fileprivate mutating func look(mostLooks: Int) -> Bool {
    guard !hasTold else { return false }
    wait?.lookCount += 1
    hasTold = wait.map { $0.lookCount > mostLooks } ?? false
    return hasTold
  }
}

extension JournalEntry {
  @Sendable fileprivate func tellOfWait() {
    guard let sentences = awaited?.sentences else { return }
    // The end of a test tells of a call that nobody has taken, and before it somebody does who waits for that end.
    if misses != nil, isUntaken { return }
    let stub = stub.map { ", which the stub \($0) answers," } ?? ""
    let test = misses?.test.map { ", in \($0)" } ?? ""
    RequestWarnings.add(
      .waiting,
      "\(request.request.summary(in: .shared))\(stub) has waited for five seconds for \(sentences.reason)\(test). \(sentences.cure)"
    )
  }
}
