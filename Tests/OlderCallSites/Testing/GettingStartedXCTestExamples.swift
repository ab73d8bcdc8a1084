import StubKitTesting
import XCTest

final class WeatherTests: StubbedTestCase {
  func testTellsTheWeather() async throws {
    stub(.get, "/weather/Bern", response: .json(["city": "Bern", "degrees": 21.5]))

    let weather = try await WeatherService().weather(in: "Bern")
    XCTAssertEqual(weather.degrees, 21.5)
  }
}
