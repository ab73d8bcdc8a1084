import Foundation
import StubKitTesting
import Testing

// What the guide shows of the trait, as it shows it.

@Test(.stubbed(clock: .immediate)) func loadsAPatientUser() async throws {
  stub(condition: isPath("/users/42"), response: .json(["id": 42, "name": "Ann"]).delay(.seconds(30)))
  let user = try await client.user(42)
  #expect(user.name == "Ann")
}

private let client = Client()

private struct Client {
  struct User: Decodable {
    let name: String
  }

  func user(_ id: Int) async throws -> User {
    let url = URL(string: "https://api.example.com/users/\(id)")!
    return try JSONDecoder().decode(User.self, from: try await URLSession.shared.data(from: url).0)
  }
}
