#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import StubKit

  @Suite("An async call that a closure answers", .prompt)
  struct CallCompletionTests {
    /// A session whose delegate queue runs nothing.
    private static func heldUpSession() -> URLSession {
      let queue = OperationQueue()
      queue.isSuspended = true
      return URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
    }

    @Test("continues without its session's delegate queue, whatever the closure returns")
    func withoutDelegateQueue() async throws {
      try await withStubs {
        stub(condition: isPath("/text")) { _ in .text("by a closure") }
        stub(condition: isPath("/challenge")) { _ in .text("who are you?", status: 401) }
        stub(condition: isPath("/error")) { _ in throw URLError(.networkConnectionLost) }
        let session = Self.heldUpSession()
        let (text, _) = try await session.data(from: url("http://a.example/text"))
        #expect(String(decoding: text, as: UTF8.self) == "by a closure")
        let (_, challenge) = try await session.data(from: url("http://a.example/challenge"))
        #expect((challenge as? HTTPURLResponse)?.statusCode == 401)
        let error = await #expect(throws: URLError.self) { try await session.data(from: url("http://a.example/error")) }
        #expect(error?.code == .networkConnectionLost)
        #expect(session.delegateQueue.operationCount == 0)
      }
    }

    @Test("continues on the delegate queue if its own delegate is told there")
    func ownDelegate() async throws {
      try await withStubs {
        stub(condition: .anything) { _ in .text("by a closure") }
        let session = Self.heldUpSession()
        let events = TransferEvents()
        let call = Task { try await session.data(from: url("http://a.example/"), delegate: events).0 }
        while session.delegateQueue.operationCount == 0 { await Task.yield() }
        #expect(events.told.isEmpty)
        session.delegateQueue.isSuspended = false
        let data = try await call.value
        #expect(data == Data("by a closure".utf8))
        #expect(!events.told.isEmpty)
      }
    }
  }
#endif
