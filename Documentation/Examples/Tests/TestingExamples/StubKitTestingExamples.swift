import Foundation
import StubKitTesting
import Testing

// The example of the module's landing page, as the page shows it.

@Test(.stubbed) func loadsUser42() async throws {
  stub(condition: isPath("/users/42"), response: .json(["id": 42]))
  let user = try await client.user(42)
  #expect(user.id == 42)
}

private let client = Client()

private struct Client {
  struct User: Decodable {
    let id: Int
  }

  func user(_ id: Int) async throws -> User {
    let url = URL(string: "https://api.example.com/users/\(id)")!
    return try JSONDecoder().decode(User.self, from: try await URLSession.shared.data(from: url).0)
  }
}
