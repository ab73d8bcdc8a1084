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
        .post, "https://api.example.com/login", responses: [.json(["token": "old"]), .json(["token": "new"])])
      stub(.get, "https://api.example.com/me", response: .status(401))
      for token in ["old", "new"] {
        stub(
          .get, "https://api.example.com/me", where: hasBearerToken(token), response: .json(["name": "Ann"]), times: 1)
      }

      let names = [try await api.name(), try await api.name()]
      #expect(names == ["Ann", "Ann"])
      #expect(login.callCount == 2)
    }
  }

  @Test("sign in with a form, a cookie and a redirect")
  func form() async throws {
    try await withStubs {
      let site = Site()
      stub(.get, "https://api.example.com/login", response: .text("Sign in"))
      stub(.get, "https://api.example.com/home", response: .redirect(to: "/login"))
      stub(
        .get, "https://api.example.com/home", where: hasCookie("session", "abc"),
        response: .text("Welcome, Ann"))
      let login = stub(
        .post, "https://api.example.com/login", where: hasFormBody(["user": "ann", "password": "x"]),
        response: .redirect(to: "/home", status: 303)
          .header("Set-Cookie", "session=abc; Path=/"))

      let before = try await site.home()
      let after = try await site.signIn("ann", "x")
      #expect([before, after] == ["Sign in", "Welcome, Ann"])
      #expect(login.callCount == 1)
    }
  }

  /// A site with a form, in a session with cookies of its own.
  private struct Site {
    private let session = URLSession(configuration: .ephemeral)

    func home() async throws -> String { try await answer(request("/home"), in: session).text }

    func signIn(_ user: String, _ password: String) async throws -> String {
      try await answer(request("/login", "POST", body: "user=\(user)&password=\(password)"), in: session).text
    }
  }

  @Test("refresh a token once for two requests")
  func refresh() async throws {
    try await withStubs {
      let api = NoteSync(clock: ContinuousClock(), accessToken: "old", refreshToken: "r")
      let gate = ResponseGate()
      let refresh = stub(.post, "https://notes.example/token", response: .json(["access_token": "new"]).held(by: gate))
      stub(.get, "https://notes.example/notes", where: hasBearerToken("new"), response: .json([]))
      let refused = stub(.get, "https://notes.example/notes", where: hasBearerToken("old"), response: .status(401))

      async let first = api.notes()
      async let second = api.notes()
      try await refused.waitForCompletions(2)
      gate.open()
      _ = try await (first, second)
      #expect(refresh.callCount == 1)
    }
  }
}
