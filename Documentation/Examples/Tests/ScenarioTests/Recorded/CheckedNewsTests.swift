import Foundation
import StubKitServer
import TestSupport
import Testing

@testable import StubKitRecorder

/// A newspaper, and an app that shows it.
private struct Newspaper: Decodable {
  struct Article: Decodable {
    let title: String
    let author: String
  }
  let articles: [Article]
}

private struct NewspaperClient {
  let base: String

  func titles() async throws -> [String] {
    let (data, _) = try await URLSession.shared.data(from: URL(string: base + "/articles?page=1")!)
    return try JSONDecoder().decode(Newspaper.self, from: data).articles.map { "\($0.title) by \($0.author)" }
  }

  func count() async throws -> Int {
    let (data, _) = try await URLSession.shared.data(from: URL(string: base + "/count")!)
    return try JSONDecoder().decode(Int.self, from: data)
  }
}

@Suite("The story of a service that changes", .inTurn)
struct CheckedNewsTests {
  /// What a nightly job sets.
  private static let nightly = ["STUBKIT_RECORD": "check", "STUBKIT_DRIFT": "fail"]

  @Test("is found out by a nightly check, while the tests by day still pass")
  func story() async throws {
    let folder = try TestFolder()
    let articles = Locked(#"[{"title": "Rain", "author": "Ann"}, {"title": "Sun", "author": "Bob"}]"#)
    let service = StubRegistry()
    stub(condition: isPath("/count"), response: .json(2), in: service)
    stub(condition: isPath("/articles"), in: service) { _ in
      .text("{\"articles\": \(articles.withLock { $0 })}").header("Content-Type", "application/json")
    }
    let server = try await StubServer(registry: service)
    let client = NewspaperClient(base: server.url.absoluteString)
    let said = Locked<[String]>([])

    func run(_ environment: [String: String]) async throws -> [String] {
      let surroundings = RecordingSurroundings(
        environment: environment, say: { line in said.withLock { $0.append(line) } },
        warn: { line, _ in
          said.withLock { $0.append(line) }
          return true
        })
      return try await RecordingSurroundings.$current.withValue(surroundings) {
        try await withRecording(Recording("news", in: folder.url)) {
          #expect(try await client.count() == 2)
          return try await client.titles()
        }
      }
    }

    #expect(try await run(["STUBKIT_RECORD": "once"]) == ["Rain by Ann", "Sun by Bob"])
    let file = try Data(contentsOf: folder.url.appendingPathComponent("news.har"))

    // Other news are no change of the service.
    articles.withLock { $0 = #"[{"title": "Snow", "author": "Cleo"}]"# }
    #expect(try await run(Self.nightly) == ["Snow by Cleo"])

    // The service makes an object of its authors. By day nobody notices, and by night the client breaks.
    articles.withLock { $0 = #"[{"title": "Hail", "author": {"name": "Ann"}, "id": 7}]"# }
    #expect(try await run([:]) == ["Rain by Ann", "Sun by Bob"])
    await #expect(throws: DecodingError.self) { try await run(Self.nightly) }
    let lines = [
      "news.har, entry 2: $.articles[].author: was a string, is an object",
      "news.har, entry 2: $.articles[].id: was missing, is a number",
    ]
    #expect(said.withLock { $0.suffix(2) } == lines)

    // Then it keeps what the client needs, and drops something else.
    articles.withLock { $0 = #"[{"title": "Hail", "author": "Ann", "id": 7}, {"title": "Fog", "author": "Bob"}]"# }
    let error = await #expect(throws: RecordingError.self) { try await run(Self.nightly) }
    #expect(error?.reason == .outdated)
    #expect(error?.description.contains("\n\(lines[1])\n") == true)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("news.har")) == file)
    #expect(said.withLock { $0.count } == 3)
  }
}
