import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to slow and failing networks", .inTurn)
struct SlowAndFailingNetworksExamples {
  private let page = Page.guide("SlowAndFailingNetworks")
  private let clock = ManualClock()
  private let map = Data(count: 8_000)
  private let log = Data(count: 200_000)

  @Test("shows a slow network, a flaky stub and a job that succeeds in the end")
  func overview() async throws {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/film"), response: .data(film).delay(.milliseconds(200)).network(.edge))
      stub(condition: isPath("/users"), response: .json([]).flaky(0.3, seed: 7))
      stub(condition: isPath("/job"), responses: [.failure(.timedOut), .noAnswer, .json(["done": true])])

      // 200 kB at 16 kB/s.
      let slow = await clock.fate("/film")
      #expect(slow == Fate(code: nil, after: .milliseconds(200 + 300 + 12_500)))
      var jobs: [URLError.Code?] = []
      for _ in 1...3 { jobs.append(await clock.fate("/job").code) }
      #expect(jobs == [.timedOut, .timedOut, nil])
      var lost = 0
      for _ in 1...20 { lost += await clock.fate("/users").code == .networkConnectionLost ? 1 : 0 }
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

      let times = [await clock.fate("/slow").after, await clock.fate("/film").after, await clock.fate("/log").after]
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

      let times = [await clock.fate("/map").after, await clock.fate("/config").after, await clock.fate("/users").after]
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
      stub(condition: isMethodPOST() && isPath("/photos"), response: .status(201))
      var request = URLRequest(url: address("/photos"))
      request.httpMethod = "POST"
      let (_, elapsed) = try await clock.time { [request] in
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
}
