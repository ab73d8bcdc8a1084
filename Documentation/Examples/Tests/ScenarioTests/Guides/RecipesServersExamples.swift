import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The recipes for servers that refuse", .inTurn)
struct RecipesServersExamples {
  @Test("wait as long as a server says")
  func limit() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let list = stub(
        .get, "https://api.example.com/films",
        responses: [
          .status(429, headers: ["Retry-After": "30"]),
          .json(["Alien"]),
        ])

      let api = FilmAPI(clock: clock, attempts: 2)
      let films = try await clock.run { try await api.films() }
      #expect(films == ["Alien"])
      #expect(clock.elapsed == .seconds(30))
      expectCalls(to: list, 2)
    }
  }

  @Test("try again after a pause that grows")
  func backOff() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let list = stub(
        .get, "https://api.example.com/films",
        responses: [.failure(.timedOut), .status(503), .json(["Alien"])])

      let api = FilmAPI(clock: clock, attempts: 3)
      let films = try await clock.run { try await api.films() }
      #expect(films == ["Alien"])
      #expect(clock.elapsed == .seconds(1 + 2))
      expectCalls(to: list, 3)
    }
  }

  @Test("end an outage")
  func outage() async throws {
    try await withStubs {
      let api = FilmAPI()
      stub(.get, "https://api.example.com/films", response: .json(["Alien"]))
      let outage = stub(
        condition: .anything,
        response: .status(503),
        priority: 1)

      await #expect(throws: FilmAPI.Failure.status(503)) {
        try await api.films()
      }
      outage.remove()
      let films = try await api.films()
      #expect(films == ["Alien"])
    }
  }

  @Test("try again when the user wants it")
  func retry() async {
    await withStubs {
      let model = FilmList()
      let list = stub(
        .get, "https://api.example.com/films", responses: [.failure(.cannotConnectToHost), .json(["Alien"])])

      await model.load()
      #expect(model.canRetry)
      await model.load()
      #expect(model.films == ["Alien"])
      expectCalls(to: list, 2)
    }
  }

  @Test("keep the method and the body of a redirected request")
  func move() async throws {
    try await withStubs {
      let session = URLSession(configuration: .ephemeral, delegate: RefusesRedirects(), delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      let api = FilmAPI(base: "https://old.example.com", session: session)
      stub(
        condition: isHost("old.example.com") && isPath(template: "/{path...}")
      ) { _, match in
        try .redirect(
          to: "https://api.example.com/\(match("path"))",
          status: 308)
      }
      let orders = stub(
        condition: isMethod(.post) && isURL("https://api.example.com/orders")
          && hasJSONBody(["film": "Alien"]),
        response: .status(201))

      try await api.order("Alien")
      #expect(orders.callCount == 1)
    }
  }

  private final class RefusesRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
}
