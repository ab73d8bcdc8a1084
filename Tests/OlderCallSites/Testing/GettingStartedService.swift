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

struct PatientService {
  var clock: any Clock<Duration> = ContinuousClock()

  func weather(in city: String) async throws -> Weather {
    for pause in [1, 2, 4] {
      if let weather = try? await WeatherService().weather(in: city) {
        return weather
      }
      try await clock.sleep(for: .seconds(pause))
    }
    return try await WeatherService().weather(in: city)
  }
}
