import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Cancelling tasks", .inTurn, .serialized)
struct CancelTests {
  /// A stub with a value, a closure or an async closure. `STUBKIT_STRESS_CANCELS` changes the number of sessions.
  /// In the plain mode, a session can let go of its delegate before.
  @Test(
    "by invalidating their session tells a delegate the end of the task before that of the session",
    .enabled(if: !PlainMode.isOn), arguments: 0..<3)
  func invalidation(kind: Int) async throws {
    let count =
      ProcessInfo.processInfo.environment["STUBKIT_STRESS_CANCELS"].flatMap(Int.init) ?? TestSize.of(500, inPart: 100)
    let registry = StubRegistry()
    switch kind {
    case 0: stub(condition: .anything, response: .text("value"), in: registry)
    case 1: stub(condition: .anything, in: registry) { _ in .text("closure") }
    default: stub(condition: .anything, in: registry) { _ async in .text("async closure") }
    }
    let isLost = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<count / 4 {
            // URLSession looks into its tasks on the caller's thread, and traps if one of them ends meanwhile.
            let (events, queue) = (EndEvents(), OperationQueue.suspended)
            let session = registry.makeSession(delegate: events, delegateQueue: queue)
            session.dataTask(with: url("http://a.example/")).resume()
            session.invalidateAndCancel()
            queue.isSuspended = false
            if await !events.endIsFirst { isLost.withLock { $0 += 1 } }
          }
        }
      }
    }
    print("cancels: \(kind), \(isLost.withLock { $0 }) ends lost of \(count)")
    #expect(isLost.withLock { $0 } == 0)
  }

  /// On the main queue, URLSession would resume the call where the cancellation waits.
  @Test("at a random moment lets an async call end, on a session whose delegate queue is the main one")
  func asyncCalls() async throws {
    let (queue, ended) = (DispatchQueue(label: "cancelling"), Locked(0))
    let registry = StubRegistry()
    stub(condition: .anything, response: .text("body"), in: registry)
    let session = registry.makeSession(delegateQueue: .main)
    for number in 1...TestSize.of(1_000, inPart: 200) {
      let call = Task {
        _ = try? await session.fetch("http://a.example/")
        ended.withLock { $0 += 1 }
      }
      queue.async {
        // A random wait, so that the cancellation meets any moment of the call.
        for _ in 0..<Int.random(in: 0..<3_000) where call.isCancelled {}
        call.cancel()
      }
      try await until("call \(number) has ended") { ended.withLock(\.self) == number }
    }
  }

  @Test(
    "at a random moment leaves a call that the test controls to be taken once, if it counts", arguments: [false, true])
  func controlledCalls(isStreamed: Bool) async throws {
    let count = TestSize.of(2_000, inPart: 200)
    let registry = StubRegistry()
    let stub = stub(condition: .anything, response: .controlled, in: registry)
    let session = registry.makeSession()
    var taken: Set<ObjectIdentifier> = []
    var calls: [StubCall] = []
    for _ in 0..<count {
      var request = request("http://a.example/", method: isStreamed ? "POST" : "GET")
      if isStreamed { request.httpBodyStream = InputStream(data: Data("abc".utf8)) }
      let task = session.dataTask(with: request) { _, _, _ in }
      task.resume()
      // A random wait, so that the cancellation meets any moment of the request.
      let clock = ContinuousClock()
      let end = clock.now + .microseconds(Int.random(in: 0...1_000))
      while clock.now < end {}
      task.cancel()
      guard stub.callCount > calls.count else { continue }
      let call = try await stub.nextCall(timeout: .seconds(60))
      #expect(taken.insert(ObjectIdentifier(call)).inserted)
      #expect(await call.outcome() == .cancelled)
      calls.append(call)
      #expect(stub.callCount == calls.count)
    }
    print("controlled: \(calls.count) calls of \(count) requests")
    await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .zero) }
  }
}

/// Waits for the end of a session.
private final class EndEvents: NSObject, URLSessionDataDelegate {
  private let (ends, end) = AsyncStream.makeStream(of: Bool.self)

  /// Whether the end of the task was told before the end of the session.
  var endIsFirst: Bool {
    get async {
      for await isOfTask in ends { return isOfTask }
      return false
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end.yield(true)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { end.yield(false) }
}
