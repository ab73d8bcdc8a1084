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
    #expect(log.lines.withLock { $0 } == ["ann"])
  }

  @Test("names what is older, which compiles with a warning")
  @available(*, deprecated)
  func deprecated() {
    let log = Log()
    withStubs {
      var mock = Mock(url: address("/"), dataType: .json, statusCode: 200, data: [.get: Data()])
      mock.onRequest = { request, arguments in log.add("\(arguments?.count ?? 0)") }
      mock.register()
      #expect(mock.dataType.headerValue == "application/json; charset=utf-8")
    }
  }

  @Test("shows a stub in place of a mock, and that the order of a query doesn't matter to it")
  func overview() async throws {
    try await withStubs {
      stub(
        condition: isMethodGET() && isURL("https://api.example.com/users/42"),
        response: .json(["id": 42, "name": "Ann"]))

      let answer = try await text("/users/42")
      #expect(answer == #"{"id":42,"name":"Ann"}"#)
      let paged = isURL("https://api.example.com/users?page=2&sort=name")
      #expect(paged.matches(URLRequest(url: address("/users?sort=name&page=2"))))
      #expect(!paged.matches(URLRequest(url: URL(string: "https://api.example.com:8080/users?page=2&sort=name")!)))
    }
  }

  private func status(_ method: String, _ path: String) async throws -> Int? {
    var request = URLRequest(url: address(path))
    request.httpMethod = method
    return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  @Test("shows a stub for each method")
  func methods() async throws {
    try await withStubs {
      let user = isURL("https://api.example.com/users/42")
      stub(condition: isMethodGET() && user, response: .json(["id": 42]))
      stub(condition: isMethodDELETE() && user, response: .empty())

      let statuses = [try await status("GET", "/users/42"), try await status("DELETE", "/users/42")]
      #expect(statuses == [200, 204])
      await #expect(throws: UnmatchedRequestError.self) { try await status("PUT", "/users/42") }

      stub(condition: user, response: .text("42"))
      let head = try await status("HEAD", "/users/42")
      #expect(head == 200)
    }
  }

  @Test("shows a file extension, which yields to a URL")
  func extensions() async throws {
    try await withStubs {
      let logo = Data(count: 10)
      stub(
        condition: isURL("https://api.example.com/logo.png"),
        response: .data(logo, headers: ["Content-Type": "image/png"]))
      stub(
        condition: isExtension("png") || isExtension("jpg"),
        response: .status(404),
        priority: -1)

      let statuses = [try await status("GET", "/logo.png"), try await status("GET", "/poster.jpg")]
      #expect(statuses == [200, 404])
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
      // No server can have the port 0.
      let local = URL(string: "http://localhost:0/")!
      stub(condition: .anything, response: .text("stub"))
      stub(
        condition: isHost("localhost"),
        response: .passThrough,
        priority: 1)
      stub(condition: .anything, response: .text("stub"))
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: local) }

      HTTPStubs.removeAllStubs()
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: local) }
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.passedThrough, .passedThrough])
    }
  }

  private struct Client {
    func signIn(_ user: String) async throws {
      var request = URLRequest(url: address("/login"))
      request.httpMethod = "POST"
      request.httpBody = try JSONEncoder().encode(Login(user: user))
      _ = try await URLSession.shared.data(for: request)
    }
  }

  private final class Log: Sendable {
    let lines = Locked([String]())

    func add(_ line: String) { lines.withLock { $0.append(line) } }
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
      #expect(login.lastRequest?.request.stubJSON?["user"] == "ann")

      let calls = try await login.waitForCalls()
      #expect(calls.count == 1)

      await #expect(throws: UnmatchedRequestError.self) { try await client.signIn("") }
    }
    #expect(log.lines.withLock { $0.count } == 1)
  }
}
