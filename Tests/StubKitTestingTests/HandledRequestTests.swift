import Foundation
import StubKitTesting
import TestSupport
import Testing

/// A request isn't over before its client has been told, and no handler outlives its test.
@Suite("The client's handler of a request", .inTurn, .serialized)
struct HandledRequestTests {
  /// The queue on which a session calls its handlers and its delegate.
  enum Queue: CaseIterable {
    case own, main, concurrent, subclass

    func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
      let queue: OperationQueue? =
        switch self {
        case .own: nil
        case .main: .main
        case .concurrent: OperationQueue()
        case .subclass: SerialQueue()
        }
      return URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
    }
  }

  private final class SerialQueue: OperationQueue, @unchecked Sendable {
    override init() {
      super.init()
      maxConcurrentOperationCount = 1
    }
  }

  // Not on the main queue, which a handler that waits would block.
  @Test("has returned when waitForCompletions does", .stubbed, arguments: [Queue.own, .concurrent, .subclass])
  func completion(queue: Queue) async throws {
    let users = stub(condition: isPath("/users"), response: .status(204))
    let (isCalled, isReleased) = (Latch(), DispatchSemaphore(value: 0))
    let isDone = Latch()
    queue.session().dataTask(with: url("http://a.example/users")) { _, _, _ in
      isCalled.open()
      isReleased.wait()
      isDone.open()
    }.resume()
    try await until("the handler is called") { isCalled.isOpen }
    let error = await #expect(throws: StubWaitError.self) { try await users.waitForCompletions(timeout: .zero) }
    #expect(error?.description.hasSuffix("has not returned. If it waits for this test, don't wait for it.") == true)
    isReleased.signal()
    let requests = try await users.waitForCompletions()
    #expect(isDone.isOpen)
    #expect(requests.map(\.outcome) == [.answered(status: 204)])
  }

  @Test(
    "has returned when waitForCompletions does, however the request ends", .stubbed,
    arguments: [.status(204), .failure(.timedOut), .text("a").delay(.milliseconds(1)), .controlled] as [StubResponse])
  func ends(response: StubResponse) async throws {
    let users = stub(condition: isPath("/users"), response: response)
    let session = Queue.own.session()
    for call in 1...20 {
      let isDone = Latch()
      let task = session.dataTask(with: url("http://a.example/users")) { _, _, _ in isDone.open() }
      task.resume()
      try await users.waitForCalls(call)
      // Nothing else ends one that waits for the test.
      if users.lastCall != nil { task.cancel() }
      try await users.waitForCompletions(call)
      #expect(isDone.isOpen, "call \(call)")
    }
  }

  #if os(Linux)
    @Test(
      "has returned when waitForCompletions does, also if it is a method of a delegate", .stubbed,
      arguments: [Queue.own, .concurrent, .subclass])
    func delegate(queue: Queue) async throws {
      let users = stub(condition: isPath("/users"), response: .text("text").chunked(by: 1))
      for number in 1...20 {
        let isDone = Latch()
        let delegate = DelegateEvents { event in
          guard case .end = event else { return nil }
          workForAWhile()
          isDone.open()
          return nil
        }
        let session = queue.session(delegate)
        session.dataTask(with: url("http://a.example/users")).resume()
        try await users.waitForCompletions(number)
        #expect(isDone.isOpen, "request \(number)")
        session.finishTasksAndInvalidate()
      }
    }
  #endif

  @Test(
    "has returned when a scope ends, whether the request was answered or not", arguments: Queue.allCases,
    ["/answered", "/held", "/none"])
  func endOfScope(queue: Queue, path: String) async throws {
    let isDone = Latch()
    try await withStubs {
      let answered = stub(condition: isPath("/answered"), response: .status(204))
      stub(condition: isPath("/held"), response: .noAnswer)
      queue.session().dataTask(with: url("http://a.example\(path)")) { _, _, _ in
        workForAWhile()
        isDone.open()
      }.resume()
      if path == "/answered" { try await answered.waitForCalls() }
    }
    #expect(isDone.isOpen)
  }

  @Test("can open a scope, whose end doesn't wait for the handler's own queue, while the outer scope's does")
  func nested() async throws {
    let (inner, outer) = (Latch(), Latch())
    try await withStubs {
      let page = stub(condition: .anything, response: .status(204))
      let session = Queue.own.session()
      session.dataTask(with: url("http://a.example/1")) { _, _, _ in
        withStubs {
          stub(condition: .anything, response: .status(204).delay(.seconds(600)))
          session.dataTask(with: url("http://a.example/2")) { _, _, _ in inner.open() }.resume()
        }
        // Their handlers share a queue, so that of the second request can't have run.
        if !inner.isOpen { outer.open() }
      }.resume()
      try await page.waitForCalls()
    }
    #expect(inner.isOpen)
    #expect(outer.isOpen)
  }

  @Test("is not waited for where its queue has dropped it", .stubbed)
  func dropped() async throws {
    let users = stub(condition: isPath("/users"), response: .status(204))
    let queue = OperationQueue.suspended
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
    session.dataTask(with: url("http://a.example/users")) { _, _, _ in }.resume()
    try await until("the handler waits") { queue.operationCount > 0 }
    queue.cancelAllOperations()
    queue.isSuspended = false
    try await users.waitForCompletions()
  }
}
