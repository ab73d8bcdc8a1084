import Foundation
import StubKit
import StubKitRecorder
import StubKitServer
import TestSupport
import Testing

@Suite("The engine behind a server", .inTurn)
struct WireEngineTests {
  @Test("holds a response at a gate, and streams events as they are sent")
  func gatesAndEvents() async throws {
    try await withStubServer { server in
      let gate = ResponseGate()
      let (events, continuation) = AsyncStream<Data>.makeStream()
      stub(condition: isPath("/held"), response: .text("opened").held(by: gate))
      stub(condition: isPath("/events"), response: .stream(events, headers: ["Content-Type": "text/event-stream"]))
      async let held = server.get("/held")
      try await until("the request waits at the gate") { gate.waitingCount == 1 }
      gate.open()
      #expect(try await held?.text == "opened")
      let lines = try await server.connected(server.request(line: "GET /events")) { client in
        let type = client.readHead()?["Content-Type"]
        // Each event comes before the next one is sent.
        let texts = (1...3).map { number in
          continuation.yield(ServerSentEvent("\(number)").encoded)
          return client.read(through: "data: \(number)\n\n") != nil
        }
        continuation.finish()
        return (type, texts, client.read(through: "0\r\n\r\n") != nil)
      }
      #expect(lines.0 == "text/event-stream" && lines.1 == [true, true, true] && lines.2)
    }
  }

  @Test("plays a delay and the pieces of a body on a manual clock")
  func manualClock() async throws {
    try await withStubServer { server in
      let clock = ManualClock()
      StubRegistry.current.clock = clock
      stub(
        condition: isPath("/"),
        response: .text("abcdef").delay(.seconds(5)).chunked(by: 2, every: .seconds(10)))
      let received = Locked("")
      let request = server.request(line: "GET /")
      let reading = Task {
        try await server.connected(request) { client in
          guard client.readHead() != nil else { return }
          received.withLock { $0 = "head" }
          for _ in 0..<3 {
            let piece = String(decoding: client.read(2), as: UTF8.self)
            received.withLock { $0 += piece }
          }
        }
      }
      await clock.waitForPending()
      await clock.advance(by: .milliseconds(4_999))
      #expect(received.withLock { $0 } == "")
      await clock.advance(by: .milliseconds(1))
      for text in ["headab", "headabcd", "headabcdef"] {
        try await until("\(text) is read") { received.withLock { $0 } == text }
        await clock.advance(by: .seconds(10))
      }
      try await reading.value
      #expect(StubRegistry.current.journal.entries.first?.duration == .seconds(25))
    }
  }

  @Test("tells the observers, and runs closures in the scope of the server")
  func observers() async throws {
    try await withStubServer { server in
      let registry = StubRegistry.current
      let events = Locked<[String]>([])
      registry.onStubActivation { request, _, _ in events.withLock { $0.append("activated \(request.url!.path)") } }
      registry.afterStubFinish { request, _, _, error in
        events.withLock { $0.append("finished \(request.url!.path) \(error == nil)") }
      }
      stub(condition: isPath("/inner"), response: .text("inner"))
      let outer = stub(condition: isPath("/outer")) { _ in
        #expect(StubRegistry.current === registry)
        return .text(try await URLSession.shared.fetch("http://a.example/inner").text)
      }
      outer.onFinish { request in events.withLock { $0.append("\(request.outcome)") } }
      #expect(try await server.get("/outer")?.text == "inner")
      try await until("the observers have learned of the end") { events.withLock(\.count) == 5 }
      let order = ["activated /inner", "finished /inner true", "activated /outer", "finished /outer true"]
      #expect(events.withLock { $0.filter(order.contains) } == order)
      #expect(events.withLock { $0 }.contains("\(RecordedRequest.Outcome.answered(status: 200))"))
    }
  }

  @Test("answers many clients at once, each with its own answer")
  func manyAtOnce() async throws {
    try await withStubServer { server in
      stub(condition: isPath(template: "/{n}")) { _, match in .text(match["n"] ?? "-").delay(.milliseconds(1)) }
      let head = "Host: 127.0.0.1:\(server.port)\r\n\r\n"
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for worker in 0..<16 {
          group.addTask {
            try await server.connected { client in
              (0..<50).allSatisfy { number in
                client.send("GET /\(worker)-\(number) HTTP/1.1\r\n\(head)")
                return client.readResponse()?.text == "\(worker)-\(number)"
              }
            }
          }
        }
        for try await areRight in group { #expect(areRight) }
      }
      #expect(StubRegistry.current.journal.entries.count == 800)
    }
  }
}
