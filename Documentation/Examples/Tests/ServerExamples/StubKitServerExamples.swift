import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("The page of StubKitServer", .inTurn)
struct StubKitServerExamples {
  private struct Client {
    func load(_ url: String) async throws -> (Data, Int) {
      let port = try #require(URL(string: url)?.port)
      let response = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send("GET \(URL(string: url)!.path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client.readResponse()
      }
      return (try #require(response).body, try #require(response).status)
    }
  }

  @Test("serves a stub")
  func serves() async throws {
    let client = Client()
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isPath("/users"), response: .json([["name": "Ann"]]))
      let (bytes, _) = try await client.load("\(server.url)/users")
      #expect(bytes == Data(#"[{"name":"Ann"}]"#.utf8))
    }
  }
}
