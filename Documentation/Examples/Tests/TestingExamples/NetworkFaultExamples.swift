import Foundation
import StubKitTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Film: Decodable, Equatable {
  var title: String
  var year: Int
}

/// A client that tries again, once, unless that is in vain.
private struct FilmClient {
  func film(_ id: Int) async throws -> Film {
    let request = URLRequest(url: URL(string: "https://api.example.com/films/\(id)")!)
    let (data, response) = try await answer(to: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(Film.self, from: data)
  }

  private func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    do { return try await URLSession.shared.data(for: request) } catch let error as URLError
      where ![.secureConnectionFailed, .cancelled].contains(error.code)
    {
      return try await URLSession.shared.data(for: request)
    }
  }
}

private let api = FilmClient()

private let alien = StubResponse.json(["title": "Alien", "year": 1979])

@Test(.stubbed(clock: .immediate), arguments: NetworkFault.all(for: alien))
func survives(_ fault: NetworkFault) async {
  stub(
    .get, "https://api.example.com/films/1",
    response: alien.suffering(fault))

  let film = try? await api.film(1)
  #expect(film == nil || film == Film(title: "Alien", year: 1979))
}

private let temporary = NetworkFault.ofConnection.filter {
  !["TLS refused", "cancelled by the system"].contains($0.name)
}

@Test(.stubbed(clock: .immediate), arguments: temporary)
func triesAgain(_ fault: NetworkFault) async throws {
  let films = stub(
    .get, "https://api.example.com/films/1",
    response: alien.suffering(.once(fault)))

  let film = try await api.film(1)
  #expect(film.title == "Alien")
  expectCalls(to: films, 2)
}

/// The page leaves these out.
@Test(.stubbed(clock: .immediate), arguments: NetworkFault.ofConnection.filter { !temporary.contains($0) })
func givesUp(_ fault: NetworkFault) async throws {
  let films = stub(.get, "https://api.example.com/films/1", response: alien.suffering(.once(fault)))
  await #expect(throws: URLError.self) { try await api.film(1) }
  expectCalls(to: films, .once)
}
