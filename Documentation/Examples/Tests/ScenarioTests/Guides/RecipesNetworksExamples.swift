import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The recipes for networks and time", .inTurn)
struct RecipesNetworksExamples {
  @Test("show what was kept until there is a network")
  func offline() async {
    await withStubs {
      HTTPStubs.network = .offline
      let list = stub(.get, "https://api.example.com/films", response: .json(["Alien", "Brazil"]))

      let model = FilmList(kept: ["Alien"])
      await model.load()
      #expect(model.films == ["Alien"])
      HTTPStubs.network = nil
      await model.load()
      #expect(model.films == ["Alien", "Brazil"])
      expectCalls(to: list, 2)
    }
  }

  @Test("give up after the time of the request")
  func timeout() async {
    await withStubs {
      let api = FilmAPI()
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(.get, "https://api.example.com/films", response: .noAnswer)

      let error = await #expect(throws: URLError.self) {
        try await clock.run { try await api.films() }
      }
      #expect(error?.code == .timedOut)
      #expect(clock.elapsed == .seconds(15))
    }
  }

  @Test("hide that requests fail at random")
  func flakiness() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let list = stub(
        .get, "https://api.example.com/films",
        response: .json(["Alien"]).flaky(rate: 0.3, seed: 7))

      let api = FilmAPI(clock: clock, attempts: 10)
      try await clock.run {
        for _ in 1...20 { _ = try await api.films() }
      }
      #expect(list.callCount > 20)
    }
  }

  @Test("continue an event stream after the last event")
  func events() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let ticker = "https://api.example.com/ticker"
      stub(
        .get, ticker,
        response: .events([
          .init("41", id: "1", retry: .seconds(5)),
          .init("42", id: "2"),
        ]))
      stub(
        .get, ticker, where: hasHeader("Last-Event-ID", "2"),
        response: .events([.init("43", id: "3")]))
      stub(
        .get, ticker, where: hasHeader("Last-Event-ID", "3"),
        response: .status(204))

      let api = Ticker(clock: clock)
      let prices = try await clock.run { try await api.prices() }
      #expect(prices == ["41", "42", "43"])
      #expect(clock.elapsed == .seconds(5 + 5))
      expectCalls(to: .anything, 3)
    }
  }

  @Test("show the response to the newest search, whichever arrives last")
  func overtaking() async throws {
    try await withStubs {
      let model = FilmSearch()
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let slow = stub(
        .get, "https://api.example.com/search?q=al", response: .json(["Aladdin", "Alien"]).delay(.seconds(2)))
      let fast = stub(.get, "https://api.example.com/search?q=ali", response: .json(["Alien"]).delay(.seconds(1)))

      let first = model.search("al")
      try await slow.waitForCalls()
      let second = model.search("ali")
      try await fast.waitForCalls()
      await clock.advance(by: .seconds(2))
      await first.value
      await second.value
      #expect(model.hits == ["Alien"])
      expectCalls(to: .anything, 2)
    }
  }
}
