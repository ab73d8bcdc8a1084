import Foundation
import StubKit
import TestSupport
import Testing

// The example that needs StubKitTesting is in the tests of that library.

@Suite("The guide to many stubs", .inTurn)
struct OrganizingStubsExamples {
  private func request(_ path: String, _ method: String = "GET", token: String? = nil) -> URLRequest {
    var request = URLRequest(url: address(path))
    request.httpMethod = method
    request.setValue(token, forHTTPHeaderField: "Authorization")
    return request
  }

  private func answer(_ request: URLRequest) async throws -> (status: Int, text: String) {
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as! HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
  }

  @Test("shows a group, which is removed as one")
  func group() async throws {
    try await withStubs {
      let api = stubs(on: isUnder("https://api.example.com/v1")) {
        stub(condition: isSubpath("users"), response: .json([["id": 1]]))
        stub(condition: isMethodPOST() && isSubpath("login"), response: .json(["token": "t"]))
      }
      let users = try await text("/v1/users")
      #expect(users == #"[{"id":1}]"#)
      #expect(
        api.stubs.first?.condition.description == #"isUnder("https://api.example.com/v1") && isPath("/v1/users")"#)

      #expect(api.callCount == 1)
      api.remove()

      #expect(StubRegistry.current.stubs.isEmpty)
    }
  }

  @Test("shows groups in groups")
  func nested() async throws {
    try await withStubs {
      stubs(on: isHost("api.example.com")) {
        stubs(on: hasHeader("Authorization", "Bearer t")) {
          stub(condition: isPath("/me"), response: .json(["name": "Ann"]))
        }
        stub(condition: lacksHeader("Authorization"), response: .unauthorized(realm: "API"))
      }
      let known = try await answer(request("/me", token: "Bearer t"))
      let unknown = try await answer(request("/me"))
      #expect(known.text == #"{"name":"Ann"}"# && unknown.status == 401)
    }
  }

  @Test("shows which stub comes first")
  func priority() async throws {
    try await withStubs {
      stub(condition: .anything, response: .status(503), name: "closed", priority: 1)
      stub(condition: isHost("api.example.com"), response: .status(404), name: "rest", priority: -1)
      stub(condition: isPath("/users"), response: .json([]), name: "users")

      let closed = try await status("/users")
      StubRegistry.current.stubs.first?.remove()
      let (users, rest) = (try await status("/users"), try await status("/other"))
      #expect([closed, users, rest] == [503, 200, 404])
    }
  }

  @Test("shows a server with a state, and the report that tells of it")
  func scenario() async throws {
    try await withStubs {
      enum Cart { case empty, full }
      let cart = StubScenario(initial: Cart.empty)

      stub(condition: isMethodGET() && isPath("/cart") && cart.is(.empty), response: .json([]))
      stub(condition: isMethodGET() && isPath("/cart") && cart.is(.full), response: .json(["book"]))
      stub(
        condition: isMethodPOST() && isPath("/cart") && cart.is(.empty),
        response: .status(201).moving(cart, to: .full))

      let before = try await text("/cart")
      let posted = try await answer(request("/cart", "POST")).status
      let after = try await text("/cart")
      #expect(before == "[]" && posted == 201 && after == #"["book"]"#)

      #expect(cart.state == .full)
      cart.state = .empty

      let again = try await text("/cart")
      #expect(again == "[]")
    }
  }

  @Test("shows the report of a server's state as it is printed")
  func report() async {
    await withStubs {
      enum Cart { case empty, full }
      let cart = StubScenario(initial: Cart.full)
      stub(
        condition: isMethodPOST() && isPath("/cart") && cart.is(.empty), response: .empty(),
        fileID: "ShopTests/CartTests.swift", line: 12)
      let error = await #expect(throws: UnmatchedRequestError.self) { try await answer(request("/cart", "POST")) }
      let told = error?.description.split(separator: "\n") ?? []
      let printed = Page.guide("OrganizingStubs").printed[0].split(separator: "\n")
      #expect(told.prefix(printed.count) == printed[...])
    }
  }

  @Test("shows what is called at the end of a request")
  func finish() async throws {
    try await withStubs {
      let log = Log()
      stub(condition: isPath("/events"), response: .empty())
        .onFinish { request in log.add("\(request.outcome)") }

      _ = try await status("/events")
      #expect(log.lines == ["answered with 204"])
    }
  }

  @Test("shows a function around stub")
  func location() {
    withStubs {
      func stubSong(_ id: Int, at location: StubLocation) -> Stub {
        stub(condition: isPath("/songs/\(id)"), response: .json(["id": id]), at: location)
      }
      stubSong(7, at: StubLocation()).name = "song"

      #expect(StubRegistry.current.stubs.map(\.name) == ["song"])
      #expect(StubRegistry.current.stubs.map(\.location.fileID) == [#fileID])
    }
  }

  private final class Log: Sendable {
    private let all = Locked<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func add(_ line: String) { all.withLock { $0.append(line) } }
  }
}
