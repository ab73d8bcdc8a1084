import Foundation
import StubKit
import StubKitRecorder
import StubKitServer
import TestSupport
import Testing

@Suite("A server that passes requests on", .inTurn)
struct PassThroughTests {
  private static let scheme = "Digest realm=\"a\", nonce=\"b\""

  /// A server on the network.
  private static func realServer() throws -> LoopbackServer {
    try LoopbackServer { request, connection in
      var head = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Host: \(request["Host"] ?? "-")\r\n"
      var body = "\(request.line) \(request.body.text) \(request["X-A"] ?? "-")"
      if request.target == "/old" {
        head = "HTTP/1.1 302 Found\r\nLocation: http://\(request["Host"] ?? "-")/new\r\n"
        body = "moved"
      }
      if request.target == "/login" {
        head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(scheme)\r\n"
        body = "who?"
      }
      if request.method == "HEAD" { body = "" }
      _ = connection.write(Data("\(head)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8))
      return false
    }
  }

  private static func withProxy(of real: LoopbackServer, _ body: (StubServer) async throws -> Void) async throws {
    try await withStubServer(for: "http://127.0.0.1:\(real.port)") { server in
      StubRegistry.current.unmatched = .passThrough
      try await body(server)
    }
  }

  @Test("records what it passes on, and then plays it")
  func records() async throws {
    let real = try Self.realServer()
    let (folder, origin) = (try TestFolder(), "http://127.0.0.1:\(real.port)")
    let recording = Recording("session", in: folder.url, mode: .once)
    try await RunningTest.$sink.withValue({ _ in }) {
      for round in ["recorded", "played"] {
        try await withRecording(recording) {
          let server = try await StubServer(for: origin)
          let request = server.request(line: "PUT /a", body: "body")
          #expect(try await server.send(request)?.text == "PUT /a body -", "\(round)")
          #expect(try await server.get("/b")?.text == "GET /b  -", "\(round)")
          await server.stop()
        }
      }
    }
    #expect(real.requests == ["PUT /a", "GET /b"])
    let archive = try HTTPArchive(contentsOf: folder.url.appendingPathComponent("session.har"))
    #expect(archive.entries.map { $0.request.url?.absoluteString } == ["\(origin)/a", "\(origin)/b"])
  }

  @Test("passes on the method, target, body and fields of a request, and each field of the response")
  func exchange() async throws {
    let real = try Self.realServer()
    try await Self.withProxy(of: real) { server in
      let response = try #require(
        try await server.send(server.request(line: "POST /echo?x=1", ["X-A: 7"], body: "hello")))
      #expect(response.status == 200)
      // The real server echoes the request's line, its body and X-A.
      #expect(response.text == "POST /echo?x=1 hello 7")
      #expect(response["X-Host"] == "127.0.0.1:\(real.port)")
      #expect(response.values(of: "Set-Cookie") == ["a=1", "b=2"])
    }
  }

  @Test("passes on no field that is for the next hop only")
  func hopByHop() async throws {
    let real = try Self.realServer()
    try await Self.withProxy(of: real) { server in
      let fields = [
        "Connection: X-B", "X-B: 1", "TE: trailers", "Upgrade: h2c", "Keep-Alive: 5", "Expect: 100-continue",
      ]
      #expect(try await server.send(server.request(line: "GET /echo", fields))?.status == 200)
      let arrived = try #require(real.arrivals.first)
      for name in ["X-B", "TE", "Upgrade", "Keep-Alive", "Expect"] { #expect(arrived[name] == nil, "\(name)") }
    }
  }

  @Test("answers what stubs match itself")
  func stubbed() async throws {
    let real = try Self.realServer()
    try await Self.withProxy(of: real) { server in
      stub(condition: isPath("/stubbed"), response: .text("stubbed"))
      let texts = try await server.answers(["GET /stubbed", "GET /echo"]).map { $0?.text }
      #expect(texts == ["stubbed", "GET /echo  -"])
      #expect(real.requests == ["GET /echo"])
      #expect(outcomes == [.answered(status: 200), .passedThrough])
    }
  }

  @Test("passes on a redirect, to a location at itself")
  func redirect() async throws {
    try await Self.withProxy(of: try Self.realServer()) { server in
      let moved = try #require(try await server.get("/old"))
      #expect(moved.status == 302)
      #expect(moved["Location"] == "\(server.url)/new")
      #expect(moved.text == "moved")
    }
  }

  @Test("passes on a HEAD request, and a challenge, for which it has no credential itself")
  func headAndChallenge() async throws {
    let real = try Self.realServer()
    try await Self.withProxy(of: real) { server in
      #expect(try await server.send(server.request(line: "HEAD /head"), isHead: true)?.status == 200)
      let login = try #require(try await server.get("/login"))
      #expect(login.status == 401)
      #expect(login["WWW-Authenticate"] == Self.scheme)
      #expect(login.text == "who?")
      #expect(real.requests == ["HEAD /head", "GET /login"])
    }
  }

  @Test("refuses a request that has passed through it already, which its Via field tells")
  func loop() async throws {
    let real = try Self.realServer()
    try await Self.withProxy(of: real) { server in
      _ = try await server.get("/echo")
      let via = try #require(real.arrivals.first?["Via"])
      let back = try #require(try await server.get("/echo", "Via: \(via)"))
      #expect(back.status == 502)
      #expect(back.text.contains("passed on to this server itself"))
    }
  }

  @Test(
    "passes on what answers a request, and no interim response", arguments: ["100 Continue", "103 Early Hints", nil])
  func interim(_ line: String?) async throws {
    let interim = line.map { "HTTP/1.1 \($0)\r\nLink: </a>\r\n\r\n" } ?? ""
    let real = try LoopbackServer { request, connection in
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
      _ = connection.write(Data((request.target == "/none" ? interim : "\(interim)\(head)text").utf8))
      return false
    }
    try await Self.withProxy(of: real) { server in
      let responses = try await server.answers(["GET /a", "GET /b", "GET /none"])
      #expect(responses.map { $0?.status } == [200, 200, 502])
      #expect(responses.prefix(2).allSatisfy { $0?.text == "text" && $0?["Link"] == nil }, "\(responses)")
      #expect(responses[2]?.text.hasPrefix("The server can't reach http://127.0.0.1:\(real.port): ") == true)
    }
  }

  /// A server that sends a response in pieces of a megabyte as fast as it can, and a latch that opens afterwards.
  private static func fastServer(_ piece: Data, _ count: Int) throws -> (LoopbackServer, isSent: Latch) {
    let isSent = Latch()
    let real = try LoopbackServer { _, connection in
      _ = connection.write(Data("HTTP/1.1 200 OK\r\nContent-Length: \(piece.count * count)\r\n\r\n".utf8))
      for _ in 0..<count where connection.write(piece) {}
      isSent.open()
      return false
    }
    return (real, isSent)
  }

  @Test("keeps each byte of a response that its client reads late, up to the limit")
  func slowClient() async throws {
    let piece = LargeFile.bytes(length: 1_000_000)
    let (real, isSent) = try Self.fastServer(piece, 50)
    try await Self.withProxy(of: real) { server in
      let client = try await server.connected(server.request(line: "GET /large")) { $0 }
      try await until("everything is sent") { isSent.isOpen }
      let isWhole = try await onOwnThread {
        _ = client.readHead()
        return (0..<50).allSatisfy { _ in Data(client.read(piece.count)) == piece }
      }
      #expect(isWhole)
    }
  }

  @Test("cuts a response off, and says so, if more of it waits for the client than the limit allows")
  func lateClient() async throws {
    let (real, _) = try Self.fastServer(Data(count: 1_000_000), 200)
    var limits = StubServer.Limits()
    limits.body = 20_000_000
    try await withLoggedServer(for: "http://127.0.0.1:\(real.port)", limits: limits) { server, lines in
      StubRegistry.current.unmatched = .passThrough
      let client = try await server.connected(server.request(line: "GET /large")) { $0 }
      try await until("the cut is told") { !lines().isEmpty }
      #expect(try await onOwnThread { client.readToEnd().end } == .reset)
      #expect(
        lines() == [
          "The StubServer on port \(server.port) cut a response off: the network sent it faster than the client read it, "
            + "and more than 20000000 bytes would wait for the client. Raise the server's Limits.body, or let the client "
            + "read on."
        ])
      stub(condition: isPath("/small"), response: .text("small"))
      #expect(try await server.get("/small")?.text == "small")
    }
  }

  #if os(Linux)
    @Test("adds no field to a request that the client hasn't sent")
    func addedFields() async throws {
      let real = try Self.realServer()
      try await Self.withProxy(of: real) { server in
        for (line, body) in [("GET /bare", ""), ("POST /bare", "body")] {
          _ = try await server.send(server.request(line: line, body: body))
        }
        _ = try await server.get("/own", "User-Agent: own", "Accept-Language: de", "Accept: text/plain")
        let names = ["User-Agent", "Accept-Language", "Accept", "Content-Type"]
        #expect(real.arrivals.prefix(2).allSatisfy { one in names.allSatisfy { one[$0] == nil } }, "\(real.arrivals)")
        let own = try #require(real.arrivals.last)
        #expect(names.map { own[$0] } == ["own", "de", "text/plain", nil])
      }
    }
  #endif

  @Test("completes a response only when it is recorded")
  func order() async throws {
    try await Self.withProxy(of: try Self.realServer()) { server in
      let recorder = SlowRecorder()
      _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
      stub(condition: isPath("/stubbed"), response: .text("x"))
      let isComplete = Latch()
      let reading = Task {
        let response = try await server.get("/a")
        isComplete.open()
        return response?.status
      }
      try await until("the end is being recorded") { recorder.isEnding.isOpen }
      // What was sent before the end has arrived by now.
      #expect(try await server.get("/stubbed")?.text == "x")
      #expect(!isComplete.isOpen)
      recorder.mayEnd.open()
      #expect(try await reading.value == 200)
    }
  }

  @Test("says why it can't pass a request on")
  func problems() async throws {
    let refusing = try LoopbackServer(isRefusing: true) { _, _ in false }
    try await withStubServer { server in
      StubRegistry.current.unmatched = .passThrough
      let itself = try #require(try await server.get("/"))
      #expect(itself.status == 502 && itself.text.contains("to this server itself"))
      let gone = try await server.send("GET http://127.0.0.1:\(refusing.port)/ HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(gone?.status == 502 && gone?.text.hasPrefix("The server can't reach http://127.0.0.1:") == true)
    }
  }

  @Test("does so for a stub with .passThrough, and while its registry is not enabled")
  func byStubs() async throws {
    let real = try LoopbackServer()
    defer { real.stop() }
    try await withStubServer(for: "http://127.0.0.1:\(real.port)") { server in
      stub(condition: isPath("/real"), response: .passThrough)
      let passed = try await server.get("/real")
      #expect(passed?.text == "real GET /real")
      StubRegistry.current.isEnabled = false
      #expect(try await server.get("/other")?.text == "real GET /other")
      // A registry that is not enabled notes nothing.
      #expect(StubRegistry.current.journal.entries.count == 1)
    }
  }

  @Test("reports the requests that no stub matches as one issue of the test")
  func misses() async throws {
    try await withStubs {
      let misses = TestReport()
      StubRegistry.current.testReport = misses
      let server = try await StubServer(for: "https://a.example")
      stub(condition: isPath("/found"), response: .status(204))
      for path in ["/found", "/lost", "/lost"] { _ = try await server.get(path) }
      let found = misses.finish()
      #expect(
        found.map(\.count) == [2] && found[0].error.description.hasPrefix("No stub matches GET https://a.example/lost"),
        "\(found)")
    }
  }
}

/// A recorder that takes its time with the end of the first exchange.
private final class SlowRecorder: NetworkTap, NetworkRecorder {
  let (isEnding, mayEnd) = (Latch(), Latch())

  func begin(_ request: URLRequest) -> any NetworkRecorder { self }
  func setRequestBody(_ body: Data) {}
  func headArrived(_ response: HTTPURLResponse) {}
  func pieceArrived(_ piece: Data, asPiece: Bool) {}
  func leads(to target: URL) {}
  func end(error: (any Error)?) {
    isEnding.open()
    mayEnd.blockUntilOpened()
  }
}
