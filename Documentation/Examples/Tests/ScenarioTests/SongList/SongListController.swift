import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Song: Decodable, Equatable {
  let trackName: String
  let artistName: String
}

private struct SongResults: Decodable {
  let results: [Song]
}

/// The list of songs behind a search field. It makes a session of its own.
@MainActor final class SongListController {
  private(set) var songs: [Song] = []
  private(set) var errorMessage: String?
  private let session = URLSession(configuration: .default)

  func search(_ term: String) async {
    do {
      var components = URLComponents(string: "https://itunes.example.com/search")!
      components.queryItems = [URLQueryItem(name: "media", value: "music"), URLQueryItem(name: "term", value: term)]
      let (data, _) = try await session.data(from: components.url!)
      songs = try JSONDecoder().decode(SongResults.self, from: data).results
      errorMessage = nil
    } catch {
      songs = []
      errorMessage = error.localizedDescription
    }
  }
}
