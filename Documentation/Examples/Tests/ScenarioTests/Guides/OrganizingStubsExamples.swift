import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to many stubs", .inTurn)
struct OrganizingStubsExamples {
  @Test("shows a group, which is removed as one")
  func group() async throws {
    try await withStubs { () async throws in
      let api = stubs(under: "https://api.example.com/v1") {
        stub(.get, "users", response: .json([["id": 1]]))
        stub(.post, "login", response: .json(["token": "t"]))
      }
      #expect(try await text("/v1/users") == #"[{"id":1}]"#)

      #expect(api.callCount == 1)
      api.remove()

      #expect(HTTPStubs.allStubs().isEmpty)
    }
  }

  @Test("shows which stub comes first")
  func priority() async throws {
    try await withStubs { () async throws in
      stub(condition: isHost("api.example.com"), response: .status(404), name: "rest", priority: -1)
      stub(.get, "/users", response: .json([]), name: "users")

      #expect(try await statuses("/users", "/other") == [200, 404])
    }
  }

  @Test("shows a server with a state, which requests and the test change")
  func scenario() async throws {
    try await withStubs { () async throws in
      enum Cart { case empty, full }
      let cart = StubScenario(initial: Cart.empty)

      stub(.get, "/cart", where: cart.is(.empty), response: .json([]))
      stub(.get, "/cart", where: cart.is(.full), response: .json(["book"]))
      stub(.post, "/cart", where: cart.is(.empty), response: .status(201).moving(cart, to: .full))

      #expect(try await text("/cart") == "[]")
      #expect(try await status(request("/cart", "POST")) == 201)
      #expect(try await text("/cart") == #"["book"]"#)

      #expect(cart.state == .full)
      cart.state = .empty

      #expect(try await text("/cart") == "[]")
    }
  }

  @Test("shows the report of a server's state as it is printed")
  func report() async {
    await withStubs {
      enum Cart { case empty, full }
      let cart = StubScenario(initial: Cart.full)
      printedStub(
        isMethod(.post) && isPath("/cart") && cart.is(.empty), file: "ShopTests/CartTests.swift", line: 12)
      await expectReport(Page.guide("OrganizingStubs").printed.last!, of: request("/cart", "POST"))
    }
  }

  @Test("shows what is called at the end of a request")
  func finish() async throws {
    try await withStubs {
      let log = Log()
      stub(.get, "/events", response: .status(204))
        .onFinish { request in log.add("\(request.outcome)") }

      _ = try await status("/events")
      #expect(log.lines == ["answered with 204"])
    }
  }
}
