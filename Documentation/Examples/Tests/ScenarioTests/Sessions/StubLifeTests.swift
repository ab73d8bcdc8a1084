import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A stub's life, as sessions see it", .inTurn)
struct StubLifeTests {
  private let url = URL(string: "https://life.invalid/users")!

  private func body() async throws -> String {
    String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
  }

  private func expectBody(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let body = try await body()
    #expect(body == expected, sourceLocation: sourceLocation)
  }

  @Test("It is chosen by its body, and another body is not its own")
  func bodyMatcher() async throws {
    try await withStubs {
      stub(condition: isMethodPOST() && hasBody(Data("right".utf8)), response: .status(201))
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = Data("right".utf8)
      let (_, response) = try await URLSession.shared.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 201)

      request.httpBody = Data("wrong".utf8)
      let wrong = request
      await #expect(throws: UnmatchedRequestError.self) { try await URLSession.shared.data(for: wrong) }
    }
  }

  @Test("The newest that matches answers, and removing it brings back the one before")
  func newestWins() async throws {
    try await withStubs {
      stub(condition: isHost("life.invalid"), response: .text("first"))
      let second = stub(condition: isPath("/users"), response: .text("second"))
      stub(condition: isPath("/other"), response: .text("other"))
      try await expectBody("second")
      #expect(second.remove())
      try await expectBody("first")
    }
  }

  @Test("It is removed once, and all stubs are gone when all are removed")
  func removal() async {
    await withStubs {
      let one = stub(condition: .anything, response: .text("one"))
      let two = stub(condition: .anything, response: .text("two"))
      #expect(HTTPStubs.removeStub(one))
      #expect(!HTTPStubs.removeStub(one))
      #expect(HTTPStubs.allStubs().map(\.id) == [two.id])
      HTTPStubs.removeAllStubs()
      #expect(HTTPStubs.allStubs().isEmpty)
      #expect(!two.remove())
      await #expect(throws: UnmatchedRequestError.self) { try await body() }
    }
  }

  @Test("A request that it was chosen for is answered by it, though it is removed meanwhile")
  func removedMeanwhile() async throws {
    try await withStubs {
      stub(condition: isPath("/users")) { _ in
        HTTPStubs.removeAllStubs()
        return .text("still here")
      }
      try await expectBody("still here")
      await #expect(throws: UnmatchedRequestError.self) { try await body() }
    }
  }

  @Test("Its name comes back from it, from the list and from the journal")
  func name() async throws {
    try await withStubs {
      let users = stub(condition: isPath("/users"), response: .text("users"))
      #expect(users.name == nil)
      users.name = "users"
      #expect(HTTPStubs.allStubs().map(\.name) == ["users"])
      _ = try await body()
      #expect(users.requests.map(\.stub?.name) == ["users"])
    }
  }

  @Test("The journal says who answered what, and what nobody answered")
  func journal() async {
    await withStubs {
      stub(condition: isPath("/users"), response: .json([], status: 203), name: "users")
      stub(condition: isPath("/broken"), response: .failure(.badServerResponse), name: "broken")
      for path in ["users", "broken", "missing"] {
        _ = try? await URLSession.shared.data(from: URL(string: "https://life.invalid/\(path)")!)
      }
      let journal = StubRegistry.current.journal
      #expect(journal.entries.map(\.stub?.name) == ["users", "broken", nil])
      #expect(
        journal.entries.map(\.outcome).prefix(2) == [.answered(status: 203), .failed(URLError(.badServerResponse))])
      #expect(journal.entries.last?.outcome.error is UnmatchedRequestError)
      #expect(journal.unmatched.map(\.request.url?.path) == ["/missing"])
    }
  }

  @Test("What its closure throws is the request's error, and keeps nobody waiting")
  func throwingClosure() async {
    struct OutOfOrder: Error, Equatable {}
    await withStubs {
      stub(condition: isPath("/users")) { _ in throw OutOfOrder() }
      await #expect(throws: OutOfOrder.self) { try await body() }
      #expect(StubRegistry.current.journal.entries.first?.outcome == .failed(OutOfOrder()))
    }
  }

  @Test("Switching all stubs on or off twice is the same as once")
  func switching() async throws {
    try await withStubs {
      stub(condition: isPath("/users"), response: .text("on"))
      HTTPStubs.setEnabled(true)
      HTTPStubs.setEnabled(true)
      #expect(HTTPStubs.isEnabled())
      try await expectBody("on")
      HTTPStubs.setEnabled(false)
      HTTPStubs.setEnabled(false)
      #expect(!HTTPStubs.isEnabled())
      HTTPStubs.setEnabled(true)
      try await expectBody("on")
    }
  }
}
