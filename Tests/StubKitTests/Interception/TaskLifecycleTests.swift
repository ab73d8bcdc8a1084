import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A task", .inTurn)
struct TaskLifecycleTests {
  private static let rounds = TestSize.of(300, inPart: 60)
  private let events = TransferEvents()
  private var session: URLSession {
    events.session(.ephemeral { ($0.timeoutIntervalForRequest, $0.urlCache) = (3_600, nil) })
  }

  @Test("may be resumed in the very moment it ends")
  func resumedAtTheEnd() async throws {
    for fails in [false, true] {
      try await withStubs {
        stub(condition: .anything, response: fails ? .failure(.timedOut) : .text("body"))
        let session = session
        for _ in 0..<Self.rounds {
          let task = session.dataTask(with: url("http://a.example/"))
          for _ in 0..<5 { task.resume() }
          task.suspend()
          task.resume()
          _ = try await events.untilCompletion()
        }
      }
      #expect(events.told.count { $0.hasPrefix(fails ? "error" : "complete") } == Self.rounds, "fails: \(fails)")
    }
  }

  @Test("may be cancelled while another thread resumes it")
  func cancelledAtTheStart() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("body"))
      let session = session
      for _ in 0..<Self.rounds {
        let task = session.dataTask(with: url("http://a.example/"))
        DispatchQueue.global().async { task.resume() }
        task.cancel()
        _ = try await events.untilCompletion()
      }
      #expect(events.told.count { $0.hasPrefix("complete") || $0.hasPrefix("error") } == Self.rounds)
    }
  }

  @Test("of an async call ends while the session's delegate queue stands still", arguments: [false, true])
  func asyncCall(fails: Bool) async throws {
    let (queue, isOver) = (OperationQueue.suspended, Latch())
    try await withStubs {
      stub(condition: .anything, response: fails ? .failure(.timedOut) : .text("body"))
      let session = URLSession(configuration: .patient, delegate: nil, delegateQueue: queue)
      let call = Task {
        defer { isOver.open() }
        return try await session.fetch("http://a.example/").text
      }
      defer { queue.isSuspended = false }
      try await until("the call has ended") { isOver.isOpen }
      let result = await call.result
      #expect((try? result.get()) == (fails ? nil : "body"), "\(result)")
    }
  }

  @Test("is freed when it is done and its session is invalidated")
  func release() async throws {
    weak var released: URLSessionTask?
    try await withStubs {
      stub(condition: isPath("/once"), response: .text("body"))
      let session = session
      let task = session.dataTask(with: url("http://a.example/once"))
      released = task
      task.resume()
      _ = try await events.untilCompletion()
      session.finishTasksAndInvalidate()
    }
    try await until("the task is gone") { released == nil }
  }

  @Test("tells its events to the session's delegate, even if it has one of its own")
  func taskDelegate() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .text("hello"))
      let own = TransferEvents()
      let task = session.dataTask(with: url("http://a.example/"))
      task.delegate = own
      task.resume()
      #expect(try await events.untilCompletion() == ["head 200", "data 5", "complete"])
      // Foundation on Linux tells the head, the data and the end to the session's delegate only.
      #expect(own.told == [])
    }
  }

  @Test("that goes to the network may be resumed in the very moment it ends, too", .startsProcess)
  func passedThrough() async {
    // In a process of its own, since URLSession's own loader traps where it is stopped at the wrong moment.
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      withStubs(in: StubRegistry(unmatched: .passThrough)) {
        let session = URLSession(configuration: .patient)
        for _ in 0..<Self.rounds {
          let task = session.dataTask(with: server.url("/"))
          while task.state != .completed { task.resume() }
        }
      }
    }
  }
}
