#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("What a session means to do with a task", .inTurn)
  struct TaskBehavioursTests {
    private static func audience(of task: URLSessionTask, _ session: URLSession) throws -> String {
      let behaviours = try TaskBehaviours()
      let queue = try TaskFields().workQueue(of: task)
      return queue.sync {
        let hasOwn = behaviours.hasOwnDelegate(task, in: session)
        return switch behaviours.receiver(of: task, in: session) {
        case .unknown: "unknown"
        case .handler: "a handler, \(hasOwn)"
        case .listener(let listener): "\(type(of: listener.delegate)), \(listener.isOwn), \(hasOwn)"
        }
      }
    }

    @Test("is known of an async call, with a delegate and without", arguments: [false, true])
    func asyncCalls(hasDelegate: Bool) async throws {
      try await withStubs {
        stub(condition: .anything, response: .empty().delay(.seconds(600)))
        let delegate = hasDelegate ? TransferEvents() : nil
        for isDownload in [false, true] {
          // One for each: the system may crash when it is asked for its tasks while one of them ends.
          let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
          let call = Task {
            let request = URLRequest(url: url("http://a.example/"))
            if isDownload {
              _ = try await session.download(for: request, delegate: delegate)
            } else {
              _ = try await session.data(for: request, delegate: delegate)
            }
          }
          try await StubRegistry.current.loads.whenCount(is: 1)
          let tasks = try await untilResumed { reply in
            session.getAllTasks { reply.resume(returning: $0) }
          }
          let task = try #require(tasks.first { $0.state == .running })
          let audience = try Self.audience(of: task, session)
          #expect(audience == (hasDelegate ? "TransferEvents, true, true" : "a handler, false"))
          call.cancel()
          _ = try? await call.value
          try await StubRegistry.current.loads.whenCount(is: 0)
        }
      }
    }

    @Test("is known of a task with a completion handler, and of one without")
    func otherCalls() throws {
      try withStubs {
        stub(condition: .anything, response: .empty().delay(.seconds(600)))
        let address = url("http://a.example/")
        let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
        let tasks: [(URLSessionTask, String)] = [
          (session.dataTask(with: address), "DelegateEvents, false, false"),
          (session.downloadTask(with: address), "DelegateEvents, false, false"),
          (session.dataTask(with: address) { _, _, _ in }, "a handler, false"),
          (session.downloadTask(with: address) { _, _, _ in }, "a handler, false"),
        ]
        for (task, expected) in tasks {
          task.resume()
          let audience = try Self.audience(of: task, session)
          #expect(audience == expected)
          task.cancel()
        }
        let plain = URLSession(configuration: .ephemeral)
        let task = plain.dataTask(with: address)
        task.resume()
        let audience = try Self.audience(of: task, plain)
        #expect(audience == "a handler, false")
        task.cancel()
      }
    }
  }
#endif
