import Foundation
import StubKit
import TestSupport
import Testing

struct UserClient: Sendable {
  var session = URLSession.shared
  var clock: any Clock<Duration> = ContinuousClock()

  /// Tries again after 1, 2, 4, 8 … seconds.
  func user() async throws -> Data {
    var pause = Duration.seconds(1)
    while true {
      do {
        let user = URL(string: "https://api.example.com/user")!
        return try await session.data(from: user).0
      } catch is URLError {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
  }
}

@Test func survivesAnOutage() async throws {
  let clock = ManualClock()
  try await withStubs {
    HTTPStubs.clock = clock
    stub(.get, "/user") { _ in
      clock.elapsed < .seconds(30)
        ? .failure(.notConnectedToInternet)
        : .json(["id": 42]).delay(.seconds(2))
    }
    _ = try await clock.run { try await UserClient(clock: clock).user() }
    // The client has tried after 0, 1, 3, 7, 15 and 31 seconds.
    #expect(StubRegistry.current.journal.entries.count == 6)
    #expect(clock.elapsed == .seconds(33))
  }
}

@Suite("The guide to slow and failing networks", .inTurn)
struct SlowAndFailingNetworksExamples {
  private let page = Page.guide("SlowAndFailingNetworks")
  private let clock = ManualClock()
  private let map = Data(count: 8_000)
  private let log = Data(count: 200_000)

  /// What requests come to, in turn, and how long that takes on the clock.
  private func fate(
    _ paths: String..., session: URLSession = .shared
  ) async -> [String] {
    var fates: [String] = []
    for path in paths {
      let start = clock.now
      let failure = await clock.run { await code(path, session: session) }
      let time = start.duration(to: clock.now) / .milliseconds(1)
      fates.append("\(failure.map { "\($0.rawValue)" } ?? "answered") after \(Int(time)) ms")
    }
    return fates
  }

  @Test("shows delays, durations and pieces that take their time")
  func slowness() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(.get, "/slow", response: .text("at last").delay(.seconds(2)))
      stub(.get, "/film", response: .data(film).bodyDuration(.seconds(3)))
      stub(.get, "/log", response: .data(log).chunked(by: 64_000, every: .milliseconds(50)))

      let fates = await fate("/slow", "/film", "/log")
      #expect(fates == ["answered after 2000 ms", "answered after 3000 ms", "answered after 150 ms"])
    }
  }

  @Test("shows a network for all, and for one")
  func networks() async {
    await withStubs {
      HTTPStubs.clock = clock
      HTTPStubs.network = .threeG
      stub(.get, "/map", response: .data(map).network(.edge))
      // This one has a perfect network.
      stub(.get, "/config", response: .json([]).network(NetworkConditions()))
      stub(.get, "/users", response: .data(Data(count: 40_000)))

      let fates = await fate("/map", "/config", "/users")
      #expect(fates == ["answered after 800 ms", "answered after 0 ms", "answered after 200 ms"])
    }
  }

  @Test("has each preset's numbers")
  func presets() throws {
    for (name, conditions) in [
      ("gprs", NetworkConditions.gprs), ("edge", .edge), ("threeG", .threeG), ("threeGPlus", .threeGPlus),
      ("lte", .lte), ("wifi", .wifi), ("verySlow", .verySlow),
    ] {
      let (down, up) = (try #require(conditions.downlink), try #require(conditions.uplink))
      let latency = Int(conditions.latency / .milliseconds(1))
      #expect(page.text.contains("| `.\(name)` | \(down) | \(up) | \(latency) ms |"), "\(down), \(up), \(latency)")
    }
  }

  @Test("shows conditions of one's own")
  func train() {
    withStubs {
      let train = NetworkConditions(
        latency: .milliseconds(400),
        jitter: .milliseconds(200),
        downlink: .kilobitsPerSecond(300),
        uplink: .kilobytesPerSecond(10),
        lossRate: 0.1,
        seed: 7)
      HTTPStubs.network = train
      #expect(HTTPStubs.network == train)
    }
  }

  @Test("shows losses")
  func losses() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/users"), response: .json([]).flaky(rate: 0.3))
      stub(
        condition: isPath("/search"),
        response: .json([]).flaky(rate: 0.5, with: .timedOut, seed: 7))
      stub(.get, "/map", response: .data(map).network(NetworkConditions(lossRate: 0.1)))

      var searches: Set<URLError.Code?> = []
      for _ in 1...20 { searches.insert(await code("/search")) }
      #expect(searches == [nil, .timedOut])
    }
  }

  @Test("shows what a flaky failure says")
  func seed() async throws {
    let sentence = try #require(page.printed.first { $0.contains("at random:") })
    // The first seed whose first call fails is as good as that of a process.
    for seed in UInt64(2_882_400_001)... {
      let error = await withStubs { () -> (any Error)? in
        stub(
          condition: isPath("/users"), response: .json([]).flaky(rate: 0.3, seed: seed),
          fileID: "AppTests/UserTests.swift",
          line: 12, column: 7)
        do { _ = try await status("/users") } catch { return error }
        return nil
      }
      guard let error else { continue }
      #expect(error.localizedDescription == sentence)
      return
    }
  }

  @Test("shows failures at once, after a while, after the head and within the body")
  func failures() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(.get, "/down", response: .failure(.cannotConnectToHost))
      stub(.get, "/gone", response: .failure(.networkConnectionLost).delay(.seconds(2)))
      stub(.get, "/head", response: .data(film).failing(afterBytes: 0))
      stub(.get, "/film", response: .data(film).failing(afterBytes: 4_096, with: .timedOut))
      stub(.get, "/own", response: .failure(NSError(domain: "Proxy", code: 7)))

      #expect(await fate("/down", "/gone") == ["-1004 after 0 ms", "-1005 after 2000 ms"])
      #expect(await codes("/head", "/film") == [.networkConnectionLost, .timedOut])
      #expect(StubRegistry.current.journal.entries.compactMap(\.response?.bodyLength) == [0, 4_096])
      let own = await #expect(throws: NSError.self) { try await status("/own") }
      #expect(own?.domain == "Proxy" && own?.code == 7)
    }
  }

  @Test("shows bodies that are not as long as they say")
  func truncated() async throws {
    try await withStubs { () async throws in
      stub(.get, "/cut", response: .text("only this", headers: ["Content-Length": "1000"]))
      stub(.get, "/long", response: .text("only this", headers: ["Content-Length": "4"]))

      let error = await #expect(throws: URLError.self) { try await text("/cut") }
      #expect(error?.localizedDescription.contains("after 9 of 1000 bytes") == true)
      #expect(try await text("/long") == "only")
    }
  }

  @Test("shows every third request fail")
  func everyThird() async {
    await withStubs {
      stub(.get, "/ping") { _, match in
        match.callNumber.isMultiple(of: 3) ? .failure(.timedOut) : .empty()
      }

      #expect(await codes("/ping", "/ping", "/ping", "/ping") == [nil, nil, .timedOut, nil])
    }
  }

  @Test("shows a server that never answers")
  func noAnswer() async {
    let users = address("/users")
    await withStubs {
      HTTPStubs.clock = .immediate
      stub(.get, "/users", response: .noAnswer)
      let error = await #expect(throws: URLError.self) {
        try await URLSession.shared.data(from: users)
      }
      #expect(error?.code == .timedOut)
    }
  }

  @Test("shows a timeout for everything together")
  func resourceTimeout() async {
    await withStubs {
      HTTPStubs.clock = clock
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = 20
      let session = URLSession(configuration: configuration)
      stub(.get, "/film", response: .data(film).bodyDuration(.seconds(30)))

      #expect(await fate("/film", session: session) == ["-1001 after 20000 ms"])
    }
  }

  @Test("shows a model that loads until a gate opens")
  func gate() async throws {
    let model = Model()
    try await withStubs {
      let gate = ResponseGate()
      let users = stub(.get, "/users", response: .json([]).held(by: gate))
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
    try await withStubs { () async throws in
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(.get, "/log", response: .stream(chunks, headers: ["Content-Type": "text/plain"]))
      let loading = Task { try await URLSession.shared.data(from: log) }
      sender.yield(Data("first line\n".utf8))
      sender.yield(Data("second line\n".utf8))
      sender.finish()

      #expect(String(decoding: try await loading.value.0, as: UTF8.self) == "first line\nsecond line\n")
    }
  }

  @Test("shows a stream for each request")
  func streams() async throws {
    try await withStubs { () async throws in
      stub(
        .get, "/ticks",
        response: .stream {
          AsyncStream { continuation in
            for number in 1...3 { continuation.yield(Data("\(number)\n".utf8)) }
            continuation.finish()
          }
        })

      #expect(try await texts("/ticks", "/ticks") == ["1\n2\n3\n", "1\n2\n3\n"])
    }
  }

  @Test("shows events as they are sent")
  func events() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      let events: [ServerSentEvent] = ["ready", ServerSentEvent("{\"price\":42}", event: "quote", id: "7")]
      stub(.get, "/quotes", response: .events(events, every: .milliseconds(100)))

      let sent = try await clock.run { try await text("/quotes") }
      #expect(sent == page.printed.first { $0.hasPrefix("data: ready") }?.appending("\n"))
      #expect(clock.elapsed == .milliseconds(100))
    }
  }

  @Test("shows events that come when the test wants them")
  func streamedEvents() async throws {
    try await withStubs { () async throws in
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(.get, "/quotes", response: .stream(chunks, headers: ["Content-Type": "text/event-stream"]))
      sender.yield(ServerSentEvent("{\"price\":43}", event: "quote").encoded)
      sender.finish()

      #expect(try await text("/quotes") == "event: quote\ndata: {\"price\":43}\n\n")
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

  @Test("shows a clock that waits for nothing")
  func immediate() async throws {
    let url = address("/film")
    try await withStubs {
      HTTPStubs.clock = .immediate
      stub(.get, "/film", response: .data(film).network(.edge))
      let (data, _) = try await URLSession.shared.data(from: url)  // at once
      #expect(data == film)
      #expect(try #require(StubRegistry.current.journal.entries.last?.duration) > .seconds(1))
    }
  }

  @Test("shows how far a download has come after three seconds and after ten")
  func advance() async {
    let film = address("/film")
    await withStubs {
      HTTPStubs.clock = clock
      let modem = NetworkConditions(downlink: .kilobitsPerSecond(56))
      stub(.get, "/film", response: .data(Data(count: 70_000)).network(modem))
      let download = Download()  // A delegate that counts bytes.
      let session = URLSession(
        configuration: .ephemeral,
        delegate: download,
        delegateQueue: nil)
      session.dataTask(with: film).resume()
      await clock.advance(by: .seconds(3))
      #expect(download.byteCount == 21_000)
      await clock.advance(by: .seconds(7))
      #expect(download.byteCount == 70_000 && download.isComplete)
      session.finishTasksAndInvalidate()
    }
  }

  @Test("shows how a request is met that is yet to be made")
  func waitForPending() async throws {
    let slow = address("/slow")
    try await withStubs {
      HTTPStubs.clock = clock
      stub(.get, "/slow", response: .text("late").delay(.seconds(2)))
      let answer = Task { try await URLSession.shared.data(from: slow) }
      await clock.waitForPending()
      await clock.advance(by: .seconds(2))
      let (data, _) = try await answer.value
      #expect(String(decoding: data, as: UTF8.self) == "late")
    }
  }
}
