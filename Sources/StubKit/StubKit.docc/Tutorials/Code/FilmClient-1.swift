import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Film: Codable, Equatable {
  let title: String
  let year: Int
}

struct FilmClient {
  let server = URL(string: "https://api.example.com")!

  func film(_ id: Int) async throws -> Film {
    let url = server.appendingPathComponent("films/\(id)")
    let (data, _) = try await URLSession.shared
      .data(from: url)
    return try JSONDecoder().decode(Film.self, from: data)
  }
}
