import Foundation
import StubKitTesting
import Testing

// What the landing page of StubKitTesting shows of the trait.

@Test(.stubbed) func loadsUser42() async throws {
  stub(.get, "/users/42", response: .json(["id": 42]))
  let user = try await client.user(42)
  #expect(user.id == 42)
}

private let client = Client()

private struct Client {
  struct User: Decodable {
    let id: Int
  }

  func user(_ id: Int) async throws -> User { try JSONDecoder().decode(User.self, from: await data("/users/\(id)")) }

  private func data(_ path: String) async throws -> Data {
    try await URLSession.shared.data(from: URL(string: "https://api.example.com\(path)")!).0
  }
}
