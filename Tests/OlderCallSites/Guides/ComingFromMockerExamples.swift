import Foundation
import StubKit
import StubKitMocker
import TestSupport
import Testing

private struct Login: Codable {
  let user: String
}

@Suite("The guide for those who come from Mocker", .inTurn)
struct ComingFromMockerExamples {
  @Test("shows a mock, which answers as a stub")
  func mock() async throws {
    let (client, log) = (Client(), Log())
    try await withStubs {
      var login = Mock(
        url: URL(string: "https://api.example.com/login")!, contentType: .json, statusCode: 200,
        data: [.post: Data(#"{"token": "t"}"#.utf8)])
      login.onRequestHandler = OnRequestHandler(httpBodyType: Login.self) { request, login in
        log.add(login?.user ?? "nobody")
      }
      login.register()
      try await client.signIn("ann")
    }
    #expect(log.lines == ["ann"])
  }

  @Test("shows a mock of the landing page")
  func landing() async throws {
    try await withStubs { () async throws in
      Mock(
        url: URL(string: "https://api.example.com/users/42")!, contentType: .json, statusCode: 200,
        data: [.get: Data(#"{"id": 42}"#.utf8)]
      ).register()

      #expect(try await text("/users/42") == #"{"id": 42}"#)
    }
  }

  @Test("says that the first mock answers, and that stubs come before all mocks")
  func order() async throws {
    try await withStubs { () async throws in
      let any = URL(string: "https://api.example.com/first")!
      let page = URL(string: "https://api.example.com/first?page=2")!
      Mock(url: any, ignoreQuery: true, contentType: .json, statusCode: 200, data: [.get: Data("1".utf8)]).register()
      Mock(url: page, contentType: .json, statusCode: 200, data: [.get: Data("2".utf8)]).register()
      #expect(try await text("/first?page=2") == "1")
      let newest = stub(.get, "/first", response: .text("stub"))
      #expect(try await text("/first?page=2") == "stub")
      newest.remove()
      stub(.get, "/second", response: .text("stub"))
      let second = URL(string: "https://api.example.com/second")!
      Mock(url: second, contentType: .json, statusCode: 200, data: [.get: Data("mock".utf8)]).register()
      #expect(try await text("/second") == "stub")
    }
  }

  @Test("shows a stub for each method")
  func methods() async throws {
    try await withStubs { () async throws in
      let user = isURL("https://api.example.com/users/42")
      stub(condition: isMethodGET() && user, response: .json(["id": 42]))
      stub(condition: isMethodDELETE() && user, response: .empty())

      #expect(try await status("/users/42") == 200)
      #expect(try await status(request("/users/42", "DELETE")) == 204)
    }
  }

  private struct Client {
    func signIn(_ user: String) async throws {
      _ = try await status(request("/login", "POST", body: "{\"user\":\"\(user)\"}"))
    }
  }

  @Test("shows callbacks, and checks after the call")
  func callbacks() async throws {
    let (client, log) = (Client(), Log())
    try await withStubs {
      let login = stub(
        condition: isMethodPOST() && isPath("/login")
          && hasJSONBody(as: Login.self) { !$0.user.isEmpty },
        response: .json(["token": "t"]))
      login.onFinish { request in log.add("\(request.outcome)") }

      try await client.signIn("ann")
      #expect(login.callCount == 1)
      #expect(try login.lastRequest?.json()["user"] == "ann")
    }
    #expect(log.lines.count == 1)
  }
}
