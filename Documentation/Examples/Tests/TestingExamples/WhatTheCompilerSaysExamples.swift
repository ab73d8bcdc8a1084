import Foundation
import StubKitOHHTTPStubs
import StubKitTesting
import Testing

/// What does not compile in the guide is checked by `.ci/comments`, what does compile here.
@Suite("The guide to the compiler's messages", .stubbed)
struct WhatTheCompilerSaysExamples {
  private let id = 7
  private let name = "Ann"

  private func body(_ path: String, _ sent: String? = nil) async throws -> String {
    var request = URLRequest(url: URL(string: "https://api.example.com\(path)")!)
    if let sent {
      request.httpMethod = "POST"
      request.httpBody = Data(sent.utf8)
    }
    return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
  }

  private func status(_ path: String, _ sent: String? = nil) async throws -> Int? {
    var request = URLRequest(url: URL(string: "https://api.example.com\(path)")!)
    request.httpMethod = sent == nil ? "GET" : "POST"
    request.httpBody = sent.map { Data($0.utf8) }
    return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  @Test("shows JSON with variables")
  func variables() async throws {
    stub(
      condition: isPath("/user"), response: .json(["id": StubJSON(id), "user": ["name": StubJSON(name), "age": 42]]))
    stub(condition: isPath("/inside"), response: .json(["user": ["id": id, "name": name]]))
    #expect(try await body("/user") == #"{"id":7,"user":{"age":42,"name":"Ann"}}"#)
    #expect(try await body("/inside") == #"{"user":{"id":7,"name":"Ann"}}"#)
  }

  @Test("shows an object of any values")
  func objects() async throws {
    let object: [String: Any] = ["id": 42]
    stub(condition: isPath("/user"), response: StubResponse(jsonObject: object, statusCode: 200, headers: nil))
    stub(condition: hasJsonBody(object), response: .status(204))
    #expect(try await body("/user") == #"{"id":42}"#)
    #expect(try await status("/any", #"{"id":42}"#) == 204)
  }

  private struct Client {
    let stub = "a"
    func prepare() {
      StubKit.stub(condition: isPath("/user"), response: .status(204))
    }
  }

  @Test("shows a member named stub, and closures")
  func closures() async throws {
    Client().prepare()
    #expect(try await status("/user") == 204)
    stub(condition: isPath("/user")) { _, match in match.callNumber < 3 ? .status(503) : .status(204) }
    #expect(try await status("/user") == 503)
    stub(condition: isPath("/user")) { request in
      print(request)
      return .json(["id": 42])
    }
    #expect(try await body("/user") == #"{"id":42}"#)

    stub(condition: isPath("/user")) { (request: URLRequest, match: RequestMatch) in
      .text(request.sent.query["page"] ?? "1")
    }
    #expect(try await body("/user?page=7") == "7")

    let settings = (name: "dark", size: 1)
    let title = settings.name
    stub(condition: isPath("/user")) { _ in .text(title) }
    #expect(try await body("/user") == "dark")
  }

  @Test("shows the states of a scenario")
  func scenario() {
    nonisolated enum Cart { case empty, full }
    let cart = StubScenario(initial: Cart.empty)
    #expect("\(cart)" == "cart is .empty")
  }

  @Test("shows responses, and closures as conditions")
  func responses() async throws {
    stub(.get, "/user", response: .status(404))
    stub(.get, "/user", response: .failure(.timedOut))
    stub(.get, "/user", responses: [.status(503), .text("Ann")])
    #expect([try await body("/user"), try await body("/user")] == ["", "Ann"])

    stub(
      .get, "/user",
      where: .matching("has cookies") { $0.httpShouldHandleCookies },
      response: .ok)
    stub(
      condition: isPath("/user") && { $0.httpMethod == "GET" },
      response: .status(204))
    #expect(try await status("/user") == 204)
  }

  @Test("shows durations, and an expectation in a scope")
  func others() async throws {
    stub(condition: isPath("/user"), response: .status(204).delay(.milliseconds(500)))
    #expect(try await status("/user") == 204)

    func load() async throws -> Int { 1 }
    try await withStubs {
      let value = try await load()
      #expect(value == 1)
    }
  }
}
