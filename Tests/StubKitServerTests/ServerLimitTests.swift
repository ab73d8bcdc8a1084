import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("The limits of a server", .inTurn)
struct ServerLimitTests {
  /// Each row of Fixtures/refusals.json has a request, the status of its answer, and a part of its sentence.
  @Test("answer a request that can't be served with a sentence, and end the connection")
  func refusals() async throws {
    for row in try fixture("refusals") as [RawRequest] {
      let (status, sentence) = (row.status, row.sentence ?? "")
      let request = row.text.replacing("LONG", with: String(repeating: "a", count: 70_000))
      try await withLoggedServer(limits: .with { $0.body = 50 }) { server, _ in
        stub(condition: .anything, response: .text("not this"))
        let (response, rest) = try await server.connected(request) { ($0.readResponse(), $0.readToEnd()) }
        #expect(
          response?.status == status && response?["Connection"] == "close", "\(row.text): \(response as Any)")
        #expect(response?.text.contains(sentence) == true, "\(row.text): \(response?.text ?? "-")")
        #expect(rest.bytes.isEmpty && rest.end == .closed, "\(row.text): \(rest)")
        #expect(StubRegistry.current.journal.entries.isEmpty, "\(row.text)")
      }
    }
  }

  @Test("let a client that still sends its body read why it was refused")
  func refusedUpload() async throws {
    try await withStubServer(limits: .with { $0.body = 1_000 }) { server in
      let request = server.request(line: "PUT /", ["Content-Length: 6000000"])
      let (status, rest) = try await server.connected(request) { client in
        client.send(Data(count: 3_000_000))
        let status = client.readResponse()?.status
        // What comes after the answer is read, too, so that nothing resets the connection.
        client.send(Data(count: 3_000_000))
        return (status, client.readToEnd())
      }
      #expect(status == 413)
      #expect(rest.bytes.isEmpty && rest.end == .closed, "\(rest)")
    }
  }

  @Test("end a client that takes too long: one without a request silently, and one inside a request with a 408")
  func idleness() async throws {
    for (start, status) in [
      ("", nil), ("G", 408), ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nab", 408),
    ] {
      try await withStubServer(limits: .with { $0.idle = .milliseconds(100) }) { server in
        let port = server.port
        let (response, end) = try await onOwnThread {
          // A client that loses its turn before its first byte has made no request. It tries again.
          var answer: (WireResponse?, LoopbackClient.End) = (nil, .timedOut)
          for _ in 0..<(status == nil ? 1 : 100) where answer.0 == nil {
            let client = try LoopbackClient(port: port)
            client.send(start)
            answer = (client.readResponse(), client.readToEnd().end)
          }
          return answer
        }
        #expect(response?.status == status, "\(start)")
        #expect(end == .closed, "\(start)")
      }
    }
  }

  @Test("end a client that sends its head byte by byte")
  func slowLoris() async throws {
    try await withStubServer(limits: .with { $0.idle = .milliseconds(200) }) { server in
      let response = try await server.connected("GET / HTTP/1.1\r\n") { client in
        for _ in 0..<600 where client.send("X") { Thread.sleep(forTimeInterval: 0.01) }
        return client.readResponse()
      }
      // The client may have been reset after it went on sending.
      #expect(response == nil || response?.status == 408)
    }
  }

  @Test("end clients that don't read their answers, so that others have their turn")
  func unreadAnswers() async throws {
    let limits = StubServer.Limits.with { ($0.connections, $0.idle) = (2, .milliseconds(200)) }
    try await withLoggedServer(limits: limits) { server, lines in
      // More than the system takes for a client that doesn't read.
      let large = Data(count: 40_000_000)
      stub(condition: isPath("/whole"), response: .data(large))
      stub(condition: isPath("/pieces"), response: .data(large).chunked(by: 100_000))
      stub(condition: isPath("/"), response: .text("x"))
      let (port, request) = (server.port, server.request(line: "GET /"))
      let requests = ["/whole", "/pieces"].map { server.request(line: "GET \($0)") }
      let (text, clients) = try await onOwnThread {
        let clients = try requests.map { request in
          let client = try LoopbackClient(port: port)
          client.send(request)
          _ = client.readHead()
          return client
        }
        let other = try LoopbackClient(port: port)
        other.send(request)
        return (other.readResponse()?.text, clients)
      }
      #expect(text == "x")
      try await until("both are told") { lines().count == 2 }
      let ends = try await onOwnThread { clients.map { $0.readToEnd().end } }
      #expect(ends == [.reset, .reset])
      let journal = StubRegistry.current.journal
      try await until("all have ended") { journal.entries.allSatisfy { $0.outcome != .inProgress } }
      #expect(journal.entries.last?.outcome == .answered(status: 200))
      #expect(journal.entries.count == 3)
      let sentence = "has read nothing of its response for 0.2 seconds. See the server's Limits.idle."
      #expect(lines().count == 2 && lines().allSatisfy { $0.hasSuffix(sentence) }, "\(lines())")
    }
  }

  @Test("let a client that reads slowly have all of its answer, or all that comes before the end of a broken one")
  func slowReaders() async throws {
    try await withStubServer(limits: .with { $0.idle = .seconds(2) }) { server in
      let (whole, broken) = (20_000_000, 2_000_000)
      stub(condition: isPath("/whole"), response: .data(Data(count: whole)))
      stub(condition: isPath("/broken"), response: .data(Data(count: whole)).failing(afterBytes: broken))
      let (port, requests) = (server.port, ["/broken", "/whole"].map { server.request(line: "GET \($0)") })
      let read = try await onOwnThread {
        let clients = try requests.map { request in
          let client = try LoopbackClient(port: port, receiveBuffer: 65_536)
          client.send(request)
          _ = client.readHead()
          return client
        }
        var counts = [0, 0]
        let start = ContinuousClock.now
        // In two seconds, a client makes less room than the system tells the server of.
        while case let elapsed = ContinuousClock.now - start, elapsed < .seconds(3) {
          for (number, client) in clients.enumerated() {
            let due = Int(elapsed / .seconds(1) * 300_000)
            counts[number] += client.read(max(0, due - counts[number])).count
          }
          Thread.sleep(forTimeInterval: 0.02)
        }
        // The shorter one first: a client that waits for its turn reads nothing.
        return zip(counts, clients).map { $0 + $1.readToEnd().bytes.count }
      }
      #expect(read == [broken, whole])
    }
  }

  @Test("end the connection that has been idle longest in favour of a new one, and none that waits for an answer")
  func idleFirst() async throws {
    try await withStubServer(limits: .with { $0.connections = 3 }) { server in
      let gate = ResponseGate()
      stub(condition: isPath("/"), response: .text("x"))
      stub(condition: isPath("/held"), response: .text("held").held(by: gate))
      let (port, request, held) = (server.port, server.request(line: "GET /"), server.request(line: "GET /held"))
      let (ends, texts) = try await onOwnThread {
        let clients = try (0..<3).map { _ in try LoopbackClient(port: port) }
        clients[0].send(held)
        for client in clients[1...] {
          client.send(request)
          _ = client.readResponse()
        }
        let new = try LoopbackClient(port: port)
        new.send(request)
        let first = new.readResponse()?.text
        let end = clients[1].readToEnd().end
        clients[2].send(request)
        let second = clients[2].readResponse()?.text
        gate.open()
        return ([end], [first, second, clients[0].readResponse()?.text])
      }
      #expect(ends == [.closed])
      #expect(texts == ["x", "x", "held"])
    }
  }

  @Test("log a client that speaks TLS")
  func tls() async throws {
    try await withLoggedServer { server, lines in
      let port = server.port
      let end = try await server.connected { client in
        // The beginning of a handshake.
        client.send([0x16, 0x03, 0x01, 0x00, 0x05, 0x01])
        return client.readToEnd()
      }
      #expect(end.bytes.isEmpty)
      #expect(
        lines() == [
          "A client of the StubServer on port \(port) speaks TLS. The server has no certificate. "
            + "Let the client use http://127.0.0.1:\(port) instead of https."
        ])
    }
  }

  @Test("can be negative numbers without a crash")
  func nonsense() async throws {
    let limits = StubServer.Limits.with {
      ($0.connections, $0.idle, $0.body) = (-1, .seconds(-1), -9)
    }
    try await withStubServer(limits: limits) { server in
      // No stub matches the request, which is within the limits. There may be no time for it.
      let status = try await server.get("/")?.status
      #expect([nil, 501, 408].contains(status))
    }
  }
}
