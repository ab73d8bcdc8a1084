import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Film: Codable, Equatable {
  let title: String
  let year: Int
}

enum FilmError: Error {
  case notFound
  case unavailable
}

struct FilmClient {
  let server = URL(string: "https://api.example.com")!

  func film(_ id: Int) async throws -> Film {
    let url = server.appendingPathComponent("films/\(id)")
    let (data, response) = try await URLSession.shared
      .data(from: url)
    switch (response as? HTTPURLResponse)?.statusCode {
    case 200:
      return try JSONDecoder().decode(Film.self, from: data)
    case 404: throw FilmError.notFound
    default: throw FilmError.unavailable
    }
  }

  func add(_ film: Film) async throws {
    var request = URLRequest(
      url: server.appendingPathComponent("films"))
    request.httpMethod = "POST"
    request.setValue(
      "application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(film)
    let (_, response) = try await URLSession.shared
      .data(for: request)
    guard
      (response as? HTTPURLResponse)?.statusCode == 201
    else {
      throw FilmError.unavailable
    }
  }
}
