import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A scenario", .inTurn)
struct StubScenarioTests {
  private enum Cart { case empty, full }
  private enum Job: Hashable { case waiting(turns: Int), done }

  @Test("answers by its state, and moves with the answer")
  func answers() async throws {
    try await withStubs {
      let cart = StubScenario(initial: Cart.empty)
      stub(condition: isMethodGET() && cart.is(.empty), response: .text("nothing"))
      stub(condition: isMethodGET() && cart.is(.full), response: .text("a book"))
      stub(condition: isMethodPOST() && cart.is(.empty), response: .empty(status: 201).moving(cart, to: .full))
      let add = request("http://shop.example/cart", method: "POST")
      let first = try await URLSession.shared.fetch("http://shop.example/cart").text
      let status = try await URLSession.shared.fetch(add).status
      let second = try await URLSession.shared.fetch("http://shop.example/cart").text
      #expect(first == "nothing" && status == 201 && second == "a book")
      #expect(cart.state == .full)
      cart.state = .empty
      let third = try await URLSession.shared.fetch("http://shop.example/cart").text
      #expect(third == "nothing")
    }
  }

  @Test("may have states with values, and moves with each response of a sequence")
  func values() async throws {
    try await withStubs {
      let job = StubScenario(initial: Job.waiting(turns: 2))
      stub(
        condition: .anything,
        responses: [
          .text("2").moving(job, to: .waiting(turns: 1)), .text("1").moving(job, to: .waiting(turns: 0)),
          .text("done").moving(job, to: .done),
        ])
      var states: [Job] = [job.state]
      for _ in 0..<3 {
        _ = try await URLSession.shared.fetch("http://a.example/job")
        states.append(job.state)
      }
      #expect(states == [.waiting(turns: 2), .waiting(turns: 1), .waiting(turns: 0), .done])
    }
  }

  @Test("moves when a closure has returned such an answer, and when the request is cancelled before its response")
  func moments() async throws {
    try await withStubs {
      HTTPStubs.clock = .real
      let cart = StubScenario(initial: Cart.empty)
      stub(condition: isPath("/closure")) { _ in .empty().moving(cart, to: .full) }
      _ = try await URLSession.shared.fetch("http://a.example/closure")
      #expect(cart.state == .full)
      let never = stub(
        condition: isPath("/never"), response: .empty().held(by: ResponseGate()).moving(cart, to: .empty))
      let request = Task { try await URLSession.shared.fetch("http://a.example/never") }
      try await never.waitForCalls(1)
      #expect(cart.state == .empty)
      request.cancel()
      await #expect(throws: (any Error).self) { try await request.value }
      #expect(cart.state == .empty)
    }
  }

  enum Answering: CaseIterable { case value, sequence, closure, policy }

  @Test("stays as it is when a request's own conditions refuse it")
  func refused() async throws {
    for answering in Answering.allCases {
      let draft = StubScenario(initial: 1, name: "draft")
      let registry = StubRegistry()
      let response = StubResponse.empty().validated(etag: "v1").moving(draft, to: 2)
      switch answering {
      case .value: stub(condition: .anything, response: response, in: registry)
      case .sequence: stub(condition: .anything, responses: [response, response, .empty(status: 500)], in: registry)
      case .closure: stub(condition: .anything, in: registry) { _ in response }
      case .policy: registry.unmatched = .respond { _ in response }
      }
      // The session's own headers count: so a server sees it.
      for (tag, status, state) in [("v0", 412, 1), ("v1", 204, 2)] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["If-Match": "\"\(tag)\""]
        let save = request("http://a.example/draft", method: "PUT")
        let answer = try await registry.makeSession(configuration: configuration).fetch(save).status
        #expect(answer == status && draft.state == state, "\(answering)")
      }
    }
  }

  @Test("moves with the policy's answer too")
  func policy() async throws {
    let cart = StubScenario(initial: Cart.empty)
    let registry = StubRegistry()
    registry.unmatched = .respond { _ in .empty().moving(cart, to: .full) }
    _ = try await registry.makeSession().fetch("http://a.example/")
    #expect(cart.state == .full)
  }

  @Test("prints as it is written, and names itself for its type unless it has a name")
  func text() {
    let cart = StubScenario(initial: Cart.empty)
    #expect("\(isPath("/cart") && !cart.is(.full))" == #"isPath("/cart") && !cart.is(.full)"#)
    #expect("\(cart)" == "cart is .empty")
    #expect("\(StubScenario(initial: "a", name: "door").is("b"))" == #"door.is("b")"#)
    #expect("\(StubScenario(initial: 1).is(2))" == "scenario.is(2)")
    #expect("\(StubScenario(initial: Job.done).is(.waiting(turns: 3)))" == "job.is(.waiting(turns: 3))")
    let response = StubResponse.empty(status: 201).moving(cart, to: .full)
    #expect("\(response)".contains("moving cart to .full"))
  }

  @Test("is part of the report on a request that no stub matches")
  func report() async throws {
    let cart = StubScenario(initial: Cart.full)
    let error = await withStubs {
      stub(condition: isPath("/cart") && cart.is(.empty), response: .empty())
      stub(condition: isPath("/cart") && !cart.is(.full), response: .empty())
      return await #expect(throws: (any Error).self) {
        try await URLSession.shared.fetch("http://a.example/cart")
      }
    }
    let report = try #require(error).localizedDescription
    #expect(report.contains("cart is .full, expected .empty"))
    #expect(report.contains("cart is .full, expected anything but .full"))
  }

  @Test("makes each of 64 moves once, whatever 64 requests ask at a time", arguments: 0..<5)
  func contention(round: Int) async throws {
    let counter = StubScenario(initial: 0)
    let registry = StubRegistry()
    for number in 0..<64 {
      stub(
        condition: isHost("a.example") && counter.is(number),
        response: .text("\(number)").moving(counter, to: number + 1), in: registry)
    }
    let session = registry.makeSession()
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask { Int(try await session.fetch("http://a.example/next").text) ?? -1 }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.sorted() == Array(0..<64))
    #expect(counter.state == 64)
    #expect(registry.stubs.allSatisfy { $0.callCount == 1 })
  }

  @Test("that goes back and forth never leaves a request without a stub")
  func toAndFro() async throws {
    let door = StubScenario(initial: true, name: "door")
    let registry = StubRegistry()
    let opened = stub(
      condition: isPath("/door") && door.is(false), response: .empty().moving(door, to: true), in: registry)
    let closed = stub(
      condition: door.is(true) && isPath("/door"), response: .empty().moving(door, to: false), in: registry)
    let session = registry.makeSession()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { for _ in 0..<10 { _ = try await session.fetch("http://a.example/door") } }
      }
      try await group.waitForAll()
    }
    #expect(opened.callCount == 320 && closed.callCount == 320 && door.state)
    #expect(registry.journal.unmatched.isEmpty)
  }
}
