import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The recipes for what a client sends", .inTurn)
struct RecipesRequestsExamples {
  @Test("repeat an order under the same key")
  func key() async throws {
    try await withStubs {
      let api = FilmAPI()
      let orders = stub(
        .post, "https://api.example.com/orders", where: hasHeader("Idempotency-Key"),
        responses: [.failure(.networkConnectionLost), .status(201)])

      try await api.order("Alien")
      try await api.order("Brazil")
      let keys = orders.requests.map { $0.header("Idempotency-Key") }
      try #require(keys.count == 3)
      #expect(keys[0] == keys[1])
      #expect(keys[1] != keys[2])
    }
  }

  @Test("make requests in order")
  func order() async throws {
    try await withStubs {
      let (api, image) = (FilmAPI(), Data(count: 100))
      let film = "https://api.example.com/films"
      let created = stub(.post, film, response: .status(201))
      let poster = stub(.put, "\(film)/Alien/poster", response: .empty())
      let published = stub(.post, "\(film)/Alien/publication", response: .empty())

      try await api.publish("Alien", poster: image)
      for step in [created, poster, published] { try verify(step, called: 1) }
      try verifyInOrder(
        isMethodPOST() && isPath("/films"),
        isMethodPUT() && isPath("/films/Alien/poster"),
        isMethodPOST() && isPath("/films/Alien/publication"))
    }
  }

  @Test("send events in batches, and the rest at the end")
  func batches() async throws {
    try await withStubs {
      let analytics = AnalyticsClient(batchSize: 2)
      let batches = stub(.post, "https://metrics.example.com/batches", response: .status(202))

      for event in ["launch", "search", "play"] {
        await analytics.track(event)
      }
      try await batches.waitForCompletions()
      try verify(
        isPath("/batches")
          && hasJSON(at: "events", equals: ["launch", "search"]))
      #expect(batches.callCount == 1)

      await analytics.close()
      try verify(isPath("/batches") && hasJSON(at: "events", equals: ["play"]))
    }
  }

  @Test("notice any other request")
  func onlyOne() async throws {
    try await withStubs {
      let api = FilmAPI()
      let list = stub(.get, "https://api.example.com/films", response: .json(["Alien"]))

      _ = try await api.films()
      try verify(list, called: .once)
      try verify(.anything, called: .once)
    }
  }

  @Test("cancel a request")
  func cancellation() async throws {
    try await withStubs {
      let api = FilmAPI()
      let list = stub(.get, "https://api.example.com/films", response: .noAnswer)

      let loading = Task { try await api.films() }
      try await list.waitForCalls()
      loading.cancel()
      let requests = try await list.waitForCompletions()
      #expect(requests.first?.outcome == .cancelled)
      await #expect(throws: (any Error).self) { try await loading.value }
    }
  }
}
