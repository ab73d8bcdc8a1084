import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("The guide to responses: files", .inTurn)
struct FixturesExamples {
  private let page = Page.guide("BuildingResponses")

  @Test("shows files of a bundle")
  func bundle() async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      stub(.get, "/users", response: .fixture("Fixtures/users.json", in: .module))
      stub(.get, "/songs", response: .fixture("Fixtures/songs.json", in: .module))
      let songs = try await text("/songs")
      #expect(try await text("/users").contains("Ann"))

      stub(condition: isPath(template: "/lists/{name}")) { _, match in
        try .fixture("Fixtures/\(match("name")).json", in: .module)
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

  @Test("says that the error of a file that is not there names the folder, and similar files")
  func missing() async throws {
    try await withStubs {
      stub(
        condition: .anything, response: .fixture("Fixtures/user.json", in: .module),
        name: "users", fileID: "AppTests/UserTests.swift", line: 12)
      let error = try #require(await #expect(throws: StubResponseError.self) { try await status("/users") })
      let folder = try #require(Bundle.module.resourceURL).path
      #expect(error.description.contains("StubKit looked in \(folder)/Fixtures."))
      #expect(error.description.contains(#"Did you mean "Fixtures/users.json"?"#))
    }
  }

  @Test("shows a file with a whole response: status, fields and body")
  func message() async throws {
    try await withStubs { () async throws in
      stub(
        .post, "/login",
        response: fixture(
          message: "login.http", in: .module, subdirectory: "Fixtures"))

      let (head, body) = try await answer(request("/login", "POST"))
      #expect(head.statusCode == 201 && head.value(forHTTPHeaderField: "Cache-Control") == "no-store")
      #expect(body == #"{"user": "ann"}"# + "\n")
    }
  }
}
