import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A stub's own callback", .inTurn)
struct StubFinishTests {
  @Test("hears of each request before its task does, with what came of it")
  func answers() async throws {
    try await withStubs {
      let heard = Locked<[RecordedRequest]>([])
      let users = stub(condition: isPath("/users"), response: .text("all"))
        .onFinish { request in heard.withLock { $0.append(request) } }
      stub(condition: isPath("/other"), response: .empty())
      _ = try await URLSession.shared.fetch("http://a.example/other")
      #expect(heard.withLock(\.count) == 0)
      _ = try await URLSession.shared.fetch("http://a.example/users")
      let requests = heard.withLock { $0 }
      #expect(requests.map(\.outcome) == [.answered(status: 200)])
      #expect(requests.first?.response?.status == 200 && requests.first?.duration != nil)
      #expect(requests.first?.stub?.location == users.location)
      users.onFinish(nil)
      _ = try await URLSession.shared.fetch("http://a.example/users")
      #expect(heard.withLock(\.count) == 1)
    }
  }

  @Test("hears of failures, of closures that throw, and of redirects")
  func others() async throws {
    struct Refusal: Error {}
    try await withStubs {
      let heard = Locked<[String: RecordedRequest.Outcome]>([:])
      let note: @Sendable (RecordedRequest) -> Void = { request in
        heard.withLock { $0[request.request.url!.path] = request.outcome }
      }
      stub(condition: isPath("/lost"), response: .failure(.networkConnectionLost)).onFinish(note)
      stub(condition: isPath("/refused")) { _ in throw Refusal() }.onFinish(note)
      stub(condition: isPath("/old"), response: .redirect(to: "http://a.example/new")).onFinish(note)
      stub(condition: isPath("/new"), response: .text("new"))
      _ = await URLSession.shared.failure(of: "http://a.example/lost")
      _ = await URLSession.shared.failure(of: "http://a.example/refused")
      let text = try await URLSession.shared.fetch("http://a.example/old").text
      #expect(text == "new")
      #expect(
        heard.withLock { $0 } == [
          "/lost": .failed(URLError(.networkConnectionLost)), "/refused": .failed(Refusal()),
          "/old": .answered(status: 302),
        ])
    }
  }

  @Test("is called as directly after many requests as at first")
  func directness() async throws {
    try await withStubs {
      let depths = Locked<[Int]>([])
      stub(condition: .anything, response: .empty())
        .onFinish { _ in depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
      for _ in 0..<40 { _ = try await URLSession.shared.fetch("http://a.example/") }
      let found = depths.withLock { $0 }
      // A layer for each request would be 40.
      #expect(found.count == 40 && found.max()! - found.min()! < 30, "\(found)")
    }
  }

  @Test("hears of a cancellation soon after it")
  func cancellation() async throws {
    let registry = StubRegistry()
    let (outcomes, note) = AsyncStream.makeStream(of: RecordedRequest.Outcome.self)
    let never = stub(condition: .anything, response: .empty().held(by: ResponseGate()), in: registry)
      .onFinish { note.yield($0.outcome) }
    let session = registry.makeSession(configuration: .patient)
    let task = session.dataTask(with: url("http://a.example/"))
    task.resume()
    try await never.waitForCalls(1)
    task.cancel()
    let outcome = await outcomes.first { _ in true }
    #expect(outcome == .cancelled)
  }

  @Test("hears of requests that the journal does not keep, and may make requests itself")
  func unkept() async throws {
    try await withStubs {
      StubRegistry.current.journal.limit = 0
      let heard = Locked<[String]>([])
      let isDone = DispatchSemaphore(value: 0)
      stub(condition: isPath("/second"), response: .text("2"))
      stub(condition: isPath("/first"), response: .text("1")).onFinish { request in
        URLSession.shared.dataTask(with: url("http://a.example/second")) { data, _, _ in
          heard.withLock { $0 = ["\(request.outcome)", data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"] }
          isDone.signal()
        }.resume()
        isDone.wait()
      }
      _ = try await URLSession.shared.fetch("http://a.example/first")
      #expect(heard.withLock { $0 } == ["answered with 200", "2"])
    }
  }
}
