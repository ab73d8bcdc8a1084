import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("The engine behind a server", .inTurn)
struct WireEngineTests {
  @Test("plays a delay and the pieces of a body on a manual clock")
  func manualClock() async throws {
    try await withStubServer { server in
      let clock = ManualClock()
      StubRegistry.current.clock = clock
      stub(condition: isPath("/"), response: .text("abcdef").delay(.seconds(5)).chunked(by: 2, every: .seconds(10)))
      let reading = Task { try await server.get("/")?.text }
      for seconds in [5, 10, 10] {
        await clock.waitForPending()
        await clock.advance(by: .seconds(seconds))
      }
      let text = try await reading.value
      #expect(text == "abcdef")
      #expect(StubRegistry.current.journal.entries.first?.duration == .seconds(25))
    }
  }

  @Test("tells the observers, and runs closures in the scope of the server")
  func observers() async throws {
    try await withStubServer { server in
      let registry = StubRegistry.current
      let events = Locked<[String]>([])
      registry.onActivation { request, _, _ in events.withLock { $0.append("activated \(request.url!.path)") } }
      registry.onFinish { request, _, _, _ in events.withLock { $0.append("finished \(request.url!.path)") } }
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(condition: isPath("/outer")) { _ in
        #expect(StubRegistry.current === registry)
        return .text(try await URLSession.shared.fetch("http://a.example/inner").text)
      }
      #expect(try await server.get("/outer")?.text == "inner")
      let expected = ["activated /inner", "finished /inner", "activated /outer", "finished /outer"]
      try await until("the observers have learned of the end") { events.withLock { $0 == expected } }
    }
  }

  @Test("answers many clients at once, each with its own answer")
  func manyAtOnce() async throws {
    try await withStubServer { server in
      stub(condition: isPath(template: "/{n}")) { _, match in .text(match["n"] ?? "-").delay(.milliseconds(1)) }
      try await (0..<16).atOnce { worker in
        let names = (0..<50).map { "\(worker)-\($0)" }
        let responses = try await server.answers(names.map { "GET /\($0)" })
        #expect(responses.map { $0?.text } == names)
      }
      #expect(StubRegistry.current.journal.entries.count == 800)
    }
  }
}
