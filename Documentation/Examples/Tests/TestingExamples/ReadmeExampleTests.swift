import Foundation
import StubKitTesting
import Testing

struct User: Codable {
  let name: String
}

@Test(.stubbed) func loadsTheUser() async throws {
  stub(.get, "https://api.example.com/users/42", response: .json(["name": "Ann"]))

  let url = URL(string: "https://api.example.com/users/42")!
  let (data, _) = try await URLSession.shared.data(from: url)
  let user = try JSONDecoder().decode(User.self, from: data)
  #expect(user.name == "Ann")
}
