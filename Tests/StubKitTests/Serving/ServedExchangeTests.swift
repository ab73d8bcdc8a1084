import Foundation
import StubKit
import TestSupport
import Testing

@Suite("An exchange of a server", .inTurn)
struct ServedExchangeTests {
  @Test("tells its end once, also if the client leaves")
  func leavingClient() async throws {
    try await withStubs {
      let outcomes = Locked<[RecordedRequest.Outcome]>([])
      stub(condition: .anything) { _ in .text("body") }
        .onFinish { request in outcomes.withLock { $0.append(request.outcome) } }
      let scope = ServingScope(StubRegistry.current)
      let (queue, client) = (InlineQueue(), LeavingClient())
      let request = URLRequest(url: url("http://a.example/"))
      let exchange = try #require(Exchange(request, in: scope, client: client, on: queue))
      client.leave.withLock { $0 = { queue.perform { exchange.complete() } } }
      queue.perform { exchange.serve() }
      try await until("the observers have learned of the end") { outcomes.withLock { !$0.isEmpty } }
      scope.close()
      #expect(outcomes.withLock { $0 } == [.answered(status: 200)])
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: 200)])
    }
  }
}

/// Runs work where it is given, one piece after the other. The piece that is given meanwhile runs before the first
/// giver goes on.
private final class InlineQueue: DeliveryQueue {
  private let waiting = Locked<(work: [@Sendable () -> Void], isRunning: Bool)>(([], false))

  func perform(_ work: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.work.append(work)
      defer { waiting.isRunning = true }
      return !waiting.isRunning
    }
    guard isFirst else { return }
    while let next = waiting.withLock({ waiting -> (@Sendable () -> Void)? in
      waiting.isRunning = !waiting.work.isEmpty
      return waiting.work.isEmpty ? nil : waiting.work.removeFirst()
    }) {
      next()
    }
  }
}

/// A client that goes away when it has the body.
private final class LeavingClient: ServedClient {
  let leave = Locked<@Sendable () -> Void>({})

  func pieceArrived(_ piece: Data) { leave.withLock { $0 }() }
  func headArrived(_ status: Int, _ headers: ResponseHeaders, hasBody: Bool) {}
  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool { false }
  func finish() {}
  func fail(_ failure: ServedFailure) {}
  func passThrough(_ request: URLRequest, recorder: (any NetworkRecorder)?) {}
}
