import Foundation
import StubKit
import Synchronization

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
func closures(user: User, id: Int) async {
  let api = isHost("api.example.com")
  stub(condition: api) { _ in throw AppError.boom }
  stub(condition: api) { .text($0.url!.path) }
  stub(condition: api) { request in
    guard let body = request.httpBody else { return .status(400) }
    if body.isEmpty { throw AppError.boom }
    let parsed = try JSONDecoder().decode(User.self, from: body)
    return .json(["id": 1, "name": "\(parsed.name)", "more": [1, 2, "x"]], status: 201)
  }
  stub(condition: api) { request in
    if request.httpMethod == "POST" { .json(["created": true], status: 201) } else { .json([]) }
  }
  let store = Store()
  stub(condition: api) { request in
    await store.add(request)
    return .json(["ok": true])
  }
  stub(condition: api) { _ async in .text("x") }
  stub(condition: isPath(template: "/users/{id}")) { _, match in try .json(["id": match("id", as: Int.self)]) }
  stub(condition: isPath(template: "/users/{id}")) { .text("\($0) \($1["id"] ?? "")") }
  let counter = Mutex(0)
  stub(condition: api) { _ in counter.withLock { $0 < 3 } ? .failure(.timedOut) : .json(["attempt": "x"]) }
  stub(condition: { request in request.url?.host == "x" }, response: .text("x"))
  stub {
    $0.url?.host == "x"
  } response: { _ in
    .text("x")
  }
  @Sendable nonisolated func handler(_ request: URLRequest) -> StubResponse { .status(204) }
  stub(condition: .anything, response: handler)
  @Sendable nonisolated func asyncHandler(_ request: URLRequest) async throws -> StubResponse { .status(204) }
  stub(condition: .anything, response: asyncHandler)
}

/// Closures that don't await, in each shape: constants, functions, ones that lock, and ones that end the process.
nonisolated func closuresThatDoNotAwait() {
  let (api, lock) = (isHost("api.example.com"), NSLock())
  @Sendable func head(_ request: URLRequest) -> HTTPURLResponse {
    HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
  }
  let ofRequest: @Sendable (URLRequest) throws -> StubResponse = { _ in .ok }
  let ofMatch: @Sendable (URLRequest, RequestMatch) throws -> StubResponse = { _, _ in .ok }
  let mock: @Sendable (URLRequest) throws -> (HTTPURLResponse, Data) = { (head($0), Data()) }
  @Sendable func mocked(_ request: URLRequest) throws -> (HTTPURLResponse, Data) { (head(request), Data()) }
  stub(condition: api, response: ofRequest)
  stub(condition: api, response: ofMatch)
  stub(condition: api, response: mock)
  stub(condition: api, response: mocked)
  stub(.get, "/users", response: ofRequest)
  stub(.get, "/users/{id}", response: ofMatch)
  stub(.get, "/users", response: mock)
  stub(.get, "/users", response: mocked)
  stub(condition: api) { @MainActor _ in .ok }
  stub(.get, "/users/{id}") { @MainActor _, match in try .text(match("id")) }
  stub(condition: api) { @MainActor in (head($0), Data()) }
  stub(condition: { $0.timeoutInterval < 5 }) { @MainActor _ in .ok }
  stub(.get, "/users", where: .matching { $0.timeoutInterval < 5 }, response: .ok)
  if let url = URL(string: "https://api.example.com/v1") {
    stub(.get, url, response: .ok)
    stub(.get, url.appendingPathComponent("users"), times: 1, response: .ok)
    stub(.get, url) { _ in .ok }
    stub(.get, url, responses: [.ok])
    stubs(under: url) { stub(.get, "users", response: .ok) }
  }
  stub(condition: api) { _ in fatalError("no request is expected") }
  stub(.get, "/users/{id}") { _, _ in fatalError("no request is expected") }
  stub(condition: api) { request in
    lock.withLock { .text(request.url?.path ?? "") }
  }
  stub(.get, "/users") { request in
    lock.withLock { (head(request), Data()) }
  }
}
