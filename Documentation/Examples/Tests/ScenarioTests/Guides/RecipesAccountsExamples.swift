import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The recipes for accounts", .inTurn)
struct RecipesAccountsExamples {
  @Test("sign in again when a token has expired")
  func expiry() async throws {
    try await withStubs {
      let api = AccountAPI()
      let login = stub(
        condition: isMethodPOST() && isPath("/login"),
        responses: [.json(["token": "old"]), .json(["token": "new"])])
      stub(condition: isPath("/me"), response: .status(401))
      for token in ["old", "new"] {
        stub(
          condition: isPath("/me")
            && hasHeader("Authorization", "Bearer \(token)"),
          response: .json(["name": "Ann"]),
          times: 1)
      }

      let names = [try await api.name(), try await api.name()]
      #expect(names == ["Ann", "Ann"])
      #expect(login.callCount == 2)
    }
  }

  @Test("refresh a token once for two requests")
  func refresh() async throws {
    try await withStubs {
      let api = NoteSync(clock: ContinuousClock(), accessToken: "old", refreshToken: "r")
      let gate = ResponseGate()
      let refresh = stub(
        condition: isMethodPOST() && isPath("/token"),
        response: .json(["access_token": "new"]).held(by: gate))
      stub(
        condition: isPath("/notes")
          && hasHeader("Authorization", "Bearer new"),
        response: .json([]))
      let refused = stub(
        condition: isPath("/notes")
          && hasHeader("Authorization", "Bearer old"),
        response: .status(401))

      async let first = api.notes()
      async let second = api.notes()
      try await refused.waitForCompletions(2)
      gate.open()
      _ = try await (first, second)
      #expect(refresh.callCount == 1)
    }
  }

  @Test("send a cookie with the requests after the login, and without a login none")
  func cookies() async throws {
    try await withStubs {
      stub(
        condition: isMethodPOST() && isPath("/login"),
        response: .empty().header("Set-Cookie", "session=abc; Path=/"))
      stub(condition: isPath("/me"), response: .status(401))
      stub(
        condition: isPath("/me") && hasCookie("session", "abc"),
        response: .json(["name": "Ann"]))

      let api = FilmAPI(session: URLSession(configuration: .ephemeral))
      try await api.signIn()
      let name = try await api.name()
      #expect(name == "Ann")

      let stranger = FilmAPI(session: URLSession(configuration: .ephemeral))
      await #expect(throws: FilmAPI.Failure.status(401)) { try await stranger.name() }
    }
  }

  @Test("answer a challenge")
  func challenge() async throws {
    try await withStubs {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCredentialStorage = nil
      let session = URLSession(configuration: configuration, delegate: Ann(), delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      let api = FilmAPI(session: session)
      let challenge = stub(
        condition: isPath("/films"),
        response: .unauthorized(realm: "Films"))
      stub(
        condition: isPath("/films") && hasBasicAuth(user: "ann", password: "x"),
        response: .json(["Alien"]))

      let films = try await api.films()
      #expect(films == ["Alien"])
      #expect(challenge.callCount == 1)
    }
  }

  private final class Ann: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
    }
  }
}
