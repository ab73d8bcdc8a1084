import Foundation
import StubKit
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    stub(condition: isPath("/user")) { _ in
      clock.elapsed < .seconds(30) ? .failure(.notConnectedToInternet) : .json(["id": 42]).delay(.seconds(2))
    }
    _ = try await clock.run { try await UserClient(clock: clock).user() }
    // The client has tried after 0, 1, 3, 7, 15 and 31 seconds.
    #expect(StubRegistry.current.journal.entries.count == 6)
    #expect(clock.elapsed == .seconds(33))
  }
}

@Suite("The guide to slow and failing networks")
struct SlowAndFailingNetworksExamples {
  private let page = Page.guide("SlowAndFailingNetworks")
  private let clock = ManualClock()
  private let map = Data(count: 8_000)
  private let log = Data(count: 200_000)

  /// How long it takes on the clock.
  private func time<R>(_ body: () async throws -> R) async rethrows -> (R, Duration) {
    let start = clock.now
    let result = try await clock.run(body)
    return (result, start.duration(to: clock.now))
  }

  /// What a request comes to, and after how long.
  private func fate(_ path: String, session: URLSession = .shared) async -> Fate {
    let (failure, elapsed) = await time { await code(path, session: session) }
    return Fate(code: failure, after: elapsed)
  }

  private struct Fate: Equatable {
    let code: URLError.Code?
    let after: Duration
  }

  @Test("shows a slow network, a flaky stub and a job that succeeds in the end")
  func overview() async throws {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/film"), response: .data(film).delay(.milliseconds(200)).network(.edge))
      stub(condition: isPath("/users"), response: .json([]).flaky(0.3, seed: 7))
      stub(condition: isPath("/job"), responses: [.failure(.timedOut), .noAnswer, .json(["done": true])])

      // 200 kB at 16 kB/s.
      let slow = await fate("/film")
      #expect(slow == Fate(code: nil, after: .milliseconds(200 + 300 + 12_500)))
      var jobs: [URLError.Code?] = []
      for _ in 1...3 { jobs.append(await fate("/job").code) }
      #expect(jobs == [.timedOut, .timedOut, nil])
      var lost = 0
      for _ in 1...20 { lost += await fate("/users").code == .networkConnectionLost ? 1 : 0 }
      #expect((1..<20).contains(lost))
    }
  }

  @Test("shows delays, durations and pieces that take their time")
  func slowness() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/slow"), response: .text("at last").delay(.seconds(2)))
      stub(condition: isPath("/film"), response: .data(film).bodyDuration(.seconds(3)))
      stub(condition: isPath("/log"), response: .data(log).chunked(by: 64_000, every: .milliseconds(50)))

      let times = [await fate("/slow").after, await fate("/film").after, await fate("/log").after]
      #expect(times == [.seconds(2), .seconds(3), .milliseconds(150)])
    }
  }

  @Test("shows a network for all, and for one")
  func networks() async {
    await withStubs {
      HTTPStubs.clock = clock
      HTTPStubs.network = .threeG
      stub(condition: isPath("/map"), response: .data(map).network(.edge))
      // This one has a perfect network.
      stub(condition: isPath("/config"), response: .json([]).network(NetworkConditions()))
      stub(condition: isPath("/users"), response: .data(Data(count: 40_000)))

      let times = [await fate("/map").after, await fate("/config").after, await fate("/users").after]
      #expect(times == [.milliseconds(300 + 500), .zero, .milliseconds(100 + 100)])
    }
  }

  @Test(
    "has each preset's numbers",
    arguments: [
      ("gprs", NetworkConditions.gprs), ("edge", .edge), ("threeG", .threeG), ("threeGPlus", .threeGPlus),
      ("lte", .lte),
      ("wifi", .wifi), ("verySlow", .verySlow),
    ])
  func presets(name: String, conditions: NetworkConditions) throws {
    let (down, up) = (try #require(conditions.downlink), try #require(conditions.uplink))
    let latency = Int(conditions.latency / .milliseconds(1))
    #expect(page.text.contains("| `.\(name)` | \(down) | \(up) | \(latency) ms |"), "\(down), \(up), \(latency)")
  }

  @Test("shows conditions of one's own")
  func train() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      let train = NetworkConditions(
        latency: .milliseconds(400), jitter: .milliseconds(200), downlink: .kilobitsPerSecond(300),
        uplink: .kilobytesPerSecond(10), lossRate: 0.1, seed: 7)
      HTTPStubs.network = train
      #expect(HTTPStubs.network == train)

      // Without the losses, so that the photograph arrives.
      HTTPStubs.network = NetworkConditions(
        latency: train.latency, jitter: train.jitter, downlink: train.downlink, uplink: train.uplink)
      stub(condition: isMethodPOST() && isPath("/photos"), response: .empty(status: 201))
      var request = URLRequest(url: address("/photos"))
      request.httpMethod = "POST"
      let (_, elapsed) = try await time { [request] in
        try await URLSession.shared.upload(for: request, from: Data(count: 20_000))
      }
      #expect(elapsed >= .milliseconds(2_000 + 200) && elapsed <= .milliseconds(2_000 + 600))
    }
  }

  @Test("shows bits and bytes that are equal")
  func bandwidth() {
    #expect(Bandwidth.kilobitsPerSecond(128) == .kilobytesPerSecond(16))
    #expect(Bandwidth.megabitsPerSecond(12) == .kilobytesPerSecond(1_500))
    #expect(Bandwidth.kilobytesPerSecond(16) == .bytesPerSecond(16_000))
  }

  @Test("shows losses")
  func losses() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/users"), response: .json([]).flaky(0.3))
      stub(condition: isPath("/search"), response: .json([]).flaky(0.5, with: .timedOut, seed: 7))
      stub(condition: isPath("/map"), response: .data(map).network(NetworkConditions(lossRate: 0.1)))

      var searches: Set<URLError.Code?> = []
      for _ in 1...20 { searches.insert(await code("/search")) }
      #expect(searches == [nil, .timedOut])
      for path in ["/users", "/map"] {
        let failure = await code(path)
        #expect(failure == nil || failure == .networkConnectionLost)
      }
    }
  }

  @Test("shows what a flaky failure says")
  func seed() async throws {
    let sentence = try #require(page.printed.first { $0.contains("at random:") })
    // The first seed whose first call fails is as good as that of a process.
    for seed in UInt64(2_882_400_001)... {
      let error: (any Error)? = await withStubs {
        stub(
          condition: isPath("/users"), response: .json([]).flaky(0.3, seed: seed), fileID: "AppTests/UserTests.swift",
          line: 12, column: 7)
        do {
          _ = try await URLSession.shared.data(from: address("/users"))
          return nil
        } catch {
          return error
        }
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
      stub(condition: isPath("/down"), response: .failure(.cannotConnectToHost))
      stub(condition: isPath("/gone"), response: .failure(.networkConnectionLost).delay(.seconds(2)))
      stub(condition: isPath("/head"), response: .data(film).failing(afterBytes: 0))
      stub(condition: isPath("/film"), response: .data(film).failing(afterBytes: 4_096, with: .timedOut))
      stub(condition: isPath("/own"), response: .failure(NSError(domain: "Proxy", code: 7)))

      let down = await fate("/down")
      #expect(down == Fate(code: .cannotConnectToHost, after: .zero))
      let gone = await fate("/gone")
      #expect(gone == Fate(code: .networkConnectionLost, after: .seconds(2)))
      let codes = [await code("/head"), await code("/film")]
      #expect(codes == [.networkConnectionLost, .timedOut])
      let lengths = StubRegistry.current.journal.entries.compactMap(\.response?.bodyLength)
      #expect(lengths == [0, 4_096])
      let own = await #expect(throws: NSError.self) { try await status("/own") }
      #expect(own?.domain == "Proxy" && own?.code == 7)
    }
  }

  @Test("shows bodies that are not as long as they say")
  func truncated() async throws {
    try await withStubs {
      stub(condition: isPath("/cut"), response: .text("only this", headers: ["Content-Length": "1000"]))
      stub(condition: isPath("/long"), response: .text("only this", headers: ["Content-Length": "4"]))

      let error = await #expect(throws: URLError.self) { try await text("/cut") }
      #expect(error?.code == .networkConnectionLost)
      #expect(error?.localizedDescription.contains("after 9 of 1000 bytes") == true)
      let long = try await text("/long")
      #expect(long == "only")
    }
  }

  @Test("shows certain requests that fail")
  func sequences() async throws {
    try await withStubs {
      stub(condition: isPath("/token"), response: .json(["token": "t"]))
      stub(condition: isPath("/job"), responses: [.failure(.timedOut), .empty(status: 503), .json(["done": true])])
      stub(
        condition: isPath("/feed"), responses: [.json([1]), .failure(.networkConnectionLost)], afterLast: .startOver)
      stub(condition: isPath("/token"), responses: [.empty(status: 401)], afterLast: .stopMatching)
      stub(condition: isPath("/ping")) { _, match in
        match.callNumber.isMultiple(of: 3) ? .failure(.timedOut) : .empty()
      }

      let jobs = [await code("/job"), await code("/job"), await code("/job"), await code("/job")]
      #expect(jobs == [.timedOut, nil, nil, nil])
      let feeds = [await code("/feed"), await code("/feed"), await code("/feed"), await code("/feed")]
      #expect(feeds == [nil, .networkConnectionLost, nil, .networkConnectionLost])
      let tokens = [try await status("/token"), try await status("/token")]
      #expect(tokens == [401, 200])
      let pings = [await code("/ping"), await code("/ping"), await code("/ping"), await code("/ping")]
      #expect(pings == [nil, nil, .timedOut, nil])
    }
  }

  @Test("shows a server that never answers")
  func noAnswer() async {
    let users = address("/users")
    await withStubs {
      HTTPStubs.clock = .immediate
      stub(condition: isPath("/users"), response: .noAnswer)
      let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: users) }
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
      stub(condition: isPath("/film"), response: .data(film).bodyDuration(.seconds(30)))

      let film = await fate("/film", session: session)
      #expect(film == Fate(code: .timedOut, after: .seconds(20)))
      session.finishTasksAndInvalidate()
    }
  }

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

      let (sent, elapsed) = try await time { try await text("/quotes") }
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

  @Test("shows a clock that waits for nothing")
  func immediate() async throws {
    let url = address("/film")
    try await withStubs {
      HTTPStubs.clock = .immediate
      stub(condition: isPath("/film"), response: .data(film).network(.edge))
      let (data, _) = try await URLSession.shared.data(from: url)  // at once
      #expect(data == film)
      let durationOnTheClock = try #require(StubRegistry.current.journal.entries.last?.duration)
      #expect(durationOnTheClock > .seconds(1))
    }
  }

  @Test("shows how far a download has come after three seconds and after ten")
  func advance() async {
    let film = address("/film")
    await withStubs {
      HTTPStubs.clock = clock
      let modem = NetworkConditions(downlink: .kilobitsPerSecond(56))
      stub(condition: isPath("/film"), response: .data(Data(count: 70_000)).network(modem))
      let download = Download()  // A delegate that counts bytes.
      let session = URLSession(configuration: .ephemeral, delegate: download, delegateQueue: nil)
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
      stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)))
      let answer = Task { try await URLSession.shared.data(from: slow) }
      await clock.waitForPending()
      await clock.advance(by: .seconds(2))
      let (data, _) = try await answer.value
      #expect(String(decoding: data, as: UTF8.self) == "late")
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
