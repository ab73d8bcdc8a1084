import Foundation

/// What a request waits for, without a time that the test has set. Whoever begins the wait says so.
struct Awaited {
  /// What it is.
  let reason: String
  /// What ends the wait, in a sentence.
  let cure: String

  /// The end of the body, or the stream that the client's delegate is asked for.
  static let body = Awaited(reason: "the end of its body", cure: "Let the client end the body.")
  static let condition = closure("a closure in the condition of a stub")
  static let response = closure("the response closure of the stub")
  static let policy = closure("the closure of the policy for unmatched requests")
  static let recording = closure("a closure in the condition of a recording")
  static let callback = closure("a callback of the registry")
  static let call = Awaited(reason: "the test", cure: "Answer the call with respond(), finish() or fail().")
  static let redirect = decision("its client to decide about the redirect")
  static let challenge = decision("its client to answer the challenge")
  static let gate = Awaited(reason: "its gate", cure: "Open the gate.")
  static let timeout = Awaited(
    reason: "its timeout, because the response never ends",
    cure: "Give the test an immediate clock, as in .stubbed(clock: .immediate), or the request a short timeoutInterval."
  )
  static let piece = Awaited(reason: "the next piece of its stream", cure: "Send it, or end the stream.")

  private static func closure(_ reason: String) -> Awaited {
    Awaited(reason: reason, cure: "Let it return. A closure that waits for its own request never does.")
  }

  private static func decision(_ reason: String) -> Awaited {
    Awaited(reason: reason, cure: "Let the delegate call the completion handler.")
  }
}

/// A wait of more than five seconds for something of StubKit's is told once, on standard error: a test that hangs would
/// otherwise say nothing.
extension RequestsInFlight {
  /// The time between two looks, of which a process that is stopped makes none.
  private static let pause = Duration.milliseconds(500)
  private static let mostLooks = 11

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
    wait?.lookCount += 1
    return wait?.lookCount == mostLooks
  }
}

extension JournalEntry {
  @Sendable fileprivate func tellOfWait() {
    guard let awaited, !request.isReceived else { return }
    if let testReport = snapshot.testReport, let sentence = untakenSentence {
      return testReport.tellEarly(.call, after: .zero) { sentence }
    }
    let stub = stub.map { ", which the stub \($0) answers," } ?? ""
    let test = snapshot.testReport?.test.map { ", in \($0)" } ?? ""
    RequestWarnings.add(
      .waiting,
      "\(request.request.summary(in: .shared))\(stub) has waited for five seconds for \(awaited.reason)\(test). \(awaited.cure)"
    )
  }
}
