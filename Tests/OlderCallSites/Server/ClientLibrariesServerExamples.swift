#if canImport(AsyncHTTPClient)
  import AsyncHTTPClient
  import StubKitServer
  import StubKitTesting
  import Testing

  // This package has no dependencies: the test is compiled where the library is.

  @Test(.stubbed) func loadsAUserWithAsyncHTTPClient() async throws {
    let server = try await StubServer(for: "https://api.example.com")
    stub(.get, "https://api.example.com/users/42", response: .json(["name": "Ann"]))

    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: "\(server.url)/users/42"),
      timeout: .seconds(10))
    #expect(response.status == .ok)
  }
#endif
