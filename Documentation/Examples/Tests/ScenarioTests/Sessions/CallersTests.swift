import Dispatch
import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Callers of every kind", .inTurn)
struct CallersTests {
  private let url = URL(string: "https://callers.invalid/")!

  @Test("with a delegate are told of response, data and completion, in this order")
  func delegate() async throws {
    let events = SessionEvents()
    let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
    let told = try await withStubs {
      stub(condition: isMethodGET(), response: .text("Hello", status: 201))
      session.dataTask(with: url).resume()
      return try await events.untilCompletion
    }
    #expect(told == [.response(status: 201), .data("Hello"), .finished])
  }

  @Test("with a delegate are told of a failure and of nothing else")
  func delegateFailure() async throws {
    let events = SessionEvents()
    let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
    let told = try await withStubs {
      stub(condition: .anything, response: .failure(.cannotFindHost))
      session.dataTask(with: url).resume()
      return try await events.untilCompletion
    }
    #expect(told == [.failed(domain: NSURLErrorDomain, code: URLError.cannotFindHost.rawValue)])
  }

  @Test("that cancel before the data comes are told of the cancellation and of nothing else")
  func cancelled() async throws {
    let events = SessionEvents()
    let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
    let (calls, called) = AsyncStream<Void>.makeStream()
    let (forever, neverYielded) = AsyncStream<Void>.makeStream()
    defer { neverYielded.finish() }
    let (told, outcomes) = try await withStubs {
      stub(condition: isPath("/cancelled")) { _ in
        called.yield()
        // Ends when the cancellation reaches the closure, so that its answer comes just too late.
        for await _ in forever {}
        return .text("late")
      }
      stub(condition: isPath("/after"), response: .empty().delay(.milliseconds(20)))
      let task = session.dataTask(with: url.appendingPathComponent("cancelled"))
      task.resume()
      try await next(of: calls, when: "the closure has begun")
      task.cancel()
      let told = try await events.untilCompletion
      // When this one has come, whatever the cancelled one had to tell is past.
      _ = try await URLSession.shared.data(from: url.appendingPathComponent("after"))
      let stillTold = try await events.untilCompletion
      #expect(stillTold == told)
      return (told, StubRegistry.current.journal.requests(matching: isPath("/cancelled")).map(\.outcome))
    }
    #expect(told == [.failed(domain: NSURLErrorDomain, code: URLError.cancelled.rawValue)])
    #expect(outcomes == [.cancelled])
  }

  @Test("that block their thread until the answer comes do not wait for ever")
  func blocking() throws {
    let queue = DispatchQueue(label: "caller")
    let bodies = withStubs {
      stub(condition: isPath("/value"), response: .text("value"))
      stub(condition: isPath("/closure")) { _ in .text("closure") }
      stub(condition: isPath("/delayed"), response: .text("delayed").delay(.milliseconds(20)))
      let paths = ["value", "closure", "delayed"]
      return paths.map(blockingBody) + queue.sync { paths.map(blockingBody) }
    }
    #expect(bodies == ["value", "closure", "delayed", "value", "closure", "delayed"])
  }

  private func blockingBody(of path: String) -> String? {
    let done = DispatchSemaphore(value: 0)
    let result = Received()
    URLSession.shared.dataTask(with: url.appendingPathComponent(path)) { data, _, _ in
      result.data = data
      done.signal()
    }.resume()
    done.wait()
    return result.data.map { String(decoding: $0, as: UTF8.self) }
  }

  @MainActor @Test("on the main actor get their answers there")
  func mainActor() async throws {
    let data = try await withStubs {
      stub(condition: .anything) { _ in .text("main") }
      let (data, _) = try await URLSession.shared.data(from: url)
      MainActor.assertIsolated()
      return data
    }
    #expect(data == Data("main".utf8))
  }

  @Test("that forgot the URL get the system's own error")
  func withoutURL() async {
    var request = URLRequest(url: url)
    request.url = nil
    let withoutURL = request
    await withStubs {
      let any = stub(condition: .anything, response: .empty())
      await #expect(throws: (any Error).self) { try await URLSession.shared.data(for: withoutURL) }
      #expect(any.callCount == 0)
    }
  }

  @Test("that are many at once each get their own answer")
  func concurrent() async throws {
    let bodies = try await withStubs {
      stub(condition: isPath(template: "/{id}")) { _, match in try .text(match("id")) }
      return try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for id in 1...50 {
          group.addTask {
            let (data, _) = try await URLSession.shared.data(from: url.appendingPathComponent("\(id)"))
            return (id, String(decoding: data, as: UTF8.self))
          }
        }
        return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
      }
    }
    #expect(bodies.count == 50)
    #expect(bodies.allSatisfy { "\($0)" == $1 })
  }
}

/// What a completion handler leaves for the thread that waits for it.
private final class Received: @unchecked Sendable {
  // @unchecked holds because the semaphore puts the one reading after the one writing.
  var data: Data?
}
