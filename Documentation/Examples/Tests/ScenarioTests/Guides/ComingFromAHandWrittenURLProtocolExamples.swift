import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide for those who come from a handwritten URLProtocol", .inTurn)
struct ComingFromAHandWrittenURLProtocolExamples {
  struct UserClient {
    var session = URLSession.shared

    func user(_ id: Int) async throws -> User {
      let (data, response) = try await session.data(from: URL(string: "https://api.example.com/users/\(id)")!)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
      return try JSONDecoder().decode(User.self, from: data)
    }
  }

  @Suite("The guide for those who come from a handwritten URLProtocol, for a MockURLProtocol,", .inTurn)
  struct MockURLProtocols {
    @Test("shows the body of its handler in a stub")
    func handler() async throws {
      try await withStubs {
        stub(condition: .anything) { request in
          guard request.url?.path == "/users/42" else { throw URLError(.unsupportedURL) }
          let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
          return (response, Data(#"{"id": 42, "name": "Ann"}"#.utf8))
        }
        let user = try await UserClient().user(42)
        #expect(user.name == "Ann")
        await #expect(throws: URLError.self) { try await UserClient().user(43) }
      }
    }

    @Test("shows a stub for each route, whose report says what differs")
    func routes() async throws {
      try await withStubs { () async throws in
        let routes: [String: StubResponse] = [
          "https://api.example.com/users/42": .json(["id": 42, "name": "Ann"]),
          "https://api.example.com/config": .json(["theme": "dark"]),
        ]
        for (url, route) in routes { stub(condition: isURL(url), response: route) }
        #expect(try await UserClient().user(42).name == "Ann")
        let error = await #expect(throws: UnmatchedRequestError.self) { try await UserClient().user(43) }
        #expect(error?.description.contains("path: expected /users/42, got /users/43") == true)
      }
    }

    @Test("shows a queue of responses, each of which answers once, in the order in which they were added")
    func queue() async throws {
      try await withStubs { () async throws in
        var added = 0
        func enqueue(_ response: StubResponse, for condition: RequestMatcher = .anything) {
          added += 1
          stub(condition: condition, response: response, times: 1, priority: -added)
        }

        enqueue(.json(["id": 42, "name": "Ann"]))
        enqueue(.json(["id": 42, "name": "Ben"]), for: isPath("/users/42"))
        let client = UserClient()

        #expect(try await [client.user(42).name, client.user(42).name] == ["Ann", "Ben"])
        enqueue(.json(["id": 42, "name": "Cy"]))
        #expect(try await client.user(42).name == "Cy")
        await #expect(throws: UnmatchedRequestError.self) { try await client.user(42) }
      }
    }

    @Test("shows stubs of which the first match wins, each time")
    func firstMatch() async throws {
      try await withStubs { () async throws in
        var added = 0
        func add(_ condition: RequestMatcher, _ response: StubResponse) {
          added += 1
          stub(condition: condition, response: response, priority: -added)
        }

        add(isPath("/users/42"), .json(["id": 42, "name": "Ann"]))
        add(isHost("api.example.com"), .status(404))
        let client = UserClient()

        #expect(try await [client.user(42).name, client.user(42).name] == ["Ann", "Ann"])
        await #expect(throws: URLError.self) { try await client.user(43) }
      }
    }

    @Test("shows a request without an answer, which the test cancels")
    func cancellation() async throws {
      try await withStubs {
        let user = stub(.get, "https://api.example.com/users/42", response: .noAnswer)
        let loading = Task { try await UserClient().user(42) }
        try await user.waitForCalls()
        loading.cancel()
        await #expect(throws: (any Error).self) { try await loading.value }
        #expect(user.lastRequest?.outcome == .cancelled)
      }
    }

    @Test("shows the test with StubKit")
    func after() async throws {
      try await withStubs {
        stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]))
        let user = try await UserClient().user(42)
        #expect(user.name == "Ann")
      }
    }
  }

  @Suite("The guide for those who come from a handwritten URLProtocol, for a URLSessionProtocol,", .inTurn)
  struct URLSessionProtocols {
    @Test("shows the test with StubKit")
    func after() async {
      await withStubs {
        stub(.get, "/users/42", response: .status(503))
        await #expect(throws: URLError.self) { try await UserClient().user(42) }
      }
    }
  }

  @Test("shows the test of a client with a completion handler")
  func callback() async {
    await withStubs {
      let users = stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]))
      let name = await withCheckedContinuation { done in
        CallbackClient(session: URLSession.shared).name(of: 42) { done.resume(returning: $0) }
      }
      #expect(users.callCount == 1)
      #expect(name == "Ann")
    }
  }
}
