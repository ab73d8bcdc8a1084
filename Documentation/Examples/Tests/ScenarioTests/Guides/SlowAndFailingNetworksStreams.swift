import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to slow and failing networks, where the test holds the answer,", .inTurn)
struct SlowAndFailingNetworksStreams {
  private let page = Page.guide("SlowAndFailingNetworks")
  private let clock = ManualClock()

  @Test("shows a model that loads until a gate opens")
  func gate() async throws {
    let model = Model()
    try await withStubs {
      let gate = ResponseGate()
      let users = stub(condition: isPath("/users"), response: .json([]).held(by: gate))
      let loading = Task { try await model.load() }
      try await users.waitForCalls()
      #expect(model.isLoading)
      gate.open()
      try await loading.value
      #expect(!model.isLoading)
    }
  }

  @Test("shows a body that grows")
  func stream() async throws {
    let log = address("/log")
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: isPath("/log"), response: .stream(chunks, headers: ["Content-Type": "text/plain"]))
      let loading = Task { try await URLSession.shared.data(from: log) }
      sender.yield(Data("first line\n".utf8))
      sender.yield(Data("second line\n".utf8))
      sender.finish()

      let (data, _) = try await loading.value
      #expect(String(decoding: data, as: UTF8.self) == "first line\nsecond line\n")
      await #expect(throws: StreamAlreadyUsedError.self) { try await text("/log") }
    }
  }

  @Test("shows a stream for each request")
  func streams() async throws {
    try await withStubs {
      stub(
        condition: isPath("/ticks"),
        response: .stream {
          AsyncStream { continuation in
            for number in 1...3 { continuation.yield(Data("\(number)\n".utf8)) }
            continuation.finish()
          }
        })

      let ticks = [try await text("/ticks"), try await text("/ticks")]
      #expect(ticks == ["1\n2\n3\n", "1\n2\n3\n"])
    }
  }

  @Test("shows events as they are sent")
  func events() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      let events: [ServerSentEvent] = ["ready", ServerSentEvent("{\"price\":42}", event: "quote", id: "7")]
      stub(condition: isPath("/quotes"), response: .events(events, every: .milliseconds(100)))

      let (sent, elapsed) = try await clock.time { try await text("/quotes") }
      #expect(sent == page.printed.first { $0.hasPrefix("data: ready") }?.appending("\n"))
      #expect(elapsed == .milliseconds(100))
    }
  }

  @Test("shows events that come when the test wants them")
  func streamedEvents() async throws {
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: isPath("/quotes"), response: .stream(chunks, headers: ["Content-Type": "text/event-stream"]))
      sender.yield(ServerSentEvent("{\"price\":43}", event: "quote").encoded)
      sender.finish()

      let sent = try await text("/quotes")
      #expect(sent == "event: quote\ndata: {\"price\":43}\n\n")
    }
  }

  /// What a screen shows.
  private final class Model: Sendable {
    private let state = Locked(false)
    var isLoading: Bool { state.withLock { $0 } }

    func load() async throws {
      state.withLock { $0 = true }
      defer { state.withLock { $0 = false } }
      _ = try await URLSession.shared.data(from: address("/users"))
    }
  }
}
