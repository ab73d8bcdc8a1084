import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A scenario", .inTurn)
struct StubScenarioTests {
  private enum Cart { case empty, full }
  private enum Job: Hashable { case waiting(turns: Int), done }

  @Test("decides by its state which stub answers, and moves with the answer")
  func answers() async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.empty)
      let get = isMethod(.get) && isPath("/cart")
      stub(condition: get && cart.is(.empty), response: .text("nothing"))
      stub(condition: get && cart.is(.full), response: .text("a book"))
      stub(condition: isMethod(.post) && cart.is(.empty), response: .text("added").moving(cart, to: .full))
      var texts: [String] = []
      for method in ["GET", "POST", "GET"] {
        texts.append(try await URLSession.shared.fetch(request("http://shop.example/cart", method: method)).text)
      }
      #expect(texts == ["nothing", "added", "a book"])
      #expect(cart.state == .full)
    }
  }

  @Test("is moved by a test, too")
  func moved() async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.full)
      stub(condition: cart.is(.empty), response: .text("nothing"))
      cart.state = .empty
      let text = try await URLSession.shared.fetch("http://shop.example/cart").text
      #expect(text == "nothing")
    }
  }

  @Test("is in the report of a request that finds it in another state")
  func inReport() async {
    await withStubs {
      let cart = StubScenario(initial: Cart.full)
      stub(condition: isPath("/old") && !cart.is(.full), response: .status(204))
      stub(condition: isPath("/old") && (cart.is(.empty) || isPort(1)), response: .status(204))
      let report = await URLSession.shared.failure(of: "http://shop.example/old")?.localizedDescription ?? ""
      #expect(report.contains("cart is .full, expected .empty; nearest of 2 alternatives"), "\(report)")
      #expect(report.contains("cart is .full, expected anything but .full"), "\(report)")
    }
  }

  @Test("moves with each response of a sequence")
  func sequence() async throws {
    try await withStubs {
      let job = StubScenario(initial: Job.waiting(turns: 2))
      let states = [Job.waiting(turns: 1), .waiting(turns: 0), .done]
      stub(condition: isPath("/job"), responses: states.map { .status(204).moving(job, to: $0) })
      for state in states {
        _ = try await URLSession.shared.fetch("http://a.example/job")
        #expect(job.state == state)
      }
    }
  }

  @Test("moves with the response of a closure, and of a policy")
  func madeResponses() async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.empty)
      stub(condition: isPath("/closure")) { _ in .status(204).moving(cart, to: .full) }
      HTTPStubs.unmatched = .respond { _ in .status(204).moving(cart, to: .empty) }
      _ = try await URLSession.shared.fetch("http://a.example/closure")
      #expect(cart.state == .full)
      _ = try await URLSession.shared.fetch("http://a.example/policy")
      #expect(cart.state == .empty)
    }
  }

  @Test("moves with a response that never comes, and stays so when the request is cancelled")
  func noAnswer() async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.empty)
      let never = stub(condition: isPath("/never"), response: .noAnswer.moving(cart, to: .full))
      let request = Task { try await URLSession.patient.fetch("http://a.example/never") }
      try await never.waitForCalls(1)
      #expect(cart.state == .full)
      request.cancel()
      await #expect(throws: (any Error).self) { try await request.value }
      #expect(cart.state == .full)
    }
  }

  @Test("prints its name and its state")
  func description() {
    let job = StubScenario(initial: Job.waiting(turns: 2))
    #expect("\(job)" == "job is .waiting(turns: 2)")
  }

  @Test("stays as it is when the request's If-Match refuses the response")
  func refused() async throws {
    let draft = StubScenario(initial: 1, name: "draft")
    let response = StubResponse.status(204).conditional(etag: "v1").moving(draft, to: 2)
    let ways: [(StubRegistry) -> Void] = [
      { stub(condition: .anything, response: response, in: $0) },
      { stub(condition: .anything, responses: [response, response, .status(500)], in: $0) },
      { stub(condition: .anything, in: $0) { _ in response } }, { $0.unmatched = .respond { _ in response } },
    ]
    for (number, register) in ways.enumerated() {
      draft.state = 1
      let registry = StubRegistry()
      register(registry)
      // The session's own headers count: so a server sees it.
      for (tag, status, state) in [("v0", 412, 1), ("v1", 204, 2)] {
        let configuration = URLSessionConfiguration.ephemeral { $0.httpAdditionalHeaders = ["If-Match": "\"\(tag)\""] }
        let save = request("http://a.example/draft", method: "PUT")
        let answer = try await registry.makeSession(configuration: configuration).fetch(save).status
        #expect(answer == status && draft.state == state, "\(number), \(tag): \(answer), \(draft.state)")
      }
    }
  }

  /// A cart that a request has filled, and the stub that filled it.
  private func withFilledCart(_ test: (StubScenario<Cart>, Stub) async throws -> Void) async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.empty)
      let fill = stub(condition: cart.is(.empty) && isPath("/cart"), response: .status(201).moving(cart, to: .full))
      _ = try await URLSession.shared.fetch("http://a.example/cart")
      try await test(cart, fill)
    }
  }

  private static func conditions(on cart: StubScenario<Cart>) -> [RequestMatcher] {
    [
      cart.is(.empty) && isPath("/cart"), cart.is(.full), !cart.is(.full), isPath("/other") || cart.is(.full),
      !(isPath("/cart") && !cart.is(.empty)),
    ]
  }

  @Test("isn't known for a past request: a verification with it fails, and says to verify the stub")
  func verification() async throws {
    try await withFilledCart { cart, _ in
      for condition in Self.conditions(on: cart) {
        for count in [.never, .once, .atMost(1)] as [CallCount] {
          let found = report { try verify(condition, called: count) }
          #expect(found.contains("which no request keeps: verify the stub"), "\(condition), \(count): \(found)")
        }
        #expect(throws: VerificationError.self, "\(condition)") { try verifyInOrder(isPath("/cart"), condition) }
      }
    }
  }

  @Test("isn't known for a past request: the journal finds none, with an issue of the test")
  func journal() async throws {
    try await withFilledCart { cart, _ in
      for condition in Self.conditions(on: cart) {
        let (found, issues) = await takingIssues { HTTPStubs.journal.requests(matching: condition) }
        #expect(found?.isEmpty == true && issues.count == 1, "\(condition): \(issues)")
      }
    }
  }

  @Test("is in the condition of a stub whose calls can be verified")
  func verifiedStub() async throws {
    try await withFilledCart { _, fill in
      try verify(fill, called: .once)
      #expect(report { try verify(fill, called: 2) }.contains("expected exactly 2 calls, got 1"))
    }
  }

  @Test("prints as it is written")
  func text() {
    let cart = StubScenario(initial: Cart.empty)
    for (printed, text) in [
      ("\(isPath("/cart") && !cart.is(.full))", #"isPath("/cart") && !cart.is(.full)"#), ("\(cart)", "cart is .empty"),
      ("\(StubScenario(initial: "a", name: "door").is("b"))", #"door.is("b")"#),
      ("\(StubScenario(initial: 1).is(2))", "scenario.is(2)"),
    ] {
      #expect(printed == text)
    }
  }

  @Test("makes each move once for many requests", arguments: 1...5)
  func contention(round: Int) async throws {
    let (counter, registry) = (StubScenario(initial: 0), StubRegistry())
    for number in 0..<64 {
      let response = StubResponse.text("\(number)").moving(counter, to: number + 1)
      stub(condition: isPath("/next") && counter.is(number), response: response, in: registry)
    }
    let session = registry.makeSession()
    let answers = try await (0..<64).atOnce { _ in Int(try await session.fetch("http://a/next").text) }
    #expect(Set(answers) == Set(0..<64))
    #expect(counter.state == 64)
    #expect(registry.journal.unmatchedRequests.isEmpty)
  }
}
