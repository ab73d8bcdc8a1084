import Foundation
import StubKitTesting
import Testing

struct User: Codable {
  let id: Int
  let name: String
}

@Test(.stubbed) func loadsTheUser() async throws {
  stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .json(["id": 42, "name": "Ann"]))

  let (data, _) = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users/42")!)
  let user = try JSONDecoder().decode(User.self, from: data)
  #expect(user.name == "Ann")
}
