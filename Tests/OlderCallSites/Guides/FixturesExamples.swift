import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("The guide to fixtures", .inTurn)
struct FixturesExamples {
  private let page = Page.guide("Fixtures")

  @Test("shows files of a bundle")
  func bundle() async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      stub(.get, "/users", response: fixture(named: "users.json", in: .module, subdirectory: "Fixtures"))
      stub(.get, "/songs", response: fixture(named: "Fixtures/songs.json", in: .module))
      let songs = try await text("/songs")
      #expect(try await text("/users").contains("Ann"))

      stub(condition: isPath(template: "/lists/{name}")) { _, match in
        try fixture(named: "\(match("name")).json", in: .module, subdirectory: "Fixtures")
      }
      #expect(try await texts("/songs", "/lists/songs") == [songs, songs])
    }
  }

  @Test("shows files by their path")
  func paths() async throws {
    try await withStubs { () async throws in
      stub(.get, "/products", response: .file("Tests/ScenarioTests/Fixtures/products.json"))

      let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      stub(.get, "/users", response: .file(here.appendingPathComponent("../Fixtures/users.json")))

      #expect(try await text("/users").contains("Ann"))
      // Where else the tests are started, the error says where that is.
      let folder = FileManager.default.currentDirectoryPath
      if FileManager.default.fileExists(atPath: folder + "/Tests/ScenarioTests") {
        #expect(try await status("/products") == 200)
      } else {
        let error = await #expect(throws: StubResponseError.self) { try await status("/products") }
        #expect(error?.description.contains(folder) == true)
      }
    }
  }

  @Test("lists content types as files have them")
  func contentTypes() {
    let rows = page.text.matches(of: #/\n\| `(\w+)` \| `([^`]+)` \|/#)
    #expect(rows.count > 5)
    for row in rows {
      #expect(StubResponse.file("a.\(row.1)").description == "200, \(row.2), file a.\(row.1)")
    }
    #expect(StubResponse.file("a.unknown").description == "200, file a.unknown")
  }

  @Test("shows the error of a file that is not there")
  func missing() async throws {
    try await withStubs {
      stub(
        condition: .anything, response: fixture(named: "user.json", in: .module, subdirectory: "Fixtures"),
        name: "users", fileID: "AppTests/UserTests.swift", line: 12)
      let error = try #require(await #expect(throws: StubResponseError.self) { try await status("/users") })
      let folder = try #require(Bundle.module.resourceURL).path
      let told = error.description.replacing(folder, with: "/App/.build/debug/App_AppTests.resources")
      #expect(told == page.printed[2])
    }
  }

  @Test("shows a whole response")
  func message() async throws {
    try await withStubs { () async throws in
      stub(
        .post, "/login",
        response: fixture(
          message: "login.http", in: .module, subdirectory: "Fixtures"))

      #expect(try await text(request("/login", "POST")) == #"{"user": "ann"}"# + "\n")
    }
  }
}
