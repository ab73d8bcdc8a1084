import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("A fault on the wire", .inTurn)
struct WireFaultTests {
  /// What a client reads after its request.
  private static func outcome(
    of path: String, at server: StubServer
  ) async throws -> (bytes: String, end: LoopbackClient.End) {
    let (bytes, end) = try await server.connected(server.request(line: "GET \(path)")) { $0.readToEnd() }
    return (bytes.text, end)
  }

  private static let noHTTP: Lines = "This is not HTTP.\r\n\r\n"
  /// A client may send a request again if the connection ends without a byte. After an interim head, it doesn't.
  private static let interim: Lines = "HTTP/1.1 100 Continue\r\n\r\n"

  @Test(
    "is a reset behind an interim head, or bytes that are no HTTP",
    arguments: [
      // The error, the last bytes that the client reads, and how its connection ends.
      (.networkConnectionLost, interim, .reset), (.cannotConnectToHost, interim, .reset),
      (.notConnectedToInternet, interim, .reset), (.secureConnectionFailed, interim, .reset),
      (.badServerResponse, noHTTP, .closed), (.cannotParseResponse, noHTTP, .closed),
    ] as [(URLError.Code, Lines, LoopbackClient.End)])
  func fault(code: URLError.Code, bytes: Lines, end: LoopbackClient.End) async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .failure(code))
      let seen = try await Self.outcome(of: "/", at: server)
      #expect(seen.bytes.hasSuffix(bytes.text), "\(seen)")
      #expect(seen.end == end)
      #expect(outcomes == [.failed(URLError(code))])
    }
  }

  @Test("is a reset after the bytes that came before")
  func brokenOff() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .text("0123456789").failing(afterBytes: 4))
      let seen = try await Self.outcome(of: "/", at: server)
      #expect(seen.bytes.hasSuffix("Content-Length: 10\r\n\r\n0123"), "\(seen)")
      #expect(seen.end == .reset)
    }
  }

  @Test("is silence for a timeout, until the client gives up")
  func timeout() async throws {
    try await withStubServer { server in
      let timedOut = stub(condition: isPath("/"), response: .failure(.timedOut))
      let request = server.request(line: "GET /")
      let ended = Latch()
      let reading = Task {
        try await server.connected(request + request) { client in
          defer { ended.open() }
          return client.readToEnd()
        }
      }
      try await until("the request has timed out") {
        timedOut.callCount == 1 && outcomes == [.failed(URLError(.timedOut))]
      }
      #expect(!ended.isOpen)
      await server.stop()
      let (bytes, end) = try await reading.value
      #expect(bytes.isEmpty)
      #expect(end == .reset)
    }
  }

  @Test("is a 500 that names the stub for a mistake in it")
  func mistakes() async throws {
    struct Refusal: Error, CustomStringConvertible { let description = "The closure refuses." }
    try await withStubServer { server in
      stub(condition: isPath("/missing"), response: .file("/nowhere/users.json"))
      stub(condition: isPath("/throwing")) { _ in throw Refusal() }
      stub(condition: isPath("/line"), response: .text("x").header("X", "a\r\nb"))
      for (path, part) in [
        ("/missing", "/nowhere/users.json"), ("/throwing", "The closure refuses."), ("/line", "WireFaultTests.swift"),
      ] {
        let response = try #require(try await server.get(path), "\(path)")
        #expect(
          response.status == 500 && response["StubKit-Error"] == "1" && response.text.contains(part),
          "\(path): \(response), \(response.text)")
      }
      stub(condition: isPath("/lost")) { _ in throw URLError(.networkConnectionLost) }
      #expect(try await Self.outcome(of: "/lost", at: server).end == .reset)
      struct Meant: Error {}
      stub(condition: isPath("/meant"), response: .failure(Meant()))
      #expect(try await Self.outcome(of: "/meant", at: server).end == .reset)
    }
  }

  @Test(
    "is a 500 that names the mistake in the conditions of the network, of the test as of a response",
    arguments: [true, false])
  func mistakenConditions(isOfTest: Bool) async throws {
    let conditions = NetworkConditions(lossRate: 7)
    try await withStubServer { server in
      _ = await takingIssues { if isOfTest { HTTPStubs.network = conditions } }
      stub(condition: isPath("/"), response: isOfTest ? .text("x") : .text("x").network(conditions))
      let response = try #require(try await server.get("/"))
      #expect(response.status == 500 && response["StubKit-Error"] == "1", "\(response)")
      #expect(response.text.contains("NetworkConditions(lossRate: 7.0) is not a valid share"), "\(response.text)")
      #expect(response.text.contains("WireFaultTests.swift"), "\(response.text)")
    }
  }

  @Test("is noted if the client half-closes, closes or resets its connection, and a half-closed one is answered")
  func hangUps() async throws {
    try await withStubServer { server in
      let stub = stub(condition: isPath("/"), response: .controlled)
      let journal = StubRegistry.current.journal
      let clients = [try await server.connected(server.request(line: "GET /")) { $0 }]
      try await stub.waitForCalls(timeout: .seconds(60))
      clients[0].endWriting()
      // Without a reset, a client closes its connection where nobody holds it any more.
      for isReset in [false, true] {
        let client = try await server.connected(server.request(line: "GET /")) { $0 }
        try await stub.waitForCalls(isReset ? 3 : 2, timeout: .seconds(60))
        if isReset { client.resetAtEnd() }
      }
      try await until("all have hung up") {
        journal.entries.allSatisfy { $0.timeToHangUp != nil } && journal.entries.last?.outcome != .inProgress
      }
      #expect(outcomes == [.inProgress, .inProgress, .cancelled])
      try await stub.nextCall().finish()
      #expect(try await onOwnThread { clients[0].readResponse()?.status } == 200)
    }
  }

  @Test("is logged in a line if the client leaves in the middle of its body")
  func brokenRequest() async throws {
    try await withLoggedServer { server, lines in
      let start = "Host: localhost\r\nContent-Length: 9\r\nExpect: 100-continue"
      for isReset in [false, true] {
        let client = try await server.connected("POST /x HTTP/1.1\r\n\(start)\r\n\r\n") { client in
          #expect(client.readHead()?.status == 100, "\(isReset)")
          client.send("abc")
          return client
        }
        // What a reset drops doesn't arrive.
        if isReset { client.resetAtEnd() }
      }
      // Neither of these has begun its body.
      for text in ["", "GET /x HTTP/1.1\r\nHost: loc"] { _ = try await server.connected(text) { $0 } }
      let sentence = "has left before the end of its request POST /x, after "
      try await until("both are told") { lines().count == 2 }
      #expect(lines().allSatisfy { $0.contains(sentence) }, "\(lines())")
      #expect(lines().contains { $0.hasSuffix("after 3 bytes of the body.") }, "\(lines())")
      #expect(StubRegistry.current.journal.entries.isEmpty)
    }
  }

  @Test("ends a stream's source if the client closes its connection")
  func closedDuringStream() async throws {
    try await withStubServer { server in
      let isOver = Latch()
      let (chunks, source) = AsyncStream.makeStream(of: Data.self)
      source.onTermination = { _ in isOver.open() }
      stub(condition: isPath("/"), response: .stream(chunks))
      source.yield(Data("one".utf8))
      // The client is released, and closes its connection, when it has read the head.
      let status = try await server.connected(server.request(line: "GET /")) { $0.readHead()?.status }
      #expect(status == 200)
      try await until("the source has ended") { isOver.isOpen }
      try await until("the request has ended") { outcomes == [.cancelled] }
    }
  }

  @Test("doesn't end a stream's source if the client only sends nothing more")
  func halfClosedDuringStream() async throws {
    try await withStubServer { server in
      let isOver = Latch()
      let (chunks, source) = AsyncStream.makeStream(of: Data.self)
      source.onTermination = { _ in isOver.open() }
      stub(condition: isPath("/"), response: .stream(chunks))
      source.yield(Data("one".utf8))
      // The first piece comes before the next one is sent.
      let client = try await server.connected(server.request(line: "GET /")) { client in
        #expect(client.readHead()?.status == 200)
        #expect(client.read(8) == Array("3\r\none\r\n".utf8))
        return client
      }
      let journal = StubRegistry.current.journal
      client.endWriting()
      try await until("the client has hung up") { journal.entries.first?.timeToHangUp != nil }
      #expect(!isOver.isOpen)
      source.yield(Data("two".utf8))
      source.finish()
      // A size can begin with a zero.
      let rest = try await onOwnThread { client.readToEnd() }
      #expect(rest.bytes.text == "03\r\ntwo\r\n0\r\n\r\n")
      #expect(rest.end == .closed)
    }
  }

  @Test("is noted if the client leaves, or the server stops, in the middle of an answer")
  func slowClient() async throws {
    // More than the system takes for a client that doesn't read.
    let body = Data(count: 40_000_000)
    for (way, outcome) in [
      ("reset", .cancelled), ("half-closed", .answered(status: 200)), ("stopped", .cancelled),
    ] as [(String, RecordedRequest.Outcome)] {
      try await withStubServer { server in
        stub(condition: isPath("/"), response: .data(body).chunked(by: 100_000))
        var client: LoopbackClient? = try await server.connected(server.request(line: "GET /")) { client in
          #expect(client.readHead()?.status == 200, "\(way)")
          return client
        }
        switch way {
        case "reset": client?.resetAtEnd()
        case "half-closed": client?.endWriting()
        default: await server.stop()
        }
        if way == "reset" { client = nil }
        let journal = StubRegistry.current.journal
        if way != "stopped" {
          try await until("the client has hung up: \(way)") { journal.entries.first?.timeToHangUp != nil }
        }
        if let client {
          let (bytes, end) = try await onOwnThread { client.readToEnd() }
          let isWhole = way == "half-closed"
          #expect(
            isWhole == (bytes.count == body.count) && end == (isWhole ? .closed : .reset),
            "\(way): \(bytes.count) bytes, \(end)")
        }
        try await until("the answer has ended: \(way)") { outcomes == [outcome] }
      }
    }
  }

  @Test("is a cancelled request if the connection of the client is reset")
  func cancelled() async throws {
    try await withStubServer { server in
      let (isBegun, isCancelled) = (Latch(), Latch())
      stub(condition: isPath("/closure")) { _ in
        isBegun.open()
        await withTaskCancellationHandler {
          await isCancelled.pass()
        } onCancel: {
          isCancelled.open()
        }
        return .status(204)
      }
      do {
        let client = try await server.connected(server.request(line: "GET /closure")) { $0 }
        // A closure that has not begun by then is not called.
        try await until("the closure has begun") { isBegun.isOpen }
        client.resetAtEnd()
      }
      try await until("the closure is cancelled") { isCancelled.isOpen }
      try await until("its request is cancelled") { outcomes == [.cancelled] }
      // Not if the client has everything, although the end is not due.
      stub(condition: isPath("/whole"), response: .ok.bodyDuration(.seconds(600)))
      try await server.connected(server.request(line: "GET /whole")) { client in
        #expect(client.readResponse()?.status == 200)
        client.resetAtEnd()
      }
      try await until("the last is answered") { outcomes.last == .answered(status: 200) }
    }
  }
}
