import Foundation
import StubKitOHHTTPStubs
import TestSupport
import Testing

@testable import StubKit

@Suite("Those who observe a registry", .inTurn)
struct ObservingTests {
  @TaskLocal private static var requester = "nobody"

  /// Has everything that the current registry tells written down.
  private func observe(_ log: Log<String>) {
    StubRegistry.current.onActivation { request, stub, response in
      log.note("activation \(request.url!.path) \(stub.name ?? "-") \(response.status)")
    }
    HTTPStubs.onStubRedirectResponse { request, redirected, stub, response in
      log.note("redirect \(request.url!.path) \(redirected.url!.path) \(stub.name ?? "-") \(response.status)")
    }
    StubRegistry.current.onFinish { request, stub, response, error in
      let ending = error.map { ($0 as? URLError).map { "\($0.code.rawValue)" } ?? "\($0)" } ?? "well"
      log.note("finish \(request.url!.path) \(stub.name ?? "-") \(response.status) \(ending)")
    }
    StubRegistry.current.onMissing { request in log.note("missing \(request.url!.path)") }
  }

  /// What is told of a request to `/x`.
  struct Row: Sendable {
    let name: String
    let told: [String]
    let addStubs: @Sendable () -> Void

    init(_ name: String, _ told: String..., addStubs: @escaping @Sendable () -> Void) {
      (self.name, self.told, self.addStubs) = (name, told, addStubs)
    }

    static func response(_ name: String, _ response: StubResponse, ends ending: String) -> Row {
      Row(name, "activation /x x \(response.status)", "finish /x x \(response.status) \(ending)") {
        stub(condition: isPath("/x"), response: response, name: "x")
      }
    }

    static func policy(_ name: String, _ policy: UnmatchedPolicy) -> Row {
      Row(name, "missing /x") {
        HTTPStubs.unmatched = policy
        stub(condition: isPath("/other"), response: .status(204))
      }
    }
  }

  private struct Failure: Error, CustomStringConvertible { let description = "as planned" }

  static let rows = [
    Row(
      "a redirect, and where it leads", "activation /x x 302", "redirect /x /new x 302", "activation /new new 203",
      "finish /new new 203 well"
    ) {
      stub(condition: isPath("/x"), response: .redirect(to: "/new"), name: "x")
      stub(condition: isPath("/new"), response: .text("here", status: 203), name: "new")
    },
    .response("an answer", .text("x"), ends: "well"), .response("nothing", .status(204), ends: "well"),
    .response("a late answer", .text("x").delay(.milliseconds(1)), ends: "well"),
    .response("a demand for a credential that nobody has", .basicChallenge(realm: "x"), ends: "well"),
    .response("a failure", .failure(.timedOut), ends: "-1001"),
    .response("a body that breaks off", .text("abc").failing(afterBytes: 1), ends: "-1005"),
    Row("a redirect that no stub matches", "activation /x x 302", "redirect /x /y x 302", "missing /y") {
      stub(condition: isPath("/x"), response: .redirect(to: "/y"), name: "x")
    },
    Row("a closure that throws", "activation /x x 200", "finish /x x 200 as planned") {
      stub(condition: isPath("/x"), name: "x") { _ in throw Failure() }
    },
    .policy("no stub", .fail), .policy("no stub, and a policy that lets nothing out", .passThrough(when: .nothing)),
    .policy("no stub, and a closure that lets nothing out", .passThrough(when: RequestMatcher("no") { _ in false })),
    .policy("no stub, and a policy that answers", .respond { _ in .text("policy") }),
    .policy("no stub, and a policy that redirects", .respond { _ in .redirect(to: "ftp://a.example/") }),
  ]

  @Test("are told of each step, in order, before the client's call returns")
  func told() async {
    for row in Self.rows {
      let log = Log<String>()
      await withStubs {
        observe(log)
        row.addStubs()
        _ = await URLSession.shared.failure(of: "http://a.example/x")
        #expect(log.entries == row.told, "\(row.name)")
      }
    }
  }

  @Test("hear of a redirect that the delegate refuses as an answer, and of an unstubbed request as missing")
  func others() async throws {
    let server = try LoopbackServer()
    let log = Log<String>()
    try await withStubs {
      observe(log)
      stub(condition: isPath("/old"), response: .redirect(to: "/new"), name: "old")
      let session = AnsweringDelegate(redirect: { _, _ in nil }).session(.ephemeral)
      _ = try await session.fetch("http://a.example/old")
      HTTPStubs.unmatched = .passThrough
      _ = try await URLSession.shared.data(from: server.url("/x"))
    }
    #expect(log.entries == ["activation /old old 302", "finish /old old 302 well", "missing /x"])
  }

  @Test("hear of a cancellation as the end of the request")
  func cancelled() async throws {
    try await withStubs {
      // A closure that hasn't begun when its request is cancelled never runs, and makes no response to hear of.
      let (begun, latch) = (Latch(), Latch())
      let log = Log<String>()
      observe(log)
      stub(condition: isPath("/x"), name: "x") { _ in
        begun.open()
        await latch.pass()
        return .text("x")
      }
      let task = Task { await URLSession.shared.failure(of: "http://a.example/x") }
      #expect(await begun.isOpened(within: 600))
      task.cancel()
      _ = await task.value
      latch.open()
      try await until("the end is told") { log.entries.count == 2 }
      #expect(log.entries == ["activation /x x 200", "finish /x x 200 -999"])
    }
  }

  @Test("have heard of a timeout when the manual clock has been advanced to it")
  func endsOnAManualClock() async {
    let (log, clock, gate) = (Log<String>(), ManualClock.patient, ResponseGate())
    await withStubs(in: StubRegistry(clock: clock)) {
      observe(log)
      stub(condition: isPath("/x"), response: .text("x").held(by: gate), name: "x")
      for number in 1...20 {
        let task = URLSession.shared.dataTask(with: url("http://a.example/x")) { _, _, _ in }
        task.resume()
        // The default timeout of a request. Its activation and its end are told.
        await clock.advance(by: .seconds(60))
        #expect(log.entries.count == 2 * number)
        #expect(log.entries.last == "finish /x x 200 -1001", "\(number)")
      }
    }
  }

  @Test("see the requester's task-locals")
  func context() async throws {
    let log = Log<String>()
    try await withStubs {
      let registry = StubRegistry.current
      stub(condition: isHost("a.example"), response: .text("x"))
      StubRegistry.current.onActivation { request, _, _ in
        log.note("\(Self.requester) \(request.url!.path) \(StubRegistry.current === registry)")
        guard request.url?.path == "/1" else { return }
        do {
          log.note(String(decoding: try Data(contentsOf: URL(string: "http://a.example/inner")!), as: UTF8.self))
        } catch { log.note("\(error)") }
      }
      try await Self.$requester.withValue("me") {
        _ = try await URLSession.shared.fetch("http://a.example/1")
      }
    }
    #expect(log.entries.prefix(2) == ["me /1 true", "me /inner true"] && log.entries.contains("x"), "\(log.entries)")
  }

  @Test("hear nothing once they are set to nil")
  func removal() async throws {
    let log = Log<String>()
    try await withStubs {
      observe(log)
      StubRegistry.current.onActivation(nil)
      HTTPStubs.onStubRedirectResponse(nil)
      StubRegistry.current.onFinish(nil)
      StubRegistry.current.onMissing(nil)
      stub(condition: isPath("/x"), response: .text("x"))
      _ = try await URLSession.shared.fetch("http://a.example/x")
      _ = await URLSession.shared.failure(of: "http://a.example/y")
      #expect(StubRegistry.current.snapshot()?.listeners.isEmpty == true)
    }
    #expect(log.entries.isEmpty)
  }

  @Test("may remove stubs and themselves: what these hold is freed outside URLSession's queues")
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
    let (stubGone, callbackGone) = (Latch(), Latch())
    try await withStubs {
      do {
        let (inStub, inCallback) = (Witness(stubGone), Witness(callbackGone))
        stub(condition: isPath("/x")) { _ in withExtendedLifetime(inStub) { .text("x") } }
        StubRegistry.current.onFinish { _, _, _, _ in
          withExtendedLifetime(inCallback) {}
          HTTPStubs.removeAllStubs()
          StubRegistry.current.onFinish(nil)
        }
      }
      _ = try await URLSession.shared.fetch("http://a.example/x")
      await stubGone.pass()
      await callbackGone.pass()
    }
  }
}
