import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Without a network", .inTurn)
struct OfflineTests {
  /// What answers `/x`, which a server of this machine must not learn of, and what it answers as soon as there is a
  /// network.
  struct Answer: Sendable, CustomTestStringConvertible {
    let name: String
    let online: String
    let register: @Sendable (_ server: LoopbackServer) -> Void

    var testDescription: String { name }

    init(_ name: String, _ online: String, _ register: @escaping @Sendable (LoopbackServer) -> Void) {
      (self.name, self.online, self.register) = (name, online, register)
    }
  }

  private static let answers = [
    Answer("a closure asks the real server", "real GET /x") { server in
      stub(.get, "/x") { _ in try await .real(URLRequest(url: server.url("/x"))) }
    },
    Answer("a policy's closure asks the real server", "real GET /x") { server in
      HTTPStubs.unmatched = .respond { _ in try await .real(URLRequest(url: server.url("/x"))) }
    },
    Answer("a response is held for ever", "held") { _ in
      let gate = ResponseGate()
      stub(.get, "/x", response: .text("held").held(by: gate))
      HTTPStubs.onRequest { _ in gate.open() }
    },
    Answer("the test answers", "test") { _ in
      let stub = stub(.get, "/x", response: .controlled)
      Task {
        let call = try await stub.nextCall()
        call.send("test")
        call.finish()
      }
    },
    Answer("a scenario moves", "first") { _ in
      let step = StubScenario(initial: 1)
      stub(.get, "/x", where: step.is(2), response: .text("second"))
      stub(.get, "/x", where: step.is(1), response: .text("first").moving(step, to: 2))
    },
    Answer("its only use is spent", "once") { _ in
      stub(.get, "/x", response: .text("again"))
      stub(.get, "/x", response: .text("once"), times: 1)
    },
    Answer("a sequence goes on", "first") { _ in stub(.get, "/x", responses: [.text("first"), .text("second")]) },
    Answer("a sequence goes on to a response with a network", "first") { _ in
      stub(.get, "/x", responses: [.text("first"), .text("second").network(.wifi)])
    },
  ]

  @Test("a request fails at once, and nothing happens of what would answer it", arguments: answers)
  func asksNobody(answer: Answer) async throws {
    let server = try LoopbackServer()
    try await withStubs {
      answer.register(server)
      HTTPStubs.network = .offline
      let error = await URLSession.shared.failure(of: "http://a.example/x") as? URLError
      #expect(error?.code == .notConnectedToInternet)
      #expect(server.requests.isEmpty)
      HTTPStubs.network = nil
      let online = try await URLSession.shared.fetch("http://a.example/x")
      #expect(online.text == answer.online)
    }
  }

  @Test("a response with conditions of its own is there as a whole: it reads the stream", arguments: BodyPlace.streams)
  func ownNetwork(place: BodyPlace) async throws {
    let sending = Sending(place, Data("body".utf8))
    try await withStubs {
      HTTPStubs.network = .offline
      let upload = stub(condition: .anything, response: .text("there").network(NetworkConditions()))
      let answer = try await sending.send(URLRequest(url: url("http://a.example/x")))
      #expect(answer == "there")
      #expect(upload.lastRequest?.body == Data("body".utf8))
    }
  }

  @Test("a response whose own network is none spends its use, and reads no stream", arguments: BodyPlace.streams)
  func ownLack(place: BodyPlace) async {
    let sending = Sending(place, Data("body".utf8))
    await withStubs {
      stub(condition: .anything, response: .text("later"))
      let first = stub(condition: .anything, response: .ok.network(.offline), times: 1)
      await #expect(throws: URLError.self) { _ = try await sending.send(URLRequest(url: url("http://a.example/x"))) }
      #expect(!first.isActive)
    }
    #expect(sending.stream.openings == 0)
  }

  @Test("a request counts for the stub that matches it, and the journal names that")
  func counts() async {
    await withStubs {
      HTTPStubs.network = .offline
      let users = stub(.get, "/users/{id}", response: .json([]), times: 1)
      for id in 1...3 { _ = await URLSession.shared.failure(of: "http://a.example/users/\(id)") }
      #expect(users.callCount == 3)
      #expect(users.requests.count == 3)
      #expect(users.isActive)
    }
  }
}
