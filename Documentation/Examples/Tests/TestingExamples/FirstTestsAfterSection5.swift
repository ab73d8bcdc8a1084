import Foundation
import StubKitTesting
import Testing

/// The tutorial's code after its section 5. `TutorialTests` compares it with the files that the tutorial shows.
enum FirstTestsAfterSection5 {
  struct Film: Codable, Equatable {
    let title: String
    let year: Int
  }

  enum FilmError: Error {
    case notFound
    case unavailable
  }

  struct FilmClient {
    var clock: any Clock<Duration> = ContinuousClock()
    let server = URL(string: "https://api.example.com")!

    func film(_ id: Int) async throws -> Film {
      do {
        return try await load(id)
      } catch URLError.networkConnectionLost {
        try await clock.sleep(for: .seconds(2))
        return try await load(id)
      }
    }

    private func load(_ id: Int) async throws -> Film {
      let url = server.appendingPathComponent("films/\(id)")
      let (data, response) = try await URLSession.shared.data(from: url)
      switch (response as? HTTPURLResponse)?.statusCode {
      case 200: return try JSONDecoder().decode(Film.self, from: data)
      case 404: throw FilmError.notFound
      default: throw FilmError.unavailable
      }
    }

    func add(_ film: Film) async throws {
      var request = URLRequest(url: server.appendingPathComponent("films"))
      request.httpMethod = "POST"
      request.httpBody = try JSONEncoder().encode(film)
      let (_, response) = try await URLSession.shared.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 201 else {
        throw FilmError.unavailable
      }
    }
  }

  @MainActor
  final class FilmModel {
    private(set) var film: Film?
    private(set) var isLoading = false
    private let client = FilmClient()

    func load(_ id: Int) async {
      isLoading = true
      film = try? await client.film(id)
      isLoading = false
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

    @Test func reportsAMissingFilm() async {
      stub(condition: isPath("/films/7"), response: .status(404))

      await #expect(throws: FilmError.notFound) {
        try await FilmClient().film(7)
      }
    }

    @Test func sendsAFilm() async throws {
      let films = stub(
        condition: isMethodPOST() && isPath("/films")
          && hasJSONBody(["title": "Brazil", "year": 1985]),
        response: .status(201))

      try await FilmClient().add(Film(title: "Brazil", year: 1985))
      #expect(films.callCount == 1)
    }

    @Test func survivesALostConnection() async throws {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(
        condition: isPath("/films/7"),
        responses: [
          .failure(.networkConnectionLost),
          .json(["title": "Alien", "year": 1979]),
        ])

      let client = FilmClient(clock: clock)
      let film = try await clock.run { try await client.film(7) }
      #expect(film.title == "Alien")
      #expect(clock.elapsed == .seconds(2))
    }

    @MainActor
    @Test func showsThatItLoads() async throws {
      let gate = ResponseGate()
      let films = stub(
        condition: isPath("/films/7"),
        response: .json(["title": "Alien", "year": 1979]).held(by: gate))

      let model = FilmModel()
      let loading = Task { await model.load(7) }
      try await films.waitForCalls()
      #expect(model.isLoading)
      gate.open()
      await loading.value
      #expect(!model.isLoading)
      #expect(model.film?.title == "Alien")
    }
  }
}
