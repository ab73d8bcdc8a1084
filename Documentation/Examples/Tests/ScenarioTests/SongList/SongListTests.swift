import Foundation
import StubKit
import TestSupport
import Testing

@MainActor @Suite("A song list", .inTurn)
struct SongListTests {
  private let controller = SongListController()
  private let search = isPath("/search") && containsQuery(["media": "music", "term": "abba"])

  @Test("shows the three songs of the fixture")
  func threeResults() async {
    await withStubs {
      stub(condition: search, response: fixture(named: "songs.json", in: .module, subdirectory: "Fixtures"))
      await controller.search("abba")
    }
    #expect(controller.songs.map(\.trackName) == ["Take a Chance on Me", "Dancing Queen", "Mamma Mia"])
    #expect(controller.songs.allSatisfy { $0.artistName == "ABBA" })
    #expect(controller.errorMessage == nil)
  }

  @Test("says which fixture is missing, at which stub, and what there is instead")
  func missingFixture() async throws {
    let line = #line + 2
    await withStubs {
      stub(condition: search, response: fixture(named: "song.json", in: .module, subdirectory: "Fixtures"))
      await controller.search("abba")
    }
    let message = try #require(controller.errorMessage)
    #expect(controller.songs.isEmpty)
    #expect(message.contains("ScenarioTests/SongListTests.swift:\(line)"))
    #expect(message.contains(#"the fixture "song.json", which doesn't exist"#))
    #expect(message.contains(#"Did you mean "songs.json"?"#))
  }

  @Test("is empty again after a search that fails")
  func failureAfterSuccess() async {
    await withStubs {
      let songs = fixture(named: "songs.json", in: .module, subdirectory: "Fixtures")
      stub(condition: search, responses: [songs, .failure(.networkConnectionLost)])
      await controller.search("abba")
      #expect(controller.songs.count == 3)
      await controller.search("abba")
    }
    #expect(controller.songs.isEmpty)
    #expect(controller.errorMessage != nil)
  }
}
