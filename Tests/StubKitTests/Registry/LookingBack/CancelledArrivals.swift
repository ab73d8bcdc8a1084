import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Requests whose task, or whose client's task, is cancelled.
extension ArrivalTests {
  @Test("counts even if the task is cancelled at once, but as a call only if it has reached its stub")
  func cancelled() async throws {
    for _ in 0..<Self.repetitions {
      try await withStubs {
        let stub = stub(condition: isPath("/ads"), response: .status(204))
        let task = URLSession.shared.dataTask(with: request("http://a.example/ads"))
        task.resume()
        task.cancel()
        #expect(throws: VerificationError.self) { try verify(isPath("/ads"), called: .never) }
        try await until("the task is over") { task.state == .completed }
        let entry = try #require(StubRegistry.current.journal.entries.first)
        // It may have reached its stub or not.
        #expect(stub.callCount == (entry.stub == nil ? 0 : 1))
        #expect(StubRegistry.current.journal.unmatchedRequests.isEmpty)
      }
    }
  }

  @Test("counts even if it is cancelled while the session's cache is asked, and leaves other answers certain")
  func cancelledBeforeArrival() async throws {
    for _ in 0..<Self.repetitions {
      try await withStubs {
        stub(condition: .anything, response: .ok)
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let task = URLSession(configuration: configuration).dataTask(with: request("http://a.example/ads"))
        task.resume()
        task.cancel()
        try verify(isPath("/ads"), called: .once)
        // So does one of a client that is cancelled already, to another path.
        await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = await URLSession.shared.failure(of: "http://a.example/page")
        }.value
        try verify(isPath("/other"), called: .never)
      }
    }
  }

  @Test("takes no use of a stub if it is cancelled while conditions are asked")
  func left() async throws {
    try await withStubs {
      let slow = SlowCondition()
      let once = stub(condition: slow.matcher, response: .status(204), times: 1)
      let leaving = Task { await URLSession.shared.failure(of: "http://a.example/ads") }
      try await until("the condition is asked") { slow.isAsked.isOpen }
      leaving.cancel()
      _ = await leaving.value
      slow.answer.open()
      let entry = try #require(StubRegistry.current.journal.entries.first)
      #expect(entry.outcome == .cancelled)
      #expect(entry.stub == nil && once.callCount == 0)
      #expect(try await URLSession.shared.fetch("http://a.example/ads").status == 204)
    }
  }

  #if os(Linux)
    @Test(
      "fails if an async call makes it in a cancelled task, as with a server", .disabled(if: Platform.internals == nil),
      arguments: [
        StubResponse.ok, .text("x").delay(.milliseconds(1)), .controlled, .noAnswer, .failure(.badURL), .passThrough,
      ], [false, true])
    func inCancelledTask(response: StubResponse, asksClosure: Bool) async throws {
      let request = request("http://a.example/page", method: "POST", body: "a")
      let calls: KeyValuePairs<String, @Sendable () async throws -> Void> = [
        "data": { _ = try await URLSession.shared.data(for: request) },
        "upload": { _ = try await URLSession.shared.upload(for: request, from: Data("a".utf8)) },
        "download": { _ = try await URLSession.shared.download(for: request) },
      ]
      for (name, call) in calls {
        await withStubs {
          let condition = asksClosure ? isPath("/page") && { _ in true } : isPath("/page")
          let stub = stub(condition: condition, response: response)
          let task = Task {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
            try await call()
          }
          task.cancel()
          let error = await #expect(throws: URLError.self, "\(name)") { try await task.value }
          #expect(error?.code == .cancelled, "\(name)")
          #expect(stub.callCount == 0, "\(name)")
          #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled], "\(name)")
        }
      }
    }

    @Test("is answered even if a cancelled Swift task has resumed its URLSession task")
    func resumedInCancelledTask() async {
      await withStubs {
        stub(condition: isPath("/page"), response: .ok)
        let request = request("http://a.example/page")
        let status = Task {
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
          return await withCheckedContinuation { continuation in
            URLSession.shared.dataTask(with: request) { _, response, _ in
              continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode)
            }.resume()
          }
        }
        status.cancel()
        #expect(await status.value == 200)
      }
    }
  #endif
}
