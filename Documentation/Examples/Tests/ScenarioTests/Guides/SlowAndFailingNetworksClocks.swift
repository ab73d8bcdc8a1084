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
    stub(condition: isPath("/user")) { _ in
      clock.elapsed < .seconds(30) ? .failure(.notConnectedToInternet) : .json(["id": 42]).delay(.seconds(2))
    }
    _ = try await clock.run { try await UserClient(clock: clock).user() }
    // The client has tried after 0, 1, 3, 7, 15 and 31 seconds.
    #expect(StubRegistry.current.journal.entries.count == 6)
    #expect(clock.elapsed == .seconds(33))
  }
}

@Suite("The guide to slow and failing networks, where it is about clocks,", .inTurn)
struct SlowAndFailingNetworksClocks {
  private let clock = ManualClock()

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
}
