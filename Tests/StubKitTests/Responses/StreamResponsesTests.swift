import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A response that is a stream", .inTurn)
struct StreamResponsesTests {
  private enum Requester { @TaskLocal static var id = 0 }
  private struct Broken: Error, Equatable {}

  private static let address = url("http://a.example/")

  @Test("reaches a delegate chunk by chunk, without the empty ones")
  func delegates() async throws {
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: .anything, response: .stream(chunks))
      let events = DelegateEvents()
      events.session().dataTask(with: Self.address).resume()
      var expected = ["head 200"]
      for text in ["one", "", "two", "three"] {
        if !text.isEmpty { expected.append("data \(text)") }
        sender.yield(Data(text.utf8))
        try await until("the delegate is told \(expected)", or: { events.told.count > expected.count }) {
          events.told == expected
        }
      }
      sender.finish()
      #expect(try await events.untilCompletion() == expected + ["complete"])
    }
  }

  @Test("has its own headers, and no length")
  func head() async throws {
    try await withStubs {
      stub(condition: .anything, response: .stream(AsyncStream(texts: "one"), headers: ["X-A": "b"]))
      let head = try await URLSession.shared.data(from: Self.address).1 as? HTTPURLResponse
      #expect(head?.expectedContentLength == -1)
      #expect(head?.allHeaderFields as? [String: String] == ["X-A": "b"])
    }
  }

  @Test("reaches handlers, async calls, uploads and downloads whole")
  func wholes() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .stream { AsyncStream(texts: "one, ", "two, ", "three") })
      // Every way in which URLSession takes the body of a request.
      for place in BodyPlace.allCases {
        let text = try await Sending(place, Data([1])).send(URLRequest(url: Self.address))
        #expect(text == "one, two, three", "\(place)")
      }
      let told = try await DelegateEvents().told { $0.downloadTask(with: Self.address) }
      #expect(told == ["file one, two, three", "complete"])
    }
  }

  @Test("that throws fails its request with that error")
  func failure() async throws {
    try await withStubs {
      stub(
        condition: .anything,
        response: .stream {
          AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("half".utf8))
            continuation.finish(throwing: Broken())
          }
        })
      let told = try await DelegateEvents().told { $0.dataTask(with: Self.address) }
      #expect(told.prefix(2) == ["head 200", "data half"])
      #expect(told.dropFirst(2).map { $0.contains("Broken") } == [true])
      let error = await URLSession.shared.failure(of: "http://a.example/")
      #expect(error as? Broken == Broken())
    }
  }

  @Test("is not read for a HEAD, a 204 or a 304")
  func dropped() async throws {
    for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
      try await withStubs { () async throws in
        let made = Protected(0)
        stub(
          condition: .anything,
          response: .stream(status: status) {
            made.withLock { $0 += 1 }
            return AsyncStream(texts: "body")
          })
        let once = stub(condition: isPath("/once"), response: .stream(AsyncStream(texts: "body"), status: status))
        var request = request("http://a.example/", method: method)
        #expect(try await URLSession.shared.fetch(request) == Fetched(status: status, text: ""), "\(method) \(status)")
        request.url = url("http://a.example/once")
        // A stream that was made once serves two requests, because neither reads it.
        for _ in 1...2 { _ = try await URLSession.shared.fetch(request) }
        #expect(made.withLock { $0 } == 0, "\(method) \(status)")
        #expect(once.callCount == 2, "\(method) \(status)")
        #expect(once.lastRequest?.response?.droppedBodyLength == 0, "\(method) \(status)")
      }
    }
  }

  @Test("serves one request if no closure makes it, and the next fails with what to write")
  func usedUp() async throws {
    try await withStubs { () async throws in
      let log = stub(condition: .anything, response: .stream(AsyncStream(texts: "one, ", "two")), name: "log")
      #expect(try await URLSession.shared.fetch("http://a.example/").text == "one, two")
      let error = try #require(await URLSession.shared.failure(of: "http://a.example/") as? StreamAlreadyUsedError)
      #expect(error.stub?.name == "log" && error.stub?.location == log.location)
      #expect(error.localizedDescription == error.description)
      #expect(
        error.description == """
          The stub "log" (\(log.location)) answers with a stream that an earlier request has already read. \
          Write .stream { … } with a closure that creates a new sequence for each request.
          """)
      #expect(log.callCount == 2)
    }
  }

  @Test("sees its requester's task-locals")
  func requesterTask() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(
        condition: isPath("/outer"),
        response: .stream {
          let count = Locked(0)
          return AsyncThrowingStream<Data, any Error>(unfolding: {
            let number = count.adding(1)
            guard number < 3 else { return nil }
            let inner = try await URLSession.shared.fetch("http://a.example/inner").text
            return Data("\(Requester.id) \(inner) ".utf8)
          })
        })
      let text = try await Requester.$id.withValue(7) {
        try await URLSession.shared.fetch("http://a.example/outer").text
      }
      #expect(text == "7 inner 7 inner ")
    }
  }

  @Test("is asked for no more than a delegate takes")
  func backPressure() async throws {
    try await withStubs {
      let asked = Locked(0)
      stub(
        condition: .anything,
        response: .stream {
          AsyncStream(unfolding: {
            let number = asked.adding(1)
            return number <= 50 ? Data("\(number)".utf8) : nil
          })
        })
      let queue = OperationQueue.suspended
      let events = TransferEvents()
      events.session(on: queue).dataTask(with: Self.address).resume()
      // Head, first chunk, and the question where it is.
      try await until("three calls wait for the delegate") { queue.operationCount >= 3 }
      let isMore = try await holds(within: .milliseconds(20)) {
        asked.withLock { $0 } != 1 || queue.operationCount != 3
      }
      #expect(!isMore, "\(queue.operationCount)")
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      // The head, 50 chunks, and the completion.
      #expect(told.count == 52)
      #expect(events.bytes == Data((1...50).map { "\($0)" }.joined().utf8))
    }
  }

  enum Ending: CaseIterable { case cancelled, scope, timeout }

  @Test("is told of its termination when the request ends first", arguments: Ending.allCases)
  func cancellation(ending: Ending) async throws {
    let hears = Latch()
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      sender.onTermination = { reason in if case .cancelled = reason { hears.open() } }
      sender.yield(Data("first".utf8))
      stub(condition: .anything, response: .stream(chunks))
      let events = DelegateEvents()
      let task = events.session().dataTask(
        with: request("http://a.example/", timeout: ending == .timeout ? 0.05 : 3_600))
      task.resume()
      try await until("the head and the first chunk have come") { events.told.count >= 2 }
      // Here the scope ends, and with it the request.
      if ending == .scope { return }
      if ending == .cancelled { task.cancel() }
      #expect(try await events.untilCompletion().last?.hasPrefix("error") == true)
    }
    try await until("the stream hears of the end") { hears.isOpen }
  }

  /// The clients of a stream, and whether StubKit reads the body of the request before it answers.
  enum Asking: CaseIterable { case handler, asynchronous, delegate, download, streamedBody }

  @Test(
    "is told of its termination when the task is cancelled as soon as the stub is chosen", arguments: Asking.allCases)
  func earlyCancellation(by asking: Asking) async throws {
    for _ in 0..<TestSize.of(300, inPart: 30) {
      let hears = Latch()
      try await withStubs {
        let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
        sender.onTermination = { _ in hears.open() }
        let stub = stub(condition: .anything, response: .stream(chunks))
        let cancel: @Sendable () -> Void
        if asking == .asynchronous {
          let task = Task { _ = await URLSession.shared.failure(of: "http://a.example/") }
          cancel = { task.cancel() }
        } else {
          var request = URLRequest(url: Self.address)
          if asking == .streamedBody {
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("a".utf8))
          }
          let task: URLSessionTask =
            switch asking {
            case .delegate: DelegateEvents().session().dataTask(with: request)
            case .download: URLSession.shared.downloadTask(with: request) { _, _, _ in }
            default: URLSession.shared.dataTask(with: request) { _, _, _ in }
            }
          task.resume()
          cancel = { task.cancel() }
        }
        try await stub.waitForCalls()
        cancel()
        try await until("the stream hears of the end") { hears.isOpen }
      }
    }
  }

  enum LastMoment: CaseIterable { case finished, interrupted, thrown, cancelled, cancelledAtGate }

  @Test("is let go of when its request is over", arguments: LastMoment.allCases)
  func letGo(moment: LastMoment) async throws {
    try await withStubs {
      let gate = ResponseGate()
      if moment != .cancelledAtGate { gate.open() }
      weak var witness: Witness?
      do {
        let witnessed = WitnessedChunks(count: 2, isBroken: moment == .thrown)
        witness = witnessed.witness
        let response = StubResponse.stream(witnessed).held(by: gate)
        stub(condition: .anything, response: moment == .interrupted ? response.failing(afterBytes: 2) : response)
      }
      let queue = OperationQueue.suspended
      queue.isSuspended = moment == .cancelled
      let events = DelegateEvents()
      let task = events.session(on: queue).dataTask(with: Self.address)
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

  // At each chunk, a copy would cost as much as everything that an iterator holds.
  @Test("is iterated in place")
  func inPlace() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .stream(WitnessedChunks(count: 3)))
      #expect(try await URLSession.shared.fetch("http://a.example/").text == "own own own ")
    }
  }

  @Test("is asked once more, in a cancelled task, if its request ends between two chunks")
  func lastQuestion() async throws {
    try await withStubs {
      // Each chunk is "own ", so it ends behind the second.
      let chunks = WitnessedChunks(count: 9)
      stub(condition: .anything, response: .stream(chunks).failing(afterBytes: 8))
      #expect(await URLSession.shared.failure(of: "http://a.example/") is URLError)
      try await until("it is asked once more") { chunks.asked.withLock(\.count) >= 3 }
      #expect(chunks.asked.withLock(\.self) == [false, false, true])
    }
  }
}

/// Chunks that say whether their iterator is the only one, and notes of whether the task that asked was cancelled.
private struct WitnessedChunks: AsyncSequence {
  let count: Int
  /// Whether a failure follows them.
  var isBroken = false
  let asked = Protected<[Bool]>([])
  /// Lives as long as the sequence.
  let witness = Witness()

  struct Iterator: AsyncIteratorProtocol {
    let chunks: WitnessedChunks
    var own = Witness()

    mutating func next() async throws -> Data? {
      let number = chunks.asked.withLock { asked in
        asked.append(Task.isCancelled)
        return asked.count
      }
      if number <= chunks.count { return Data((isKnownUniquelyReferenced(&own) ? "own " : "copied ").utf8) }
      if chunks.isBroken { throw CancellationError() }
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
}

private final class Witness: Sendable {}
