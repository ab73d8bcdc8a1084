import Foundation
import StubKitTesting
import Testing

// What the guide "Parallel tests" shows of a singleton, and the cheat sheet.

final class API: Sendable {
  static let shared = API()
  let session: URLSession

  init(session: URLSession = URLSession(configuration: .default)) {
    self.session = session
  }

  func name() async throws -> String {
    let url = URL(string: "https://api.example.com/name")!
    return try await String(
      decoding: session.data(from: url).0, as: UTF8.self)
  }
}

@Test(.stubbed, arguments: ["Ann", "Ben", "Cy"])
func asksTheSingleton(name: String) async throws {
  stub(.get, "https://api.example.com/name", response: .text(name))
  #expect(try await API.shared.name() == name)
}

extension API {
  func track(_ event: String) {
    var request = URLRequest(url: URL(string: "https://api.example.com/events")!)
    request.httpMethod = "POST"
    request.httpBody = Data(event.utf8)
    DispatchQueue.global().async { [request, session] in session.dataTask(with: request).resume() }
  }
}

@Test(.stubbed) func tracksWithASessionOfItsOwn() async throws {
  let events = stub(.post, "/events", response: .ok)
  let api = API(session: URLSession(configuration: .default))
  api.track("launch")  // sends from a queue of its own
  try await events.waitForCalls()
}

@Test(.stubbed(clock: .immediate)) func retriesTheLogin() async throws {
  let login = stub(
    .post, "https://api.example.com/login",
    where: hasJSONBody(containing: ["user": "ann"]),
    responses: [
      .failure(.timedOut), .json(["token": "t"]).delay(.seconds(2)),
    ])
  _ = try await client.signIn("ann")
  expectCalls(to: login, 2)
  expectCalls(to: isPath("/ads"), .never)
}

private let client = Client()

/// Tries twice.
private struct Client {
  func signIn(_ user: String) async throws -> Data {
    var request = URLRequest(url: URL(string: "https://api.example.com/login")!)
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(["user": user])
    do {
      return try await URLSession.shared.data(for: request).0
    } catch let error as URLError where error.code == .timedOut {
      return try await URLSession.shared.data(for: request).0
    }
  }
}
