import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Those who listen with onRequest", .inTurn)
struct ListeningTests {
  private struct Failure: LocalizedError { var errorDescription: String? { "as planned" } }

  /// What is told of a request, and what the journal has of it.
  private static func text(_ request: RecordedRequest) -> String {
    let response = request.response.map { ", \($0)" } ?? ""
    let path = request.url.path()
    return "\(request.method) \(path): \(request.outcome), by \(request.stub?.name ?? "no stub")\(response)"
  }

  /// A request to `/x` that ends in one way.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the client learns of it later than the listeners do.
    let isTold: Bool
    let method: String
    let told: [String]
    let addStubs: @Sendable (_ server: LoopbackServer) -> Void

    init(
      _ name: String, isTold: Bool = true, method: String = "GET", _ told: String...,
      addStubs: @escaping @Sendable (LoopbackServer) -> Void
    ) {
      (self.name, self.isTold, self.method, self.told, self.addStubs) = (name, isTold, method, told, addStubs)
    }

    static func response(_ name: String, _ response: StubResponse, _ told: String) -> Row {
      Row(name, "GET /x: \(told)") { _ in stub(condition: isPath("/x"), response: response, name: "x") }
    }

    var testDescription: String { name }
  }

  static let rows = [
    Row.response("an answer", .text("abc"), "answered with 200, by x, 200, 3 bytes"),
    .response("a late answer", .text("abc").delay(.milliseconds(1)), "answered with 200, by x, 200, 3 bytes"),
    .response("no body", .status(204), "answered with 204, by x, 204, 0 bytes"),
    .response("a stream", .stream(AsyncStream(texts: "ab", "c")), "answered with 200, by x, 200, 3 bytes"),
    .response(
      "a body that breaks off", .text("abc").failing(afterBytes: 2),
      "failed: URLError.networkConnectionLost, by x, 200, 2 bytes"),
    .response("a challenge", .basicChallenge(realm: "x"), "answered with 401, by x, 401, 0 bytes"),
    Row("a failure", "GET /x: failed: as planned, by x") { _ in
      stub(condition: isPath("/x"), response: .failure(Failure()), name: "x")
    },
    Row("a closure that throws", "GET /x: failed: as planned, by x") { _ in
      stub(condition: isPath("/x"), name: "x") { _ in throw Failure() }
    },
    Row(
      "a redirect, and where it leads", "GET /x: answered with 302, by x, 302, 0 bytes",
      "GET /new: answered with 200, by new, 200, 3 bytes"
    ) { _ in
      stub(condition: isPath("/x"), response: .redirect(to: "/new"), name: "x")
      stub(condition: isPath("/new"), response: .text("new"), name: "new")
    },
    Row("a policy that answers", "GET /x: answered with 404, by no stub, 404, 2 bytes") { _ in
      HTTPStubs.unmatched = .respond { _ in .text("no", status: 404) }
    },
    Row("no network", "GET /x: failed: offline, by x") { _ in
      HTTPStubs.network = .offline
      stub(condition: isPath("/x"), response: .ok, name: "x")
    },
    Row("no stub", "GET /x: failed: unmatched, by no stub") { _ in },
    Row("a stub that passes on", isTold: false, "GET /x: passed through to the network, by x") { _ in
      stub(condition: isPath("/x"), response: .passThrough, name: "x")
    },
    Row("a policy that passes on", isTold: false, "GET /x: passed through to the network, by no stub") { _ in
      HTTPStubs.unmatched = .passThrough
    },
  ]

  @Test("hear of each outcome, once, before the client does or soon afterwards", arguments: rows)
  func outcomes(row: Row) async throws {
    let server = try LoopbackServer()
    let (log, registry) = (Log<String>(), StubRegistry())
    let shorter: @Sendable (String) -> String = { text in
      let text = text.replacing(/failed: No stub matches.*, by/.dotMatchesNewlines(), with: "failed: unmatched, by")
      return text.replacing(/failed: The network of the test is .offline[^,]*,[^,]*, by/, with: "failed: offline, by")
    }
    try await withStubs(in: registry) {
      HTTPStubs.onRequest { log.note(Self.text($0)) }
      row.addStubs(server)
      // A loopback server, where a request is passed on.
      let session = HTTPStubs.makeSession()
      _ = try? await session.fetch(request(server.url("/x"), method: row.method))
      if row.isTold { #expect(log.entries.map(shorter) == row.told) }
      try await until("all is told") { log.entries.count >= row.told.count }
    }
    #expect(log.entries.map(shorter) == row.told)
    #expect(log.entries == registry.journal.entries.map(Self.text))
  }

  @Test("hear once of each request that the end of its scope fails, or that is cancelled")
  func withoutAnswer() async throws {
    let (log, registry) = (Log<String>(), StubRegistry())
    let (gate, condition) = (ResponseGate(), Latch())
    withStubs(in: registry) {
      HTTPStubs.onRequest {
        log.note("\($0.url.path()) \($0.outcome.error is StubScopeEndedError) \($0.outcome == .cancelled)")
      }
      stub(condition: isPath("/held"), response: .ok.held(by: gate))
      stub(condition: isPath("/closure") && { _ in condition.blockUntilOpened() }, response: .ok)
      let session = HTTPStubs.makeSession()
      for number in 1...20 {
        for path in ["held", "cancelled", "closure"] {
          let task = session.dataTask(with: url("http://a.example/\(path)")) { _, _, _ in }
          task.resume()
          if path != "held", number > 1 { task.cancel() }
        }
      }
      condition.open()
    }
    #expect(log.entries.count { $0 == "/held true false" } == 20, "\(log.entries)")
    // A search goes on after its client has left. A request that is cancelled before it is sent is none.
    try await until("all are told") { log.entries.count == registry.journal.entries.count }
  }

  @Test("have heard of each cancelled request when the wait at the end of a test is over")
  func endOfTest() async throws {
    for _ in 1...20 {
      let log = Log<String>()
      try await withStubs {
        let stub = stub(condition: .anything) { _ in
          // Until its request is cancelled.
          await Latch().pass()
          return .ok
        }
        HTTPStubs.onRequest { log.note("\($0.outcome)") }
        let tasks = (1...10).map { URLSession.shared.dataTask(with: url("http://a.example/\($0)")) { _, _, _ in } }
        for task in tasks { task.resume() }
        try await stub.waitForCalls(10, timeout: .seconds(30))
        for task in tasks { task.cancel() }
        _ = await StubRegistry.current.inFlight.awaitEnd()
        #expect(log.entries == Array(repeating: "cancelled", count: 10))
      }
    }
  }

  /// How somebody listens.
  static let ways: [(name: String, listen: @Sendable (Stub, @escaping Work) -> Void)] = [
    ("onRequest", { _, hear in HTTPStubs.onRequest { _ in hear() } }),
    ("onFinish of the stub", { stub, hear in stub.onFinish { _ in hear() } }),
    ("onActivation", { _, hear in StubRegistry.current.onActivation { _, _, _ in hear() } }),
    ("onFinish", { _, hear in StubRegistry.current.onFinish { _, _, _, _ in hear() } }),
  ]

  @Test(
    "are waited for by the end of their scope and test, although the client cancels while they run",
    arguments: ways.indices)
  func clientCancels(way: Int) async throws {
    let (inside, latch, told) = (Latch(), Latch(), Latch())
    let log = Log<String>()
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("abc"))
      Self.ways[way].listen(stub) {
        inside.open()
        latch.blockUntilOpened()
        log.note("heard")
      }
      let task = URLSession.shared.dataTask(with: url("http://a.example/")) { _, _, _ in told.open() }
      task.resume()
      try await until("the listener runs") { inside.isOpen }
      task.cancel()
      try await until("the client knows") { told.isOpen }
      let requests = StubRegistry.current.inFlight
      try await until("the callbacks of the client have returned") {
        requests.table.withLock { $0.entries.values.allSatisfy { $0.state.life.callbacks != .pending } }
      }
      let generation = requests.generation.number
      let counts = requests.table.withLock { (scope: $0.callbackCount(of: generation), test: $0.comingCount) }
      #expect(counts.scope == 1 && counts.test == 1, "\(Self.ways[way].name)")
      latch.open()
    }
    #expect(log.entries.first == "heard")
  }

  @Test("hear once of each of 200 requests at the same time, of which some are redirected, unmatched or cancelled")
  func many() async throws {
    let (paths, registry) = (Log<String>(), StubRegistry())
    await withStubs(in: registry) {
      HTTPStubs.onRequest { paths.note($0.url.path()) }
      stub(condition: isPath(template: "/redirected/{id}")) { _, match in .redirect(to: "/answered/\(match["id"]!)") }
      stub(condition: pathStartsWith("/answered/"), response: .text("abc").chunked(by: 1))
      await withTaskGroup(of: Void.self) { group in
        for number in 1...200 {
          group.addTask {
            let path = ["redirected", "answered", "unmatched"][number % 3]
            let task = Task { await URLSession.shared.failure(of: "http://a.example/\(path)/\(number)") }
            if number % 4 == 0 { task.cancel() }
            _ = await task.value
          }
        }
      }
    }
    // Some requests are cancelled before they are made, and the journal doesn't have those.
    #expect(paths.entries.sorted() == registry.journal.entries.map { $0.url.path() }.sorted())
    #expect(paths.entries.count >= 150)
  }

  @Test("hear the same of each request if they are several")
  func several() async throws {
    let (one, other) = (Log<String>(), Log<String>())
    await withStubs {
      HTTPStubs.onRequest { one.note(Self.text($0)) }
      HTTPStubs.onRequest { other.note(Self.text($0)) }
      stub(condition: isPath("/a"), response: .ok)
      for path in ["a", "none"] { _ = await URLSession.shared.failure(of: "http://a.example/\(path)") }
    }
    #expect(one.entries == other.entries)
    #expect(one.entries.count == 2)
  }

  @Test("don't hear of a request that was made before they listened")
  func earlierRequest() async throws {
    let (log, gate) = (Log<String>(), ResponseGate())
    try await withStubs {
      stub(condition: .anything, response: .ok.held(by: gate))
      async let early = URLSession.shared.fetch("http://a.example/early")
      try await until("the request is held") { gate.waitingCount == 1 }
      HTTPStubs.onRequest { log.note($0.url.path()) }
      gate.open()
      _ = try await early
      _ = try await URLSession.shared.fetch("http://a.example/late")
      #expect(log.entries == ["/late"])
    }
  }

  @Test("can each stop, once or twice, while a request is under way of which the others hear")
  func removal() async throws {
    let (log, gate) = (Log<String>(), ResponseGate())
    try await withStubs {
      stub(condition: .anything, response: .ok.held(by: gate))
      let stopFirst = HTTPStubs.onRequest { log.note("first \($0.url.path())") }
      let stopSecond = HTTPStubs.onRequest { log.note("second \($0.url.path())") }
      async let held = URLSession.shared.fetch("http://a.example/held")
      try await until("the request is held") { gate.waitingCount == 1 }
      stopFirst()
      stopFirst()
      gate.open()
      _ = try await held
      #expect(log.entries == ["second /held"])
      stopSecond()
      _ = try await URLSession.shared.fetch("http://a.example/last")
      #expect(log.entries == ["second /held"])
      // With no one left, requests aren't observed any more.
      #expect(StubRegistry.current.snapshot()?.listeners.isEmpty == true)
    }
  }

  @Test("can use StubKit and URLSession")
  func use() async throws {
    let log = Log<String>()
    try await withStubs {
      let registry = StubRegistry.current
      let users = stub(condition: isPath("/users"), response: .text("users"))
      HTTPStubs.onRequest { request in
        log.note("\(request.url.path()) \(StubRegistry.current === registry)")
        guard request.url.path() == "/users" else { return }
        // The request has not ended: its client waits for this.
        log.note("\(HTTPStubs.requests.map(\.outcome)) \(users.callCount) \(HTTPStubs.journal.unmatchedRequests.count)")
        let stop = HTTPStubs.onRequest { _ in log.note("never") }
        stop()
        stub(condition: isPath("/inner"), response: .text("inner"))
        let inner = try? Data(contentsOf: url("http://a.example/inner"))
        log.note(inner?.text ?? "nothing")
        users.remove()
        HTTPStubs.forgetRequests()
        HTTPStubs.removeAllStubs()
      }
      _ = try await URLSession.shared.fetch("http://a.example/users")
      #expect(log.entries == ["/users true", "[in progress] 1 0", "/inner true", "inner"])
      #expect(HTTPStubs.requests.isEmpty && HTTPStubs.allStubs().isEmpty)
    }
  }

  @Test("don't hear of a response from the session's cache, which is no request to a stub")
  func cached() async throws {
    let log = Log<String>()
    let session = URLSession(configuration: .ephemeral)
    try await withStubs {
      HTTPStubs.onRequest { log.note($0.url.path()) }
      stub(condition: .anything, response: .text("new"))
      var kept = request("http://a.example/kept")
      kept.cachePolicy = .returnCacheDataElseLoad
      session.configuration.urlCache?.keep("kept", for: kept, fields: ["Cache-Control": "max-age=60"])
      let text = try await session.fetch(kept).text
      #expect(text == "kept")
      #expect(log.entries.isEmpty)
    }
  }

  @Test("don't hear of a request that another registry has")
  func others() async throws {
    let log = Log<String>()
    try await withStubs {
      HTTPStubs.onRequest { log.note($0.url.path()) }
      try await withStubs {
        stub(condition: .anything, response: .ok)
        _ = try await URLSession.shared.fetch("http://a.example/inner")
      }
      #expect(log.entries.isEmpty)
    }
  }

  @Test("are let go of outside URLSession's queues")
  func release() async throws {
    final class Witness: Sendable {
      let latch: Latch
      init(_ latch: Latch) { self.latch = latch }
      deinit {
        // Traps on URLSession's own queue.
        _ = URLSession.shared.dataTask(with: URL(string: "http://a.example/")!)
        latch.open()
      }
    }
    let (stopped, kept) = (Latch(), Latch())
    try await withStubs {
      stub(condition: .anything, response: .text("x"))
      do {
        let (first, second) = (Witness(stopped), Witness(kept))
        let stop = HTTPStubs.onRequest { _ in withExtendedLifetime(first) {} }
        HTTPStubs.onRequest { _ in withExtendedLifetime(second) {} }
        _ = try await URLSession.shared.fetch("http://a.example/x")
        stop()
      }
      await stopped.pass()
    }
    await kept.pass()
  }
}
