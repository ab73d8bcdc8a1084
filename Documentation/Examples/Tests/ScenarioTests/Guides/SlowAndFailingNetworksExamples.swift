import Foundation
import TestSupport
import Testing

// The numbers of the presets are in the guide, and no part of the public interface.
@testable import StubKit

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
    #expect(HTTPStubs.requests.count == 6)
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

  @Test("shows network conditions for all stubs, and for one")
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

  private static func speed(_ bandwidth: Bandwidth?) throws -> String {
    "\(try #require(bandwidth).bytesPerSecond / 1_000) kB/s".replacing(".0 ", with: " ")
  }

  @Test("has each preset's numbers")
  func presets() throws {
    for (name, conditions) in [
      ("gprs", NetworkConditions.gprs), ("edge", .edge), ("threeG", .threeG), ("threeGPlus", .threeGPlus),
      ("lte", .lte), ("wifi", .wifi), ("verySlow", .verySlow),
    ] {
      let (down, up) = (try Self.speed(conditions.downlink), try Self.speed(conditions.uplink))
      let latency = Int(conditions.latency / .milliseconds(1))
      #expect(page.text.contains("| `.\(name)` | \(down) | \(up) | \(latency) ms |"), "\(down), \(up), \(latency)")
    }
  }

  @Test("shows a preset with another loss rate")
  func flakyPreset() {
    withStubs {
      var train = NetworkConditions.threeG
      train.lossRate = 0.1
      HTTPStubs.network = train
      #expect(HTTPStubs.network?.latency == NetworkConditions.threeG.latency && HTTPStubs.network?.lossRate == 0.1)
    }
  }

  @Test("shows network conditions of the test's own")
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

  @Test("shows responses that fail at random")
  func losses() async {
    await withStubs {
      HTTPStubs.clock = clock
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

  @Test("shows failures at once, after a while and within the body")
  func failures() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(.get, "/down", response: .failure(.cannotConnectToHost))
      stub(.get, "/gone", response: .failure(.networkConnectionLost).delay(.seconds(2)))
      stub(.get, "/film", response: .data(film).failing(afterBytes: 4_096, with: .timedOut))

      #expect(await fate("/down", "/gone") == ["-1004 after 0 ms", "-1005 after 2000 ms"])
      #expect(await code("/film") == .timedOut)
      #expect(HTTPStubs.requests.compactMap(\.response?.bodyLength) == [4_096])
    }
  }

  @Test("shows bodies that are not as long as they say")
  func truncated() async throws {
    try await withStubs { () async throws in
      stub(.get, "/cut", response: .text("only this", headers: ["Content-Length": "1000"]))

      let error = await #expect(throws: URLError.self) { try await text("/cut") }
      #expect(error?.localizedDescription.contains("after 9 of 1000 bytes") == true)
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

  @Test("shows events as they are sent")
  func events() async throws {
    try await withStubs {
      HTTPStubs.clock = clock
      let events: [StubResponse.Event] = ["ready", .init("{\"price\":42}", event: "quote", id: "7")]
      stub(.get, "/quotes", response: .events(events, every: .milliseconds(100)))

      let sent = try await clock.run { try await text("/quotes") }
      #expect(sent == page.printed.first { $0.hasPrefix("data: ready") }?.appending("\n"))
      #expect(clock.elapsed == .milliseconds(100))
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
