import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub's own callback", .inTurn)
struct StubFinishTests {
  private struct Refusal: Error {}

  @Test("no longer counts as an observer of its registry once it, or its stub, is removed")
  func takenAway() {
    for (name, takeAway) in [
      ("the callback", { _ = $0.onFinish(nil) }), ("the stub", { $0.remove() }),
      ("all stubs", { _ in StubRegistry.current.removeAll() }),
      (
        "a callback of a removed stub",
        { stub in
          stub.remove()
          stub.onFinish { _ in }
        }
      ),
    ] as [(String, (Stub) -> Void)] {
      withStubs {
        let (first, second) = (stub(condition: .anything, response: .ok), stub(condition: .anything, response: .ok))
        // The first has two, of which the later one counts.
        for stub in [first, second, first] { stub.onFinish { _ in } }
        takeAway(first)
        #expect(
          StubRegistry.current.snapshot()?.listeners.isEmpty == (name == "all stubs"), "\(name): the other one is heard"
        )
        takeAway(second)
        #expect(StubRegistry.current.snapshot()?.listeners.isEmpty == true, "\(name)")
      }
    }
  }

  @Test("hears of each request before its task does, whatever the journal keeps", arguments: [0, 1_000])
  func outcomes(limit: Int) async throws {
    try await withStubs {
      HTTPStubs.journal.limit = limit
      let heard = Locked<[String]>([])
      let note: @Sendable (RecordedRequest) -> Void = { request in
        let parts = "\(request.response?.status ?? 0) \(request.duration != nil) \(request.stub?.name ?? "-")"
        let error = request.outcome.error.map { ($0 as? URLError).map { "\($0.errorCode)" } ?? "\($0)" }
        heard.withLock { $0.append("\(request.url.path) \(error ?? "\(request.outcome)") \(parts)") }
      }
      stub(condition: isPath("/lost"), response: .failure(.networkConnectionLost), name: "l").onFinish(note)
      stub(condition: isPath("/refused"), name: "r") { _ in throw Refusal() }.onFinish(note)
      stub(condition: isPath("/old"), response: .redirect(to: "http://a.example/other"), name: "o").onFinish(note)
      stub(condition: isPath("/other"), response: .status(204))
      let users = stub(condition: isPath("/users"), response: .text("all"), name: "u").onFinish(note)
      for path in ["lost", "refused", "old", "users"] {
        let count = heard.withLock(\.count)
        _ = await URLSession.shared.failure(of: "http://a.example/\(path)")
        #expect(heard.withLock(\.count) == count + 1, "\(path)")
      }
      #expect(
        heard.withLock(\.self) == [
          "/lost -1005 0 true l", "/refused Refusal() 0 true r", "/old answered with 302 302 true o",
          "/users answered with 200 200 true u",
        ])
      // One that is taken away hears nothing.
      users.onFinish(nil)
      _ = try await URLSession.shared.fetch("http://a.example/users")
      #expect(heard.withLock(\.count) == 4)
    }
  }

  /// The client leaves while StubKit waits for the rest of its stream, which the stub doesn't need.
  @Test("hears once of a request that is cancelled before its body has come")
  func cancelledUpload() async throws {
    try await withStubs {
      let (heard, release) = (Log<String>(), DispatchSemaphore(value: 0))
      stub(condition: isPath("/log"), response: .ok).onFinish { heard.note("\($0.outcome)") }
      var upload = request("http://a.example/log", method: "POST")
      let stream = WatchedStream(Data("x".utf8), release: release)
      upload.httpBodyStream = stream
      let task = URLSession.shared.dataTask(with: upload) { _, _, _ in }
      task.resume()
      try await until("the stream is read") { stream.isTouched }
      task.cancel()
      for _ in 0..<4 { release.signal() }
      try await until("the callback has heard of it") { !heard.entries.isEmpty }
      _ = await StubRegistry.current.inFlight.awaitEnd()
      #expect(heard.entries == ["cancelled"])
    }
  }

  /// What it has heard is what the journal and everybody else have.
  @Test("hears of the end that the journal has, although the client cancels while it runs")
  func cancelledMeanwhile() async throws {
    try await withStubs {
      let (heard, isInside, end) = (Log<String>(), Latch(), Latch())
      HTTPStubs.onRequest { heard.note("listener: \($0.outcome)") }
      stub(condition: isPath("/users"), response: .text("all")).onFinish { request in
        heard.note("stub: \(request.outcome)")
        isInside.open()
        end.blockUntilOpened()
      }
      let task = URLSession.shared.dataTask(with: url("http://a.example/users")) { _, _, _ in }
      task.resume()
      try await until("the callback runs") { isInside.isOpen }
      task.cancel()
      end.open()
      try await until("the listener has heard of it") { heard.entries.count == 2 }
      #expect(heard.entries == ["stub: answered with 200", "listener: answered with 200"])
      try await until("the request is over") { HTTPStubs.requests.allSatisfy { $0.outcome != .inProgress } }
      #expect(HTTPStubs.requests.map { "\($0.outcome)" } == ["answered with 200"])
    }
  }

  @Test("is called without a layer on the stack for each earlier request")
  func directness() async throws {
    try await withStubs {
      let depths = Locked<[Int]>([])
      stub(condition: .anything, response: .status(204))
        .onFinish { _ in depths.withLock { $0.append(Thread.callStackReturnAddresses.count) } }
      for _ in 0..<40 { _ = try await URLSession.shared.fetch("http://a.example/") }
      let found = depths.withLock { $0 }
      // A layer for each request would be 40.
      #expect(found.count == 40 && found.max()! - found.min()! < 30, "\(found)")
    }
  }
}
