import Foundation
import StubKitServer
import StubKitTesting
import TestSupport
import Testing

#if canImport(AsyncHTTPClient)
  import AsyncHTTPClient

  @Test(.stubbed) func loadsAUserWithAsyncHTTPClient() async throws {
    stub(
      condition: isHost("api.example.com") && isPath("/users/42"),
      response: .json(["name": "Ann"]))

    let server = try await StubServer()
    var configuration = HTTPClient.Configuration()
    configuration.proxy = .server(host: "127.0.0.1", port: server.port)
    let client = HTTPClient(configuration: configuration)
    let response = try await client.execute(
      HTTPClientRequest(url: "http://api.example.com/users/42"),
      timeout: .seconds(10))
    #expect(response.status == .ok)
    try await client.shutdown()
  }
#endif

/// What a client with a proxy sends for an `http` URL (RFC 9112, section 3.2.2).
@Test(.stubbed) func answersAClientWithAProxy() async throws {
  stub(
    condition: isHost("api.example.com") && isPath("/users/42"),
    response: .json(["name": "Ann"]))

  let server = try await StubServer()
  let port = server.port
  let text = try await onOwnThread {
    let client = try LoopbackClient(port: port)
    client.send("GET http://api.example.com/users/42 HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
    return client.readResponse()?.text
  }
  #expect(text == #"{"name":"Ann"}"#)
}
