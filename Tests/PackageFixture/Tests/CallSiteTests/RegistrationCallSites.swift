import Foundation
import StubKit

nonisolated enum CartState { case empty, full }

func groupsAndScenarios() {
  let cart = StubScenario(initial: CartState.empty)
  let group = stubs(on: hasBaseURL("https://api.example.com/v1")) {
    stub(condition: isPath("/v1/cart") && cart.is(.empty), response: .json([]).moving(cart, to: .full))
    stub(
      condition: cart.is(.full) || isPath("/v1/full"), responses: [.status(204), .text("x").moving(cart, to: .empty)])
    stubs(on: isMethod(.get)) {
      stub(condition: isPath("/v1/users"), times: 2, priority: 1) { _ in .status(204).moving(cart, to: .empty) }
    }
  }
  _ = (group.stubs, group.callCount)
  group.remove()
  cart.state = .full
  stub(condition: .anything, response: .status(404), priority: -1).onFinish { request in _ = request.outcome }
  let (file, line): (StaticString, UInt) = ("AppTests/Users.swift", 3)
  stub(condition: .anything, response: .status(204), at: StubLocation(file, file, line, 1))
  let row = StubLocation(fileID: "AppTests/Users\(file).csv", filePath: "/Users.csv", line: Int(line), column: 1)
  stub(condition: .anything, response: .status(204), at: row)
  stub(condition: .anything, priority: 1, at: StubLocation()) { _, match in .text("\(match.callNumber)") }
}

func methodsAndURLs(path: String) {
  stub(.get, "https://api.example.com/users/42", response: .json(["id": 42]))
  stub(.post, path, response: .status(201), name: "users", times: 2, priority: 1, in: StubRegistry())
  stub(.any, "/health", name: "health", times: 2, priority: 1, in: StubRegistry(), response: .ok)
  stub("PURGE", "/cache/\(path)", response: .ok)
  stub(.put, "/users/{id}") { request in .data(request.stubBody ?? Data()) }
  stub(.delete, "/users/{id}", times: 1) { _ async in .ok }
  stub(.get, "/users/{id}") { _, match async throws in try .text(match("id")) }
  stub(.head, "/mock") { request in
    (HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!, Data())
  }
  let lock = NSLock()
  stub(.get, "/users/{id}") { request, match in
    let head = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
    return lock.withLock { StubResponse(head, Data((match["id"] ?? "").utf8)) }
  }
  stub(.get, "/job", responses: [.failure(.timedOut), .ok], afterLast: .startOver, name: "job")
  stub(StubMethod("LOCK"), "/files", response: .ok, at: StubLocation())
  stub(condition: containsQuery("page", 2) && containsQuery("id", UInt64(7)), response: .ok)
  // With a further condition, in each form.
  let isAdmin = RequestMatcher("is admin") { $0.value(forHTTPHeaderField: "X-Role") == "admin" }
  stub(.post, "/orders", where: hasJSONBody(["id": 42]), response: .status(201))
  stub(
    .post, "/orders", where: !isAdmin && hasHeader("A") || { $0.url == nil }, name: "orders", times: 1, response: .ok)
  stub(.post, path, where: .anything) { request in .data(request.stubBody ?? Data()) }
  stub(.post, "/orders", where: isAdmin, times: 2) { _ async in .ok }
  stub(.put, "/orders/{id}", where: isAdmin) { _, match in .text(match["id"] ?? "") }
  stub(.put, "/orders/{id}", where: isAdmin) { _, match async throws in try .text(match("id")) }
  stub(.head, "/mock", where: isAdmin) { request in
    (HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!, Data())
  }
  stub(.get, "/job", where: isAdmin, responses: [.failure(.timedOut), .ok], afterLast: .startOver, name: "job")
}

// A test's own names come before the unavailable ones.
extension StubResponse { static let notFound = StubResponse.status(404) }
private func hasQuery(_ name: String) -> RequestMatcher { containsQuery(name) }
func ownNames() { stub(condition: hasQuery("page") && hasHeader("Accept"), response: .notFound) }

func namesAndTimes() {
  stub(condition: isHost("x"), name: "users", times: 2) { _ in .text("a") }
  stub(condition: RequestMatcher("a GET") { $0.httpMethod == "GET" }, responses: [.text("1"), .text("2")])
}
