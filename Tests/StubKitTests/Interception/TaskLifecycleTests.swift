import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A task's life", .inTurn)
struct TaskLifecycleTests {
  /// A session for each place a cache may be, with a delegate that writes everything down.
  private func makeSession(cached: Bool) -> (URLSession, DelegateEvents) {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 3_600
    if !cached { configuration.urlCache = nil }
    let events = DelegateEvents()
    return (URLSession(configuration: configuration, delegate: events, delegateQueue: nil), events)
  }

  @Test("resumed in the very moment it ends neither crashes nor completes twice", arguments: [false, true])
  func resumedAtTheEnd(fails: Bool) async throws {
    try await withStubs {
      stub(condition: .anything, response: fails ? .failure(.timedOut) : .text("body"))
      let (session, events) = makeSession(cached: false)
      for _ in 0..<300 {
        let task = session.dataTask(with: url("http://a.example/"))
        for _ in 0..<5 { task.resume() }
        task.suspend()
        task.resume()
        _ = try await events.untilCompletion()
      }
      let ends = events.told.filter { $0.hasPrefix("complete") || $0.hasPrefix("error") }
      #expect(ends.count == 300)
    }
  }

  @Test("lets go of its session and itself when it is done")
  func release() async throws {
    weak var released: URLSessionTask?
    try await withStubs {
      stub(condition: isPath("/once"), response: .text("body"))
      let (session, events) = makeSession(cached: false)
      let task = session.dataTask(with: url("http://a.example/once"))
      released = task
      task.resume()
      _ = try await events.untilCompletion()
      session.finishTasksAndInvalidate()
    }
    try await until("the task is gone") { released == nil }
  }
}

/// That events and counts are those of the system's loader, for each kind of task and call, is what DifferentialTests compare.
@Suite("A transfer's events", .inTurn)
struct TransferEventsTests {
  private func request(_ method: String, bodyLength: Int? = nil) -> URLRequest {
    TestSupport.request(
      url("http://a.example/"), method: method, body: bodyLength.map { Data(count: $0) })
  }

  private func session(_ events: TransferEvents?) -> URLSession {
    URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
  }

  @Test("reach the session's delegate although the task has one of its own")
  func taskDelegate() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .text("hello"))
      let events = TransferEvents()
      let own = TransferEvents()
      let task = session(events).dataTask(with: request("GET"))
      task.delegate = own
      task.resume()
      #expect(try await events.untilCompletion() == ["head 200", "data 5", "complete"])
      #expect(own.told == [])
    }
  }
}
