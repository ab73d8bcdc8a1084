import Foundation
import StubKitServer
import StubKitTesting
import TestSupport
import Testing

/// A story: a reader of news, which is a program of its own, is driven by a test. It signs in, loads two pages of news,
/// meets a fault, and tries again.
@Suite("A news reader in another process", .inTurn, .stubbed)
struct NewsReaderTests {
  @Test("signs in, reads every page, and tries again after a fault")
  func reads() async throws {
    let server = try await StubServer(for: "https://news.example.com")
    enum Session { case signedOut, signedIn }
    let session = StubScenario(initial: Session.signedOut)
    stubs(on: isHost("news.example.com")) {
      stub(condition: isPath("/news") && session.is(.signedOut), response: .empty(status: 401))
      stub(
        condition: isMethodPOST() && isPath("/login") && hasJSONBody(["user": "ann"]),
        response: .json(["token": "t1"]).moving(session, to: .signedIn))
      stub(
        condition: isURL("https://news.example.com/news") && session.is(.signedIn) && hasBearerToken("t1"),
        response: .json(["Rain", "Sun"]).header("Link", "<https://news.example.com/news?page=2>; rel=\"next\""))
      stub(
        condition: isURL("https://news.example.com/news?page=2") && hasBearerToken("t1"),
        responses: [
          .failure(.networkConnectionLost), .json(["Snow"]).failing(afterBytes: 3),
          .json(["Snow"]).delay(.milliseconds(20)),
        ])
    }

    let printed = try await ChildProcess.run(
      "python3", ["-c", clientFile("news-reader.py")], environment: ["NEWS_URL": server.url.absoluteString])
    guard let printed else { return }
    #expect(
      printed == """
        news: 401
        * Rain
        * Sun
        trying again after ConnectionResetError
        trying again after ConnectionResetError
        * Snow

        """)
    try verify(isHost("news.example.com"), called: 6)
    try verifyInOrder(isMethodPOST() && isPath("/login"), containsQuery("page", "2"))
    await server.stop()
  }
}
