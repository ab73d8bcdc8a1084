import Foundation
import StubKitTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

@Suite(.stubbed(everyRequest: hasHeader("Accept-Language", "de-CH")))
struct SwissWeatherTests {
  @Test func asksInGermanOnce() async throws {
    stub(.get, "https://api.example.com/weather/Bern", response: .ok, calls: .once)
    var request = URLRequest(url: URL(string: "https://api.example.com/weather/Bern")!)
    request.setValue("de-CH", forHTTPHeaderField: "Accept-Language")
    _ = try await URLSession.shared.data(for: request)
  }
}

@Suite(.stubbed(strict: .allowing(query: ["page", "per_page"])))
struct PageTests {
  @Test func allowsPages() async throws {
    stub(.get, "https://api.example.com/weather", response: .json([]), calls: .between(1...2))
    let url = URL(string: "https://api.example.com/weather?page=1&per_page=20")!
    _ = try await URLSession.shared.data(from: url)
  }
}

@Test(.stubbed) func ordersOnce() async throws {
  stub(.post, "https://api.example.com/orders", response: .status(201), calls: .once)
  var request = URLRequest(url: URL(string: "https://api.example.com/orders")!)
  request.httpMethod = "POST"
  _ = try await URLSession.shared.data(for: request)
}

final class PageTestCase: StubbedTestCase {
  override var strictness: Strictness { .allowing(query: ["page", "per_page"]) }
  override var everyRequest: RequestMatcher? { isScheme("https") }
}
