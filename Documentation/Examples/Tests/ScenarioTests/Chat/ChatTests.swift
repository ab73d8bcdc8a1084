import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A chat", .inTurn)
struct ChatTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let heard = Locked<[String]>([])
  private let isEvents = isMethod(.get) && isPath("/rooms/kitchen/events")

  init() { registry.clock = clock }

  private var room: ChatRoom<ManualClock> { ChatRoom(name: "kitchen", clock: clock) }
  private var texts: [String] { heard.withLock { $0 } }

  /// Something that Ben says.
  private func says(_ text: String, id: String, retry: Duration? = nil) -> StubResponse.Event {
    .init("{\"from\":\"Ben\",\"text\":\"\(text)\"}", id: id, retry: retry)
  }

  /// Matches a client that connects again and has heard the message with this id.
  private func after(_ id: String) -> RequestMatcher { isEvents && hasHeader("Last-Event-ID", id) }

  /// Listens until the room is closed, however long that takes.
  private func listen() async throws {
    try await clock.run { try await room.listen { message in heard.withLock { $0.append(message.text) } } }
  }

  @Test("shows each message when it comes")
  func live() async throws {
    try await withStubs(in: registry) { () async throws in
      stub(
        condition: isEvents, response: .events([says("Hello", id: "1"), says("Tea?", id: "2")], every: .seconds(20)))
      stub(condition: after("2"), response: .status(204))
      let listening = Task { [room, heard] in
        try await room.listen { message in heard.withLock { $0.append(message.text) } }
      }
      await clock.waitForPending()
      await clock.advance(by: .seconds(19))
      #expect(texts == ["Hello"])
      await clock.advance(by: .seconds(1))
      #expect(texts == ["Hello", "Tea?"])
      await clock.advance(by: .seconds(3))
      try await listening.value
    }
  }

  @Test("goes on after the last message it has heard, as late as the server wants it to")
  func reconnection() async throws {
    try await withStubs(in: registry) { () async throws in
      let first = [says("Hello", id: "1"), says("Tea?", id: "3", retry: .seconds(8))]
      stub(condition: isEvents && !hasHeader("Last-Event-ID"), response: .events(first, every: .seconds(1)))
      stub(condition: after("3"), response: .events([says("Or coffee", id: "4")]))
      stub(condition: after("4"), response: .status(204), name: "the room is closed")
      try await listen()
    }
    #expect(texts == ["Hello", "Tea?", "Or coffee"])
    #expect(clock.elapsed == .seconds(1 + 8 + 8))
    expectCalls(inOrder: isEvents && !hasHeader("Last-Event-ID"), after("3"), after("4"), in: registry)
  }

  @Test("loses nothing and repeats nothing when the connection is lost in the middle of a message")
  func lostConnection() async throws {
    try await withStubs(in: registry) { () async throws in
      let events = [says("Hello", id: "1"), says("The kettle is on fire", id: "2")]
      let heardLength = events[0].encoded.count
      stub(condition: isEvents, response: .events(events).failing(afterBytes: heardLength + 25))
      stub(condition: after("1"), response: .events(Array(events.dropFirst())))
      stub(condition: after("2"), response: .status(204))
      try await listen()
    }
    #expect(texts == ["Hello", "The kettle is on fire"])
    #expect(registry.journal.entries.first?.outcome == .failed(URLError(.networkConnectionLost)))
    // The client closes the last connection as soon as it has the head.
    expectCalls(inOrder: isEvents, after("1"), after("2"), in: registry)
  }

  @Test("hears what oneself has said, when the server passes it on")
  func posting() async throws {
    try await withStubs(in: registry) { () async throws in
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: isEvents, response: .stream(chunks, headers: ["Content-Type": "text/event-stream"]))
      stub(condition: after("9"), response: .status(204))
      stub(condition: isMethod(.post) && isPath("/rooms/kitchen/messages")) { request in
        let message = try request.sent.json()
        sender.yield(StubResponse.Event("\(message)", id: "9").encoded)
        sender.finish()
        return .status(202)
      }
      let (room, heard) = (room, heard)
      try await clock.run {
        async let listening: Void = room.listen { message in heard.withLock { $0.append(message.text) } }
        try await room.post(ChatMessage(from: "Ann", text: "Anybody \"here\"?"))
        try await listening
      }
    }
    #expect(texts == ["Anybody \"here\"?"])
  }
}
