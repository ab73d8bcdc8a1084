import Foundation
import StubKitTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.stubbed(everyRequest: hasHeader("Accept-Language", "de-CH")))
struct SwissWeatherTests {
  @Test func asksInGermanOnce() async throws {
    stub(.get, "https://api.example.com/weather/Bern", response: .ok, calls: .once)
    var request = URLRequest(url: URL(string: "https://api.example.com/weather/Bern")!)
    request.setValue("de-CH", forHTTPHeaderField: "Accept-Language")
    _ = try await URLSession.shared.data(for: request)
  }
}

@Test(.stubbed) func ordersOnce() async throws {
  stub(.post, "https://api.example.com/orders", response: .status(201), calls: .once)
  var request = URLRequest(url: URL(string: "https://api.example.com/orders")!)
  request.httpMethod = "POST"
  _ = try await URLSession.shared.data(for: request)
}

final class PageTestCase: StubbedTestCase {
  override var everyRequest: RequestMatcher? { isScheme("https") }
}
