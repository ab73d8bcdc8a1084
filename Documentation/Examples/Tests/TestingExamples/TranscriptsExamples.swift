import Foundation
import StubKitTranscripts
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.stubbed, .transcribed) struct ShopTests {
  // Requests/ShopTests.buysAFilm.http beside this file
  @Test func buysAFilm() async throws {
    stub(.post, "https://api.example.com/orders", response: .ok)
    stub(.get, "https://api.example.com/orders/{id}", response: .ok)
    try await Shop().buy("Alien")
  }
}

final class ShopTestCase: TranscribedTestCase {
  override var transcript: Transcript? { Transcript() }
}

struct SignInTests {
  private let client = DeviceClient()

  @Test(.stubbed) func signsIn() async throws {
    stub(.post, "/login", response: .json(["token": "t"]))
    stub(.get, "/me", response: .json(["name": "Ann"]))
    try await client.signIn("ann")
    expectRequests(
      """
      POST https://api.example.com/login
      Content-Type: application/json

      {"user": "ann", "device": "{{device}}"}

      ###
      GET https://api.example.com/me
      Authorization: Bearer t
      X-Device: {{device}}
      """)
  }
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

/// Sends a request to the server of the examples, with JSON if there is any.
private func send(
  _ method: String, _ path: String, _ headers: [String: String] = [:], json: [String: String]? = nil
) async throws {
  var request = URLRequest(url: URL(string: "https://api.example.com\(path)")!)
  request.httpMethod = method
  request.allHTTPHeaderFields = headers
  if let json {
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(json)
  }
  _ = try await URLSession.shared.data(for: request)
}

/// Orders a film, and asks twice what has become of the order.
private struct Shop {
  func buy(_ film: String) async throws {
    try await send(
      "POST", "/orders", ["Idempotency-Key": UUID().uuidString],
      json: ["device": UUID().uuidString, "film": film])
    for _ in 1...2 { try await send("GET", "/orders/7") }
  }
}

private struct DeviceClient {
  private let device = UUID().uuidString

  func signIn(_ user: String) async throws {
    try await send("POST", "/login", json: ["user": user, "device": device])
    try await send("GET", "/me", ["Authorization": "Bearer t", "X-Device": device])
  }
}
