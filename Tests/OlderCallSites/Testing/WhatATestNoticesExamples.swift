import Foundation
import StubKitTesting
import Testing

@Suite(.stubbed(strict: true))
struct StrictWeatherTests {
  @Test func tellsTheWeather() async throws {
    stub(
      .get, "https://api.example.com/weather/Bern",
      response: .json(["city": "Bern", "degrees": 21.5]))
    let weather = try await WeatherService().weather(in: "Bern")
    #expect(weather.degrees == 21.5)
  }
}

final class StrictWeatherTestCase: StubbedTestCase {
  override var isStrict: Bool { true }
}
