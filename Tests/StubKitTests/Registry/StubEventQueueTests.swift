import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The events that a reader has not read yet", .inTurn)
struct StubEventQueueTests {
  private func event(_ number: Int) -> StubEvent {
    StubEvent(
      kind: .missing, request: request("http://a.example/\(number)"), stub: nil, response: nil, redirected: nil,
      error: nil)
  }

  /// What a reader gets who begins when all were added: the last part of each URL, and how many were dropped before it.
  private func read(_ stream: AsyncStream<StubEvent>) async -> [[Int]] {
    var read: [[Int]] = []
    for await event in stream {
      read.append([Int(event.request.url!.lastPathComponent) ?? -1, event.droppedCount])
    }
    return read
  }

  @Test(
    "are the newest, and the first of them says how many were dropped",
    arguments: [
      (0, []), (2, [[1, 0], [2, 0]]), (3, [[1, 0], [2, 0], [3, 0]]), (4, [[2, 1], [3, 0], [4, 0]]),
      (1_003, [[1_001, 1_000], [1_002, 0], [1_003, 0]]),
    ])
  func newest(count: Int, expected: [[Int]]) async {
    let (queue, stream) = StubEventQueue.make(limit: .init(count: 3)) {}
    for number in 0..<count { queue.add(event(number + 1)) }
    queue.finish()
    #expect(await read(stream) == expected)
  }

  @Test("say of each gap how long it is")
  func gaps() async {
    let (queue, stream) = StubEventQueue.make(limit: .init(count: 2)) {}
    var reader = stream.makeAsyncIterator()
    for number in 1...5 { queue.add(event(number)) }
    #expect(await reader.next()?.droppedCount == 3)
    for number in 6...8 { queue.add(event(number)) }
    #expect(await reader.next()?.droppedCount == 2)
    let last = await reader.next()
    #expect(last?.droppedCount == 0 && last?.request.url?.path == "/8")
  }

  @Test("are 10,000 at the most, which the registry's documentation says")
  func limit() async {
    let registry = StubRegistry()
    var reader = registry.events.makeAsyncIterator()
    for number in 1...10_003 { registry.observers.tell(event(number)) }
    let first = await reader.next()
    #expect(first?.request.url?.path == "/4" && first?.droppedCount == 3)
    #expect(
      first?.description == "missing: GET http://a.example/4 (3 earlier events were dropped unread)")
  }

  /// An event of a request with a body.
  private func event(_ number: Int, bodyOf length: Int) -> StubEvent {
    var request = request("http://a.example/\(number)")
    request.httpBody = Data(count: length)
    return StubEvent(kind: .missing, request: request, stub: nil, response: nil, redirected: nil, error: nil)
  }

  @Test(
    "are as many as fit, and at least the newest",
    arguments: [
      ([4, 4], [[1, 0], [2, 0]]), ([4, 4, 2], [[1, 0], [2, 0], [3, 0]]), ([4, 4, 3], [[2, 1], [3, 0]]),
      ([4, 4, 11], [[3, 2]]), ([11, 1, 0, 9], [[2, 1], [3, 0], [4, 0]]), ([11], [[1, 0]]),
    ])
  func bytes(lengths: [Int], expected: [[Int]]) async {
    let (queue, stream) = StubEventQueue.make(limit: .init(byteCount: 10)) {}
    for (index, length) in lengths.enumerated() { queue.add(event(index + 1, bodyOf: length)) }
    queue.finish()
    #expect(await read(stream) == expected)
  }

  @Test("count a response that a closure made, but none that its stub keeps anyway")
  func responses() async {
    let registry = StubRegistry()
    let response = StubResponse.data(Data(count: 11))
    let kept = stub(condition: .anything, response: response, in: registry)
    let made = stub(condition: .anything, in: registry) { _ in response }
    for (stub, expected) in [(kept, [[1, 0], [2, 0]]), (made, [[2, 1]])] {
      let (queue, stream) = StubEventQueue.make(limit: .init(byteCount: 10)) {}
      for number in 1...2 {
        queue.add(
          StubEvent(
            kind: .activation, request: request("http://a.example/\(number)"), stub: stub, response: response,
            redirected: nil, error: nil))
      }
      queue.finish()
      #expect(await read(stream) == expected)
    }
  }

  @Test("come to each of two readers of a stream, one after the other")
  func readers() async {
    let (queue, stream) = StubEventQueue.make {}
    async let first = read(stream)
    async let second = read(stream)
    for number in 1...500 {
      queue.add(event(number))
      if number.isMultiple(of: 50) { await Task.yield() }
    }
    queue.finish()
    let numbers = await (first + second).map { $0[0] }
    #expect(numbers.sorted() == Array(1...500))
  }

  @Test("are let go with the stream, and when the reader's task is cancelled")
  func end() async {
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    var made: (queue: StubEventQueue, stream: AsyncStream<StubEvent>)? = StubEventQueue.make { end.yield("dropped") }
    let queue = made?.queue
    made = nil
    _ = queue
    let (other, stream) = StubEventQueue.make { end.yield("cancelled") }
    other.add(event(1))
    let task = Task { await read(stream) }
    task.cancel()
    _ = await task.value
    var heard: Set<String> = []
    for await name in ends {
      heard.insert(name)
      if heard.count == 2 { break }
    }
    #expect(heard == ["dropped", "cancelled"])
  }
}
