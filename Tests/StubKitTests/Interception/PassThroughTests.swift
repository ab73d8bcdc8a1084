import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub that passes its request through", .inTurn)
struct PassThroughResponseTests {
  /// Runs the body in a scope, with a server on the real network.
  private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
    let server = try LoopbackServer()
    try await withStubs { try await body(server) }
  }

  @Test("passes its requests on, and the stubs beside it answer theirs")
  func value() async throws {
    try await withServer { server in
      stub(condition: isHost("127.0.0.1"), response: .status(404))
      stub(condition: isPath("/health"), response: .passThrough)
      let real = try await URLSession.shared.fetch(URLRequest(url: server.url("/health")))
      #expect(real == Fetched(status: 200, text: "real GET /health"))
      #expect(try await URLSession.shared.fetch(URLRequest(url: server.url("/users"))).status == 404)
    }
  }

  @Test("is named by the journal, with the outcome that the request was passed through")
  func inJournal() async throws {
    try await withServer { server in
      stub(condition: isPath("/health"), response: .passThrough, name: "health")
      _ = try await URLSession.shared.fetch(URLRequest(url: server.url("/health")))
      #expect(HTTPStubs.journal.entries.map(\.outcome) == [.passedThrough])
      #expect(HTTPStubs.journal.entries.first?.stub?.name == "health")
    }
  }

  @Test("counts its calls, and is used up as any other")
  func counted() async throws {
    try await withServer { server in
      stub(condition: isHost("127.0.0.1"), response: .status(404))
      let health = stub(condition: isPath("/health"), response: .passThrough, times: 2)
      var statuses: [Int] = []
      for _ in 1...3 {
        statuses.append(try await URLSession.shared.fetch(URLRequest(url: server.url("/health"))).status)
      }
      #expect(statuses == [200, 200, 404])
      try verify(health, called: 2)
    }
  }

  @Test("can change the real response in a closure")
  func real() async throws {
    try await withServer { server in
      stub(.any, "/health") { try await .real($0).header("X-Flag", "1").status(203) }
      let sent = request(server.url("/health"), method: "POST", body: Data("ping".utf8))
      let (data, response) = try await URLSession.shared.data(for: sent)
      let head = try #require(response as? HTTPURLResponse)
      #expect(head.statusCode == 203)
      #expect(head.value(forHTTPHeaderField: "X-Flag") == "1")
      #expect(data.text.hasPrefix("real POST /health"))
      #expect(server.requests == ["POST /health"])
    }
  }

  @Test("makes the request of .real(_:) itself, which no stub answers and the journal doesn't have")
  func realAlone() async throws {
    try await withServer { server in
      let health = stub(.any, "/health") { try await .real($0) }
      let all = stub(condition: isHost("127.0.0.1"), response: .status(404), priority: -1)
      _ = try await URLSession.shared.data(from: server.url("/health"))
      #expect(health.callCount == 1)
      #expect(all.callCount == 0)
      #expect(HTTPStubs.requests.count == 1)
    }
  }

  @Test("fails its request as .real(_:) fails")
  func refused() async throws {
    try await withServer { server in
      // Nothing listens there.
      stub(.get, "/refused") { _ in try await .real(URLRequest(url: url("http://127.0.0.1:1/"))) }
      let error = await URLSession.shared.failure(of: "\(server.url("/refused"))") as? URLError
      #expect(error?.code == .cannotConnectToHost)
    }
  }

  @Test("may be a closure that has read the body", arguments: BodyPlace.allCases)
  func closure(place: BodyPlace) async throws {
    let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try await withServer { server in
      stub(condition: .anything) { request in request.stubBody == body ? .passThrough : .text("other") }
      let answer = try await Sending(place, body).send(URLRequest(url: server.url("/upload")))
      #expect(answer == "real POST /upload")
      #expect(server.arrivals.map(\.body) == [body])
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.passedThrough])
      #expect(StubRegistry.current.journal.entries.map(\.body) == [body])
    }
  }

  @Test("after the end of its scope sends the server nothing")
  func afterScope() async throws {
    let server = try LoopbackServer()
    let (begun, decision, decided) = (Latch(), Latch(), Latch())
    let request = URLRequest(url: server.url("/late"))
    let task = try await withStubs { () async throws in
      stub(condition: .anything) { _ async in
        begun.open()
        // The end of the scope cancels the closure, which is to decide all the same.
        await Task.detached { await decision.pass() }.value
        decided.open()
        return .passThrough
      }
      let task = Task { try await URLSession.shared.fetch(request) }
      try await until("the closure has begun") { begun.isOpen }
      return task
    }
    await #expect(throws: StubScopeEndedError.self) { try await task.value }
    decision.open()
    try await until("the closure has decided") { decided.isOpen }
    #expect(server.requests.isEmpty)
  }

  @Test("may be where a redirect leads, and a policy may do the same")
  func others() async throws {
    try await withServer { server in
      HTTPStubs.unmatched = .respond { $0.url?.path == "/policy" ? .passThrough : .status(404) }
      stub(condition: isPath("/old"), response: .redirect(to: server.url("/new")))
      stub(condition: isPath("/new"), response: .passThrough)
      let led = try await URLSession.shared.fetch(URLRequest(url: server.url("/old")))
      let policy = try await URLSession.shared.fetch(URLRequest(url: server.url("/policy")))
      let other = try await URLSession.shared.fetch(URLRequest(url: server.url("/other")))
      #expect([led.text, policy.text] == ["real GET /new", "real GET /policy"])
      #expect(other.status == 404)
      #expect(
        StubRegistry.current.journal.entries.map(\.outcome) == [
          .answered(status: 302), .passedThrough, .passedThrough, .answered(status: 404),
        ])
    }
  }

  @Test("does not send another stub's credential")
  func credential() async throws {
    try await withServer { server in
      stub(condition: .anything, response: .basicChallenge(realm: "Films"))
      let real = stub(condition: hasBasicAuth(user: "ann", password: "x"), response: .passThrough)
      let delegate = DelegateEvents(credential: URLCredential(user: "ann", password: "x", persistence: .none))
      let session = delegate.session(.ephemeral { $0.urlCredentialStorage = nil })
      let error = await session.failure(of: server.url("/film").absoluteString) as? StubResponseError
      #expect(error?.reason == .passedThroughWithCredential)
      #expect(error?.stub?.location == real.location)
      #expect(server.requests.isEmpty)
      session.invalidateAndCancel()
    }
  }

  @Test("is told to observers")
  func observers() async throws {
    try await withServer { server in
      let told = Locked<[String]>([])
      StubRegistry.current.onActivation { _, _, response in told.withLock { $0.append("\(response)") } }
      StubRegistry.current.onMissing { _ in told.withLock { $0.append("missing") } }
      stub(condition: .anything, response: .passThrough)
      _ = try await URLSession.shared.fetch(URLRequest(url: server.url("/a")))
      #expect(told.withLock { $0 } == ["passed through"])
      #expect(StubResponse.passThrough.delay(.seconds(1)).description == "passed through, after 1.0 seconds")
    }
  }
}
