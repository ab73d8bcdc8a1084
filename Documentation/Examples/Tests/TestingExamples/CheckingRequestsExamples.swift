import Foundation
import StubKitTranscripts
import Testing

@Suite(.stubbed, .transcribed(in: FileManager.default.temporaryDirectory))
struct TranscribedWeatherTests {
  @Test func asksForNothing() {}
}

final class TranscribedWeatherTestCase: TranscribedTestCase {
  override var transcript: Transcript? { Transcript() }
}

@Test(.stubbed) func asksForTheWeather() async throws {
  stub(.get, "/weather/{city}", response: .json(["city": "Bern", "degrees": 21.5]))
  _ = try await WeatherService().weather(in: "Bern")
  let values = expectRequests(
    """
    GET https://api.example.com/weather/{{city}}
    """, to: isHost("api.example.com"))
  #expect(values == ["city": "Bern"])
  print(HTTPStubs.journal)
}
