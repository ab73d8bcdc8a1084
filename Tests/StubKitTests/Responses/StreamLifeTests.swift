import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The life of a response's stream", .inTurn)
struct StreamLifeTests {
  private static let address = url("http://a.example/")

  private func session(_ events: DelegateEvents) -> URLSession {
    URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
  }

  @Test("is asked for no more than a delegate takes")
  func backPressure() async throws {
    try await withStubs {
      let asked = Protected(0)
      stub(
        condition: .anything,
        response: .stream {
          AsyncStream(unfolding: {
            let number = asked.withLock {
              $0 += 1
              return $0
            }
            return number <= 50 ? Data("\(number)".utf8) : nil
          })
        })
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = true
      let events = TransferEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: queue)
      session.dataTask(with: Self.address).resume()
      // Head, first chunk, and the question where it is.
      try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
      let isMore = try await holds(within: .milliseconds(20)) {
        asked.withLock { $0 } != 1 || queue.operationCount != 3
      }
      #expect(!isMore)
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      #expect(told.count == 52 && told.last == "complete")
      #expect(events.bytes == Data((1...50).map { "\($0)" }.joined().utf8))
    }
  }

  enum Ending: CaseIterable { case cancelled, scope, timeout, interruption }

  @Test("hears of it when its request ends first", arguments: Ending.allCases)
  func cancellation(ending: Ending) async throws {
    let (terminated, termination) = AsyncStream.makeStream(of: Void.self)
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      sender.onTermination = { reason in
        if case .cancelled = reason { termination.finish() }
      }
      sender.yield(Data("first".utf8))
      let response = StubResponse.stream(chunks)
      stub(condition: .anything, response: ending == .interruption ? response.failing(afterBytes: 9) : response)
      let events = DelegateEvents()
      var request = URLRequest(url: Self.address)
      if ending == .timeout { request.timeoutInterval = 0.05 }
      let task = session(events).dataTask(with: request)
      task.resume()
      try await until("the head and the first chunk have come") { events.told.count >= 2 }
      switch ending {
      case .cancelled: task.cancel()
      case .scope, .timeout: break
      // The stream has not ended, but nobody wants to know what comes.
      case .interruption: sender.yield(Data("second".utf8))
      }
      if ending == .scope { return }
      let told = try await events.untilCompletion()
      #expect(told.last?.hasPrefix("error") == true)
      if ending == .interruption { sender.finish() }
    }
    if ending != .interruption {
      try await next(of: terminated, when: "the stream hears of the end")
    }
  }

  enum LastMoment: CaseIterable { case finished, interrupted, thrown, cancelled, cancelledAtGate }

  @Test(
    "is let go of when its request is over",
    arguments: LastMoment.allCases)
  func letGo(moment: LastMoment) async throws {
    try await withStubs {
      let gate = ResponseGate()
      if moment != .cancelledAtGate { gate.open() }
      weak var witness: Witness?
      do {
        let witnessed = WitnessedChunks(isBroken: moment == .thrown)
        witness = witnessed.witness
        let response = StubResponse.stream(witnessed).held(by: gate)
        stub(condition: .anything, response: moment == .interrupted ? response.failing(afterBytes: 2) : response)
      }
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = moment == .cancelled
      let events = DelegateEvents()
      let task = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: queue)
        .dataTask(with: Self.address)
      task.resume()
      switch moment {
      case .cancelled: try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
      case .cancelledAtGate: try await until("the response is held") { gate.waitingCount > 0 }
      default: break
      }
      if moment == .cancelled || moment == .cancelledAtGate { task.cancel() }
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      #expect(told.last?.hasPrefix(moment == .finished ? "complete" : "error") == true)
      try await until("the sequence is gone") { witness == nil }
    }
  }
}

/// Lives as long as the sequence that it is in.
private final class Witness: Sendable {}

/// Two chunks, and perhaps a failure.
private struct WitnessedChunks: AsyncSequence {
  struct Broken: Error {}

  let isBroken: Bool
  let witness = Witness()

  struct Iterator: AsyncIteratorProtocol {
    let chunks: WitnessedChunks
    var number = 0

    mutating func next() async throws -> Data? {
      number += 1
      if number > 2, chunks.isBroken { throw Broken() }
      return number > 2 ? nil : Data("abc".utf8)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
}
