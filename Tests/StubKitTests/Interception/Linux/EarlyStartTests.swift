#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The early start of an async call", .inTurn)
  struct EarlyStartTests {
    /// A session whose delegate queue runs nothing.
    private static func heldUpSession() -> URLSession {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = true
      return URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
    }

    @Test("has it answered without its session's delegate queue, whichever way it is made")
    func withoutDelegateQueue() async throws {
      try await withStubs {
        stub(condition: .anything, response: .text("at once"))
        let session = Self.heldUpSession()
        let address = url("http://a.example/")
        let request = URLRequest(url: address)
        let bodies = [
          try await session.data(from: address).0, try await session.data(for: request).0,
          try await session.upload(for: request, from: Data("body".utf8)).0,
        ]
        #expect(bodies == Array(repeating: Data("at once".utf8), count: 3))
        #expect(
          StubRegistry.current.journal.entries.map(\.outcome) == Array(repeating: .answered(status: 200), count: 3))
      }
    }

    @Test("has it fail without its session's delegate queue")
    func failure() async {
      await withStubs {
        stub(condition: .anything, response: .failure(.networkConnectionLost))
        let session = Self.heldUpSession()
        let error = await #expect(throws: URLError.self) { try await session.data(from: url("http://a.example/")) }
        #expect(error?.code == .networkConnectionLost)
      }
    }

    @Test("follows a redirect that comes at once")
    func redirect() async throws {
      try await withStubs {
        stub(condition: isPath("/from"), response: .redirect(to: "/to"))
        stub(condition: isPath("/to"), response: .text("there"))
        let (data, response) = try await URLSession(configuration: .ephemeral).data(from: url("http://a.example/from"))
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(response.url?.path == "/to")
      }
    }

    @Test(
      "leaves the rest to the delegate queue, where nobody waits for the task's queue: what is not answered at once",
      arguments: [true, false])
    func later(isClosure: Bool) async throws {
      try await withStubs {
        if isClosure {
          stub(condition: .anything) { _ in .text("later") }
        } else {
          stub(condition: .anything, response: .text("later").delay(.milliseconds(1)))
        }
        let session = Self.heldUpSession()
        let call = Task { try await session.data(from: url("http://a.example/")).0 }
        try await until("a call waits for the delegate queue") { session.delegateQueue.operationCount > 0 }
        session.delegateQueue.isSuspended = false
        let data = try await call.value
        #expect(data == Data("later".utf8))
      }
    }

    @Test("is left out where a clock is moved by hand, which counts what runs on the delegate queue")
    func manualClock() async throws {
      try await withStubs {
        StubRegistry.current.clock = ManualClock()
        stub(condition: .anything, response: .text("counted"))
        let session = Self.heldUpSession()
        let call = Task { try await session.data(from: url("http://a.example/")).0 }
        try await until("a call waits for the delegate queue") { session.delegateQueue.operationCount > 0 }
        session.delegateQueue.isSuspended = false
        let data = try await call.value
        #expect(data == Data("counted".utf8))
      }
    }

    @Test("releases the load when it is over, though URLSession keeps the loader")
    func released() async throws {
      weak var registry: StubRegistry?
      let session = URLSession(configuration: .ephemeral)
      do {
        let own = StubRegistry()
        registry = own
        try await withStubs(registry: own) {
          stub(condition: .anything, response: .text("at once"))
          _ = try await session.data(from: url("http://a.example/"))
        }
      }
      try await until("the registry is gone") { registry == nil }
    }
  }
#endif
