import StubKitTesting
import Testing

@Test(.stubbed) func loadsAUser() async throws {
  stub(
    .get, "https://api.example.com/users/42",
    response: .json(["id": 42, "name": "Ann"]))

  let user = try await UserClient().user(42)  // Your client, unchanged.
  #expect(user.name == "Ann")
}
