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

  @Test("shows a stub in place of a mock")
  func overview() async throws {
    try await withStubs { () async throws in
      stub(
        condition: isMethodGET() && isURL("https://api.example.com/users/42"),
        response: .json(["id": 42, "name": "Ann"]))

      #expect(try await text("/users/42") == #"{"id":42,"name":"Ann"}"#)
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

  @Test("shows a file extension, which yields to a URL")
  func extensions() async throws {
    try await withStubs { () async throws in
      let logo = Data(count: 10)
      stub(
        condition: isURL("https://api.example.com/logo.png"),
        response: .data(logo, headers: ["Content-Type": "image/png"]))
      stub(
        condition: isExtension("png") || isExtension("jpg"),
        response: .status(404),
        priority: -1)

      #expect(try await statuses("/logo.png", "/poster.jpg") == [200, 404])
    }
  }

  @Test("shows an error, a delay and a redirect")
  func failures() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(
        condition: isPath("/films"),
        response: .failure(.timedOut).delay(.seconds(5)))
      stub(
        condition: isURL("https://short.example/a"),
        response: .redirect(to: "https://api.example.com/users/42"))

      stub(condition: isPath("/users/42"), response: .text("Ann"))
      let failure = await clock.run { await code("/films") }
      #expect(failure == .timedOut && clock.elapsed == .seconds(5))
      let (data, _) = try await URLSession.shared.data(from: URL(string: "https://short.example/a")!)
      #expect(data == Data("Ann".utf8))
    }
  }

  @Test("shows URLs that are ignored, at which nobody listens in this test")
  func ignored() async {
    await withStubs {
      stub(condition: .anything, response: .text("stub"))
      stub(
        condition: isHost("localhost"),
        response: .passThrough,
        priority: 1)
      // No server can have the port 0.
      let local = URL(string: "http://localhost:0/")!
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: local) }

      HTTPStubs.removeAllStubs()
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: local) }
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.passedThrough, .passedThrough])
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

      let calls = try await login.waitForCalls()
      #expect(calls.count == 1)
    }
    #expect(log.lines.count == 1)
  }
}
