import Foundation
import StubKit

nonisolated enum CartState { case empty, full }

func groupsAndScenarios() {
  let cart = StubScenario(initial: CartState.empty)
  let group = stubs(on: isUnder("https://api.example.com/v1")) {
    stub(condition: isPath("/v1/cart") && cart.is(.empty), response: .json([]).moving(cart, to: .full))
    stub(condition: cart.is(.full) || isPath("/v1/full"), responses: [.empty(), .text("x").moving(cart, to: .empty)])
    stubs(on: isMethodGET()) {
      stub(condition: isPath("/v1/users"), times: 2, priority: 1) { _ in .empty().moving(cart, to: .empty) }
    }
  }
  _ = (group.stubs, group.callCount)
  group.remove()
  cart.state = .full
  stub(condition: .anything, response: .empty(status: 404), priority: -1).onFinish { request in _ = request.outcome }
  stub(condition: .anything, response: .empty(), name: "a", times: 1, priority: 2, in: StubRegistry())
  stub(condition: .anything, response: .empty(), at: StubLocation())
  let (file, line): (StaticString, UInt) = ("AppTests/Users.swift", 3)
  stub(condition: .anything, response: .empty(), at: StubLocation(file, file, line, 1))
  let row = 12
  stub(
    condition: .anything, response: .empty(),
    at: StubLocation(fileID: "AppTests/Users\(row).csv", filePath: "/Users\(row).csv", line: row, column: 1))
  stub(condition: .anything, at: StubLocation()) { _ in .empty() }
  stub(condition: .anything, priority: 1, at: StubLocation()) { _, match in .text("\(match.callNumber)") }
  stub(condition: .anything, responses: [.empty()], at: StubLocation())
}

func namesAndTimes() {
  let api = isHost("api.example.com")
  stub(condition: api, response: .text("a"), name: "users", times: 2)
  stub(condition: api, response: .text("a"), times: 2)
  stub(condition: api, name: "users", times: 2) { _ in .text("a") }
  stub(condition: api, times: 1) { request in .text(request.httpMethod ?? "") }
  stub(condition: api, name: "x") { _, match in .text(match["id"] ?? "") }
  stub(condition: api, responses: [.failure(.timedOut), .json(["id": 1])])
  stub(
    condition: api, responses: [.failure(.timedOut), .text("x"), .empty(status: 500)], afterLast: .startOver,
    name: "retry")
  stub(condition: api, responses: [.text("1"), .text("2")], afterLast: .stopMatching, times: 2)
  stub(condition: { $0.httpMethod == "GET" }, responses: [.text("1"), .text("2")])
  stub(condition: api, response: .text("x"), in: StubRegistry())
  let first = stub(condition: api, response: .text("x"))
  first.remove()
  let stub = stub(condition: api, response: .text("shadow"))
  _ = stub.callCount
}
