import StubKitTesting
import Testing

@Test(.stubbed(clock: .immediate)) func signsInAgain() async throws {
  let login = stub(
    .post, "https://api.example.com/login",
    where: hasJSONBody(containing: ["user": "ann"]),
    responses: [
      .failure(.networkConnectionLost),  // The first request fails,
      .status(503),  // the second one is refused,
      .json(["token": "t"]).network(.edge),  // the third one is slow.
    ])

  // Your client as it is, with any URLSession. No test waits for EDGE.
  let token = try await AuthClient().signIn("ann")
  #expect(token == "t")

  expectCalls(to: login, 3)
  expectCalls(to: isPath("/ads"), .never)
}
