import Foundation
import StubKit
import TestSupport

extension Cell {
  /// Runs the cell against stubs, with the URL at which a server listens too.
  func runStubbed(onPort port: UInt16, deadline: Double = Conversation.longestTime) async throws -> Transcript {
    try await withStubs {
      let (arrival, release) = (Latch(), Latch())
      exchange.stub(onPort: port, arrival: disturbance.waitsForArrival ? arrival : nil, release: release)
      var transcript = try await Conversation(
        cell: self, port: port, arrival: arrival, release: release, deadline: deadline
      ).run()
      // Nobody is there to receive what is refused.
      let entries = isSent ? StubRegistry.current.journal.entries : []
      add(entries.map(ReceivedRequest.init), to: &transcript)
      return transcript
    }
  }
}

extension Cell.Disturbance {
  fileprivate var waitsForArrival: Bool { [.cancelDuringWait, .suspendDuringWait, .resumeTwice].contains(self) }
}

extension ReceivedRequest {
  fileprivate init(_ recorded: RecordedRequest) {
    let request = recorded.request
    // As it is sent: without dot segments.
    let components = (request.url?.standardized).flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
    self.init(
      method: request.httpMethod ?? "", target: (components?.percentEncodedPath ?? "") + query,
      headers: (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) },
      wholeHeaders: request.stubHeaders.map { (name: $0.key, value: $0.value) },
      body: recorded.body ?? Data())
  }
}
