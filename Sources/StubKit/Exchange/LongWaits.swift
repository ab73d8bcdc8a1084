import Dispatch
import Foundation

/// Tells of each request that waits for more than five seconds for something of StubKit's, once, on standard error: a
/// test that hangs would otherwise say nothing. What takes a time that the test has set isn't such a wait.
enum LongWaits {
  private static let state = Protected(State())
  /// The time between two looks, of which a process that is stopped makes none.
  private static let pause = Duration.milliseconds(500)
  private static let mostLooks = 10

  private struct State {
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var isLooking = false
  }

  /// Adds an exchange that is in flight. Its registry holds it, too, until it is removed.
  static func add(_ exchange: Exchange) {
    let isFirst = state.withLock { state in
      state.exchanges[ObjectIdentifier(exchange)] = exchange
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if isFirst { look() }
  }

  static func remove(_ exchange: Exchange) {
    state.discard { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  private static func look() {
    DispatchQueue.global().asyncAfter(deadline: (.now() + pause).dispatchTime) {
      let exchanges = state.withLock { state in
        state.isLooking = !state.exchanges.isEmpty
        return Array(state.exchanges.values)
      }
      for exchange in exchanges {
        // Not counted on the timeline, which it doesn't concern.
        exchange.queue.queue.perform {
          guard let tell = exchange.tellOfWait(mostLooks: mostLooks) else { return }
          WorkerPool.background.run { if let sentence = tell() { RequestWarnings.add(.waiting, sentence) } }
        }
      }
      if !exchanges.isEmpty { look() }
    }
  }

  /// Returns what a request waits for, and what ends that.
  static func sentence(
    about awaited: JournalEntry.Awaited, of request: URLRequest, _ entry: JournalEntry, in registry: StubRegistry
  ) -> String {
    let (reason, cure) = awaited.reasonAndCure
    let stub = entry.stub.map { ", which the stub \($0) answers," } ?? ""
    let test = registry.test.map { ", in \($0)" } ?? ""
    return "\(request.summary(in: .shared))\(stub) has waited for five seconds for \(reason)\(test). \(cure)"
  }
}

extension JournalEntry.Awaited {
  fileprivate var reasonAndCure: (String, String) {
    let cure = "Let it return. A closure that waits for its own request never does."
    let answer = "Let the delegate call the completion handler."
    return switch self {
    case .body: ("the end of its body", "Let the client end the body.")
    case .conditions: ("a closure in the condition of a stub", cure)
    case .response: ("the response closure of the stub", cure)
    case .policy: ("the closure of the policy for unmatched requests", cure)
    case .callback: ("a callback of the registry", cure)
    case .test: ("the test", "Answer the call with respond(), finish() or fail().")
    case .redirect: ("its client to decide about the redirect", answer)
    case .challenge: ("its client to answer the challenge", answer)
    case .gate: ("its gate", "Open the gate.")
    case .piece: ("the next piece of its stream", "Send it, or end the stream.")
    }
  }
}
