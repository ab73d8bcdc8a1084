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
          guard let tell = exchange.look(mostLooks: mostLooks) else { return }
          WorkerPool.background.run { if let sentence = tell() { RequestWarnings.add(.waiting, sentence) } }
        }
      }
      if !exchanges.isEmpty { look() }
    }
  }

  /// Returns what a request waits for, and what ends that.
  static func sentence(
    about wait: Exchange.Wait, of request: URLRequest, _ entry: JournalEntry?, in registry: StubRegistry
  ) -> String {
    let (reason, cure) = reason(of: wait, request, entry)
    let stub = entry?.stub.map { ", which the stub \($0) answers," } ?? ""
    let test = registry.test.map { ", in \($0)" } ?? ""
    return "\(request.summary(in: .shared))\(stub) has waited for five seconds for \(reason)\(test). \(cure)"
  }

  private static func reason(of wait: Exchange.Wait, _ request: URLRequest, _ entry: JournalEntry?) -> (String, String)
  {
    switch wait.awaited {
    case .opening: return ("its gate", "Open the gate.")
    case .chunk: return ("the next piece of its stream", "Send it, or end the stream.")
    case .reply:
      switch entry?.request.response?.status {
      case 401?, 407?: return ("its client to answer the challenge", "Let the delegate call the completion handler.")
      case let status? where 300...399 ~= status:
        return ("its client to decide about the redirect", "Let the delegate call the completion handler.")
      default: return ("a callback of the registry", "Let it return.")
      }
    case .receipt, nil:
      let cure = "Let it return. A closure that waits for its own request never does."
      if entry?.call != nil { return ("the test", "Answer the call with respond(), finish() or fail().") }
      if entry?.stub != nil { return ("the response closure of the stub, or a callback of the registry", cure) }
      guard request.httpBodyStream != nil else { return ("a closure in the condition of a stub", cure) }
      return ("the end of its body, or a closure in the condition of a stub", "Let the client end the body. \(cure)")
    }
  }
}
