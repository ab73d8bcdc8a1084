import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("The guide for those who come from OHHTTPStubs", .inTurn)
struct ComingFromOHHTTPStubsExamples {
  @Test("shows stubs that go on working")
  func old() async throws {
    try await withStubs {
      stub(condition: isHost("api.example.com") && isPath("/users/42")) { _ in
        let obj = ["id": 42, "name": "Ann"] as [String: Any]
        return HTTPStubsResponse(jsonObject: obj, statusCode: 200, headers: nil).requestTime(0.1, responseTime: 0.2)
      }
      stub(condition: isMethodGET() && containsQueryParams(["page": "2", "debug": nil])) { _ in
        let stubPath = OHPathForFile("Fixtures/users.json", UserTests.self)
        return fixture(filePath: stubPath!, headers: ["Content-Type": "application/json"])
          .responseTime(OHHTTPStubsDownloadSpeedWifi)
      }
      try await check()
    }
  }

  @Test("shows the same stubs in words of StubKit's own")
  func new() async throws {
    try await withStubs {
      stub(
        condition: isHost("api.example.com") && isPath("/users/42"),
        response: .json(["id": 42, "name": "Ann"]).delay(.milliseconds(100)).bodyDuration(.milliseconds(200)))
      stub(
        condition: isMethodGET() && containsQuery(["page": "2", "debug": nil]),
        response: fixture(named: "users.json", in: .module, subdirectory: "Fixtures").network(.wifi))
      try await check()
    }
  }

  /// What both say.
  private func check() async throws {
    HTTPStubs.clock = .immediate
    #expect(try await text("/users/42").contains("Ann"))
    #expect(try await text("/users?debug&page=2").contains("Ann"))
  }

  @Test("shows a folder of Mocktail files")
  func mocktails() async throws {
    try await withStubs {
      try stubMocktails(in: "Tests/ScenarioTests/Fixtures/Mocktails")

      #expect(try await text("/users").contains("Ann"))
    }
  }

  @Test("shows a matcher where a closure is wanted")
  func matches() async throws {
    try await withStubs { () async throws in
      func isAPI() -> HTTPStubsTestBlock { isHost("api.example.com") && pathStartsWith("/v1/") }
      HTTPStubs.stubRequests(passingTest: isAPI()) { _ in HTTPStubsResponse() }

      #expect(try await status("/v1/anything") == 200)
      await #expect(throws: UnmatchedRequestError.self) { try await text("/v2/anything") }
    }
  }
}

/// Whose bundle is that of the tests.
private final class UserTests {}
