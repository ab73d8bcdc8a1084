import Foundation
import StubKitTesting
import Testing

@Test(.stubbed) func tellsTheWeather() async throws {
  stub(
    .get, "https://api.example.com/weather/Bern",
    response: .json(["city": "Bern", "degrees": 21.5]))

  let weather = try await WeatherService().weather(in: "Bern")
  #expect(weather.degrees == 21.5)
}

@Test(
  .stubbed,
  arguments: [.status(503), .text("no JSON"), .failure(.notConnectedToInternet)] as [StubResponse])
func saysThatItFailed(response: StubResponse) async {
  stub(.get, "/weather/Bern", response: response)
  await #expect(throws: (any Error).self) { try await WeatherService().weather(in: "Bern") }
}

@Test(.stubbed) func asksOnce() async throws {
  let bern = stub(.get, "/weather/Bern", response: .json(["city": "Bern", "degrees": 21.5]))
  _ = try await WeatherService().weather(in: "Bern")

  #expect(bern.callCount == 1)
  #expect(bern.lastRequest?.method == "GET")
  #expect(HTTPStubs.requests.map(\.outcome) == [.answered(status: 200)])

  expectCalls(to: bern, .once)
  expectCalls(to: isMethod(.get) && isHost("api.example.com"), 1)
  expectCalls(to: isPath("/ads"), .never)
}

@Test(.stubbed) func waitsOnTheClockOfTheTest() async throws {
  let clock = ManualClock()
  HTTPStubs.clock = clock
  let bern = stub(
    .get, "https://api.example.com/weather/Bern",
    responses: [.status(503), .status(503), .json(["city": "Bern", "degrees": 21.5])])
  let weather = try await clock.run { try await PatientService(clock: clock).weather(in: "Bern") }
  #expect(weather.degrees == 21.5 && clock.elapsed == .seconds(1 + 2))
  expectCalls(to: bern, 3)
}
