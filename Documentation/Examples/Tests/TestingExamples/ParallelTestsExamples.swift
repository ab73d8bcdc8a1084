import Foundation
import StubKitTesting
import Testing
import XCTest

// What the guide "Parallel tests" shows, as it shows it.

@Suite(.stubbed(clock: .immediate))
struct AccountTests {
  init() { stub(.post, "/login", response: .json(["token": "t"])) }

  @Test(arguments: 1...200)
  func signsIn(number: Int) async throws {
    stub(.get, "/users/me", response: .json(["id": number, "name": "Ann"]))
    let user = try await client.signIn()
    #expect(user.id == number)
  }
}

@Test func loadsAUserInAScope() async throws {
  let user = try await withStubs {
    stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]))
    return try await client.user(42)
  }
  #expect(user.name == "Ann")
}

final class UserTests: StubbedTestCase {
  override var clock: (any StubClock)? { .immediate }
  override var reportsUnusedStubs: Bool { true }

  func testShowsTheName() {
    let user = stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]).delay(.seconds(1)))
    client.loadUser(42) { XCTAssertEqual($0?.name, "Ann") }
    wait(for: [expectation(forCompletionsOf: user)], timeout: 5)
  }
}

/// A base class of the app's own, or of a library.
class AppTestCase: XCTestCase {}

final class SettingsTests: AppTestCase {
  override func invokeTest() {
    invokeStubbed(clock: .immediate) { super.invokeTest() }
  }

  func testLoadsAUser() async throws {
    stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]))
    let user = try await client.user(42)
    XCTAssertEqual(user.name, "Ann")
  }
}

@Test func worksWithoutAScope() async throws {
  let registry = StubRegistry()
  stub(.get, "/users/42", response: .json(["id": 42, "name": "Ann"]), in: registry)
  let user = try await Client(session: registry.makeSession()).user(42)
  #expect(user.id == 42)
}

@Test(.stubbed) func reachesTheNetwork() async throws {
  await #expect(throws: URLError.self) {
    let real = StubRegistry()
    real.isEnabled = false
    let status = try await withStubs(in: real) { try await client.status() }
    Issue.record("Nothing listens there, and it answered with \(status).")
  }
  #expect(HTTPStubs.requests.isEmpty)
}

@Test func letsTheAppReachTheNetworkBetweenTests() async {
  await #expect(processExitsWith: .success) {
    HTTPStubs.unscoped = .passThrough

    withStubs {}
    let error = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        // Nothing listens there: that it is refused shows that it was let through.
        URLSession.shared.dataTask(with: URL(string: "http://0.0.0.0:1/")!) { _, _, error in
          continuation.resume(returning: error)
        }.resume()
      }
    }
    guard (error as? URLError)?.code == .cannotConnectToHost else { fatalError("\(error as Any)") }
  }
}

private let client = Client(session: .shared)

private struct Client: Sendable {
  struct User: Decodable {
    let id: Int
    let name: String
  }

  let session: URLSession

  func user(_ id: Int) async throws -> User { try await get("/users/\(id)") }

  func loadUser(_ id: Int, _ handler: @escaping @Sendable (User?) -> Void) {
    session.dataTask(with: URL(string: "https://api.example.com/users/\(id)")!) { data, _, _ in
      handler(data.flatMap { try? JSONDecoder().decode(User.self, from: $0) })
    }.resume()
  }

  func signIn() async throws -> User {
    let tokens: [String: String] = try await get("/login", "POST")
    return try await get("/users/me", token: tokens["token"])
  }

  func status() async throws -> Int? {
    let (_, response) = try await session.data(from: URL(string: "http://127.0.0.1:1/")!)
    return (response as? HTTPURLResponse)?.statusCode
  }

  private func get<Answer: Decodable>(
    _ path: String, _ method: String = "GET", token: String? = nil
  ) async throws -> Answer {
    var request = URLRequest(url: URL(string: "https://guide.example\(path)")!)
    request.httpMethod = method
    request.setValue(token, forHTTPHeaderField: "Authorization")
    return try JSONDecoder().decode(Answer.self, from: try await session.data(for: request).0)
  }
}
