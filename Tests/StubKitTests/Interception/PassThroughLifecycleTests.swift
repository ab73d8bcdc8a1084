import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Each in a process of its own, since URLSession's own loader traps where it is stopped at the wrong moment.
@Suite("The life of a task that is let through", .inTurn)
struct PassThroughLifecycleTests {
  @Test("goes on as it would without StubKit when it is resumed in the very moment it ends")
  func resumedAtTheEnd() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      withStubs {
        HTTPStubs.unmatched = .passThrough
        let session = URLSession(configuration: .patient)
        for _ in 0..<300 {
          let task = session.dataTask(with: server.url("/"))
          while task.state != .completed { task.resume() }
        }
      }
    }
  }

  @Test("is cancelled once when the cancellation overtakes an older resume")
  func resumedAndCancelled() async throws {
    await #expect(processExitsWith: .success) {
      // It answers nobody: a resume in the moment of an answer is a trap of the system's own loader.
      let server = try LoopbackServer { _, _, _ in DispatchSemaphore(value: 0).wait() }
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        let events = DelegateEvents()
        let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
        for number in 1...200 {
          let task = session.dataTask(with: server.url("/"))
          task.resume()
          try await until("the request is in the journal") { StubRegistry.current.journal.entries.count >= number }
          for _ in 0..<20 { task.resume() }
          task.cancel()
          _ = try await events.untilCompletion()
        }
        let ends = events.told.filter { $0 == "complete" || $0.hasPrefix("error") }
        precondition(ends.count == 200)
      }
    }
  }
}
