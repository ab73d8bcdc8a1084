import Foundation
import StubKitTesting
import Testing

/// The tutorial's code after its section 1. `TutorialTests` compares it with the files that the tutorial shows.
enum FirstTestsAfterSection1 {
  struct Film: Codable, Equatable {
    let title: String
    let year: Int
  }

  struct FilmClient {
    let server = URL(string: "https://api.example.com")!

    func film(_ id: Int) async throws -> Film {
      let url = server.appendingPathComponent("films/\(id)")
      let (data, _) = try await URLSession.shared.data(from: url)
      return try JSONDecoder().decode(Film.self, from: data)
    }
  }

  @Suite(.stubbed)
  struct FilmTests {
    @Test func loadsAFilm() async throws {
      stub(
        condition: isPath("/films/7"),
        response: .json(["title": "Alien", "year": 1979]))

      let film = try await FilmClient().film(7)
      #expect(film == Film(title: "Alien", year: 1979))
    }
  }
}
