import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What the screens of the recipes show.

/// A list of films that keeps what it had when it can't load.
final class FilmList: Sendable {
  private let state: Locked<(films: [String], canRetry: Bool)>

  init(kept: [String] = []) { state = Locked((kept, false)) }

  var films: [String] { state.withLock { $0.films } }
  var canRetry: Bool { state.withLock { $0.canRetry } }

  func load() async {
    let films = try? await FilmAPI().films()
    state.withLock { $0 = (films ?? $0.films, films == nil) }
  }
}

/// An image that is `nil` until it has arrived.
final class PosterView: Sendable {
  private let state = Locked<Data?>(nil)
  var image: Data? { state.withLock { $0 } }

  func load() async throws {
    let (image, response) = try await URLSession.shared.data(from: address("/poster.png"))
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    state.withLock { $0 = image }
  }
}

/// The results of the newest search.
final class FilmSearch: Sendable {
  private let state = Locked((number: 0, hits: [String]()))
  var hits: [String] { state.withLock { $0.hits } }

  func search(_ text: String) -> Task<Void, Never> {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    return Task { [state] in
      let answer = try? await URLSession.shared.data(from: address("/search?q=\(text)")).0
      guard let answer, let hits = try? JSONDecoder().decode([String].self, from: answer) else { return }
      state.withLock { if $0.number == number { $0.hits = hits } }
    }
  }
}

/// Collects what happens in an app, and sends it in batches.
actor AnalyticsClient {
  private let batchSize: Int
  private var waiting: [String] = []

  init(batchSize: Int) { self.batchSize = batchSize }

  func track(_ event: String) async {
    waiting.append(event)
    if waiting.count == batchSize { await send() }
  }

  /// Sends what is left.
  func close() async { if !waiting.isEmpty { await send() } }

  private func send() async {
    var request = URLRequest(url: URL(string: "https://metrics.example.com/batches")!)
    request.httpMethod = "POST"
    request.httpBody = try? JSONEncoder().encode(["events": waiting])
    waiting = []
    _ = try? await URLSession.shared.data(for: request)
  }
}
