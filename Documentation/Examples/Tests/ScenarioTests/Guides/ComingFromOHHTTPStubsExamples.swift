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
      stub(condition: { request in request.url?.host == "down.example.com" }) { _ in
        let notConnectedError = NSError(domain: NSURLErrorDomain, code: URLError.notConnectedToInternet.rawValue)
        return HTTPStubsResponse(error: notConnectedError)
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
      stub(condition: isHost("down.example.com"), response: .failure(.notConnectedToInternet))
      try await check()
    }
  }

  /// What both say.
  private func check() async throws {
    HTTPStubs.clock = .immediate
    #expect(try await text("/users/42").contains("Ann"))
    #expect(try await text("/users?debug&page=2").contains("Ann"))
    let down = await #expect(throws: (any Error).self) {
      try await URLSession.shared.data(from: URL(string: "https://down.example.com/")!)
    }
    #expect((down as NSError?)?.code == URLError.notConnectedToInternet.rawValue)
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

      let isLocal = isHost("localhost")
      let block: HTTPStubsTestBlock = isLocal.matches
      #expect(block(URLRequest(url: URL(string: "http://localhost/")!)))
    }
  }

  @Test("shows a closure that chooses, and a time that is set", arguments: [true, false])
  func choice(isOnline: Bool) async {
    let offline = URLError(.notConnectedToInternet)
    let clock = ManualClock()
    await withStubs {
      HTTPStubs.clock = clock
      let answer: HTTPStubsResponseBlock = { _ in
        isOnline ? HTTPStubsResponse() : HTTPStubsResponse(error: offline)
      }
      stub(condition: isPath("/users")) { request in
        let r = answer(request)
        r.requestTime = 1
        return r
      }
      let failure = await clock.run { await code("/users") }
      #expect(failure == (isOnline ? nil : .notConnectedToInternet) && clock.elapsed == .seconds(1))
    }
  }

  @Test("shows a class with a property named stub")
  func hidden() async {
    await withStubs {
      let screen = Screen()
      screen.goOffline()
      #expect(await code("/users") == .notConnectedToInternet)
      screen.comeBack()
      #expect(HTTPStubs.allStubs().isEmpty)
    }
  }

  @Test("shows callbacks, which come in order")
  func callbacks() async throws {
    let log = Log()
    try await withStubs { () async throws in
      HTTPStubs.onStubActivation { request, stub, response in log.add("\(stub.name ?? "?") answers") }
      HTTPStubs.afterStubFinish { request, stub, response, error in log.add("\(stub.name ?? "?") is done") }
      HTTPStubs.onStubMissing { request in log.add("nothing answers \(request.url!.path)") }

      stub(condition: isPath("/old"), response: .redirect(to: "/new"), name: "old")
      stub(condition: isPath("/new"), response: .text("new"), name: "new")
      #expect(try await text("/old") == "new")
      _ = await code("/missing")
    }
    #expect(log.lines == ["old answers", "new answers", "new is done", "nothing answers /missing"])
  }
}

/// Whose bundle is that of the tests.
private final class UserTests {}

final class Screen {
  private var stub: HTTPStubsDescriptor?

  func goOffline() { stub = StubKit.stub(condition: .anything, response: .failure(.notConnectedToInternet)) }
  func comeBack() { if let stub { HTTPStubs.removeStub(stub) } }
}
