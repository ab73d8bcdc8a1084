import StubKitTesting
import Testing

@testable import App

@Suite(.stubbed)
struct FilmTests {
  @Test func loadsAFilm() async throws {
    stub(
      .get, "/films/7",
      response: .json(["title": "Alien", "year": 1979]))

    let film = try await FilmClient().film(7)
    #expect(film == Film(title: "Alien", year: 1979))
  }

  @Test func reportsAMissingFilm() async {
    stub(
      .get, "/films/7",
      response: .status(404))

    await #expect(throws: FilmError.notFound) {
      try await FilmClient().film(7)
    }
  }

  @Test func sendsAFilm() async throws {
    let films = stub(
      .post, "/films",
      where: hasJSONBody(["title": "Brazil", "year": 1985]),
      response: .status(201))

    try await FilmClient()
      .add(Film(title: "Brazil", year: 1985))
    #expect(films.callCount == 1)
  }
}
