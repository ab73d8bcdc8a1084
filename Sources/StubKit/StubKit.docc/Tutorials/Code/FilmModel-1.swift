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
