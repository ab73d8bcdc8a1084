import Foundation
import StubKitRecorder
import StubKitServer
import Testing

/// A search field that loads with each letter, and cancels what it no longer needs.
@Test func playsASearchAsYouTypeAsItWasRecorded() async throws {
  let service = StubRegistry()
  let slow = stub(.get, "https://api.example.com/search?q=a", response: .noAnswer, in: service)
  stub(.get, "https://api.example.com/search?q=al", response: .json(["Alien"]), in: service)
  let server = try await StubServer(registry: service, for: "https://api.example.com")
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Search-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  func search(_ text: String) -> Task<Data, any Error> {
    let url = server.url.appending(path: "search").appending(queryItems: [URLQueryItem(name: "q", value: text)])
    return Task { try await URLSession.shared.data(from: url).0 }
  }

  for mode in [RecordingMode.once, .replay, .newEpisodes] {
    let films = try await withRecording(Recording("search", in: folder, mode: mode)) {
      let older = search("a")
      try await slow.waitForCalls()
      older.cancel()
      return try await search("al").value
    }
    #expect(try JSONDecoder().decode([String].self, from: films) == ["Alien"])
  }
  #expect(slow.callCount == 1)
}
