import Foundation
import StubKit
import TestSupport
import Testing

/// Hours in trains, in no time: client and network share a clock.
@Suite("A timetable on a slow and broken network", .inTurn)
struct TimetableTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private var client: TimetableClient<ManualClock> { TimetableClient(clock: clock) }

  init() { registry.clock = clock }

  @Test("survives a tunnel of thirty seconds")
  func tunnel() async throws {
    let clock = clock
    let departures = try await withStubs(registry: registry) {
      stub(condition: isHost("trains.example")) { _ in
        clock.elapsed < .seconds(30) ? .failure(.notConnectedToInternet) : .json(["7:04", "7:24"]).delay(.seconds(2))
      }
      return try await clock.run { try await client.departures(from: "Basel") }
    }
    #expect(departures == ["7:04", "7:24"])
    // Attempts after 0, 1, 3, 7, 15 and 31 seconds.
    #expect(clock.elapsed == .seconds(33) && registry.journal.entries.count == 6)
  }

  @Test("waits ten minutes for a network that does not come back, and gives up")
  func gaveUp() async throws {
    await withStubs(registry: registry) {
      registry.network = .offline
      stub(condition: .anything, response: .json([]))
      let error = await #expect(throws: TimetableClient<ManualClock>.GaveUp.self) {
        try await clock.run { try await client.departures(from: "Bern") }
      }
      #expect(error?.attempts == 15)
    }
    #expect(clock.elapsed > .seconds(540) && clock.elapsed <= .seconds(600))
  }

  @Test("tries again after a server that never answers, by the request's timeout")
  func silentServer() async throws {
    let departures = try await withStubs(registry: registry) {
      stub(condition: .anything, responses: [.noAnswer, .noAnswer, .json(["8:00"])])
      return try await clock.run { try await client.departures(from: "Chur") }
    }
    #expect(departures == ["8:00"])
    #expect(clock.elapsed == .seconds(60 + 1 + 60 + 2))
  }

  @Test(
    "asks the far mirror when the near one is slow, and whoever answers first wins",
    arguments: [(3, "near"), (9, "far")])
  func mirrors(delay: Int, winner: String) async throws {
    let map = try await withStubs(registry: registry) {
      stub(condition: isHost("near.example"), response: .text("near").delay(.seconds(delay)))
      stub(condition: isHost("far.example"), response: .text("far").delay(.seconds(2)))
      return try await clock.run { try await client.map(fallbackAfter: .seconds(5)) }
    }
    #expect(String(decoding: map, as: UTF8.self) == winner)
    #expect(clock.elapsed == .seconds(min(delay, 7)))
  }

  @Test("shows how far a download by modem has come")
  func modem() async throws {
    let pages = Data(count: 70_000)
    await withStubs(registry: registry) {
      stub(condition: .anything, response: .data(pages).network(.init(downlink: .kilobitsPerSecond(56))))
      let download = Download()
      let session = URLSession(configuration: .ephemeral, delegate: download, delegateQueue: nil)
      session.dataTask(with: URL(string: "https://trains.example/timetable.pdf")!).resume()
      for second in 1...10 {
        await clock.advance(by: .seconds(1))
        #expect(download.byteCount == second * 7_000)
        #expect(download.isComplete == (second == 10))
      }
      session.finishTasksAndInvalidate()
    }
  }

  @Test("answers in the order of the distance, however many ask")
  func order() async throws {
    let order = try await withStubs(registry: registry) {
      stub(condition: isPath(template: "/{station}")) { _, match in
        try .text(match("station")).delay(.milliseconds(match("station", as: Int.self)))
      }
      return try await clock.run {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in (0..<1_000).shuffled() {
            group.addTask {
              let (data, _) = try await URLSession.shared.data(from: URL(string: "https://trains.example/\(number)")!)
              return Int(String(decoding: data, as: UTF8.self))!
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
    }
    #expect(order == Array(0..<1_000))
    #expect(clock.elapsed == .milliseconds(999))
  }
}
