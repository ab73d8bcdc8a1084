#if !canImport(XCUIAutomation)
  import StubKitServer
  import StubKitTesting
  import XCTest

  final class PeopleUITests: StubbedTestCase {
    @MainActor func testListsUsers() async throws {
      let server = try await StubServer(for: "https://api.example.com")
      stub(.get, "https://api.example.com/users", response: .json([["name": "Ann"], ["name": "Ben"]]))

      let app = XCUIApplication()
      app.launchEnvironment["API_URL"] = server.url.absoluteString
      app.launch()

      XCTAssert(app.staticTexts["Ann"].waitForExistence(timeout: 10))
      try verify(isPath("/users"), called: .once)
    }
  }
#endif
