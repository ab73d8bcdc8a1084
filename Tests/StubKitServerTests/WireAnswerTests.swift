import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("An answer on the wire", .inTurn)
struct WireAnswerTests {
  @Test("has each field as often as it was set, in order, and Date and Connection as the stub says")
  func fields() async throws {
    try await withStubServer { server in
      stub(
        condition: isPath("/"),
        response: .text("x").header("Date", "then").header("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2, c")
          .header("Connection", "close"))
      let (response, rest) = try await server.connected(server.request(line: "GET /")) {
        ($0.readResponse(), $0.readToEnd())
      }
      #expect(response?.values(of: "Set-Cookie") == ["a=1", "b=2, c"])
      #expect(response?.values(of: "Date") == ["then"])
      #expect(response?.values(of: "Connection") == ["close"])
      #expect(rest.bytes.isEmpty && rest.end == .closed, "\(rest)")
    }
  }

  @Test(
    "begins with the reason phrase of the stub, or else the usual one of its status",
    arguments: [
      (.ok, "200 OK"), (.status(404), "404 Not Found"), (.status(299), "299 "),
      (.status(503, reason: "Over Capacity"), "503 Over Capacity"),
      (.status(200, reason: ""), "200 "), (.status(404, reason: "Kein \u{FC}ber\tweg"), "404 Kein \u{FC}ber\tweg"),
      (.json(["a": 1]).status(422, reason: "Validation Failed").header("X-A", "b"), "422 Validation Failed"),
      // The phrase belongs to its status.
      (.status(503, reason: "Over Capacity").status(500), "500 Internal Server Error"),
      (.redirect(to: "/new").status(308, reason: "Moved"), "308 Moved"),
    ] as [(StubResponse, String)])
  func reason(response: StubResponse, line: String) async throws {
    try await withStubServer { server in
      stub(condition: isPath("/x"), response: response)
      let bytes = try await server.connected(server.request(line: "GET /x", ["Connection: close"])) {
        $0.readToEnd().bytes
      }
      #expect(bytes.text.hasPrefix("HTTP/1.1 \(line)\r\n"), "\(bytes.text)")
    }
  }

  @Test("is chunked if its length is unknown")
  func chunked() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/")) { _ in .stream(AsyncStream(texts: "eleven byte", "two", "")) }
      let response = try #require(try await server.get("/"))
      #expect(response["Transfer-Encoding"] == "chunked")
      #expect(response["Content-Length"] == nil)
      #expect(response.text == "eleven bytetwo")
    }
  }

  @Test("ends with the connection if its length is unknown, and the client speaks HTTP/1.0")
  func endOfConnection() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/")) { _ in .stream(AsyncStream(texts: "eleven byte", "two", "")) }
      let response = try #require(try await server.send("GET / HTTP/1.0\r\n\r\n"))
      #expect(response["Transfer-Encoding"] == nil)
      #expect(response["Connection"] == "close")
      #expect(response.text == "eleven bytetwo")
    }
  }

  @Test("leaves the connection to a client that speaks HTTP/1.0 and asks to keep it")
  func keptConnection() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/text"), response: .text("x"))
      let texts = try await server.connected { client in
        (1...3).map { _ in
          client.send("GET /text HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
          let response = client.readResponse()
          return "\(response?.text ?? "-") \(response?["Connection"] ?? "-")"
        }
      }
      #expect(texts == ["x keep-alive", "x keep-alive", "x keep-alive"])
    }
  }

  @Test("goes to a client that has ended its side of the connection")
  func halfClosed() async throws {
    let file = try LargeFile(length: 300_000)
    try await withStubServer { server in
      stub(condition: isPath("/text"), response: .text("text"))
      stub(condition: isPath("/closure")) { _ async in .text("text") }
      stub(condition: isPath("/delayed"), response: .text("text").delay(.milliseconds(20)))
      stub(condition: isPath("/pieces"), response: .text("text").chunked(by: 1, every: .milliseconds(1)))
      stub(condition: isPath("/stream")) { _ in .stream(AsyncStream(texts: "text")) }
      stub(condition: isPath("/file"), response: .file(file.url.path))
      for path in ["/text", "/closure", "/delayed", "/pieces", "/stream", "/file"] {
        let request = server.request(line: "GET \(path)")
        let (responses, rest) = try await server.connected(request + request) { client in
          client.endWriting()
          return ([client.readResponse(), client.readResponse()], client.readToEnd())
        }
        let body = path == "/file" ? file.bytes : Data("text".utf8)
        #expect(responses.allSatisfy { $0?.status == 200 && $0?.body == body }, "\(path): \(responses)")
        #expect(rest.bytes.isEmpty && rest.end == .closed, "\(path): \(rest)")
      }
      #expect(outcomes.allSatisfy { $0 == .answered(status: 200) }, "\(outcomes)")
    }
  }

  // A row has the fields of the stub, and what of Content-Length, Transfer-Encoding and Connection is sent.
  @Test(
    "has its framing once, and the same in each response of a connection, whatever fields its stub has",
    arguments: [
      ([], "4", nil, nil), ([("Content-Length", "4"), ("content-length", "4")], "4", nil, nil),
      ([("Content-Length", "4"), ("Content-Length", "5")], nil, "chunked", nil),
      ([("Content-Length", "x")], nil, "chunked", nil), ([("Connection", "keep-alive")], "4", nil, nil),
      ([("Connection", "Upgrade"), ("Connection", "X-A, keep-alive")], "4", nil, "Upgrade, X-A"),
      ([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], nil, "chunked", nil),
    ] as [([(String, String)], String?, String?, String?)])
  func framedOnce(fields: [(String, String)], length: String?, coding: String?, connection: String?) async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: fields.reduce(StubResponse.text("text")) { $0.addingHeader($1.0, $1.1) })
      for response in try await server.answers(["GET /", "GET /"]) {
        #expect(response?.text == "text")
        #expect(response?.values(of: "Content-Length") == (length.map { [$0] } ?? []))
        #expect(response?.values(of: "Transfer-Encoding") == (coding.map { [$0] } ?? []))
        #expect(response?.values(of: "Connection") == (connection.map { [$0] } ?? []))
      }
    }
  }

  @Test(
    "has no body for HEAD, 204 and 304, and keeps the connection, whatever its stub says of a length",
    arguments: [[], [("Content-Length", "4")], [("Content-Length", "x")], [("Transfer-Encoding", "chunked")]]
      as [[(String, String)]])
  func withoutBody(fields: [(String, String)]) async throws {
    try await withStubServer { server in
      for (path, response) in ["/": StubResponse.text("text"), "/204": .status(204), "/304": .status(304)] {
        stub(condition: isPath(path), response: fields.reduce(response) { $0.addingHeader($1.0, $1.1) })
      }
      let responses = try await server.answers(["GET /204", "GET /304", "HEAD /", "GET /"])
      #expect(responses.map { $0?.status } == [204, 304, 200, 200])
      #expect(responses.map { $0?.text } == ["", "", "", "text"])
      #expect(responses[0]?["Content-Length"] == nil)
      #expect(responses[2]?["Transfer-Encoding"] == nil)
    }
  }

  // A row has the Transfer-Encoding and the Content-Length of the stub, and which of both are sent, or nil for a coding
  // that StubKit refuses.
  /// Answers all requests with the text "text" and these fields.
  private static func stubText(coding: String, length: String? = nil) {
    stub(condition: isPath("/"), name: "coded") { _ in
      let response = StubResponse.text("text").header("Transfer-Encoding", coding)
      return length.map { response.header("Content-Length", $0) } ?? response
    }
  }

  @Test(
    "is chunked if the stub names that coding or none, and has no length then, for URLSession, too",
    arguments: [("chunked", nil), ("Chunked", "4"), ("", "4")] as [(String, String?)])
  func coded(coding: String, length: String?) async throws {
    try await withStubServer(for: "http://a.example") { server in
      Self.stubText(coding: coding, length: length)
      let response = try #require(try await server.get("/"))
      #expect(response.status == 200)
      #expect(response["Transfer-Encoding"] == "chunked")
      #expect(response["Content-Length"] == nil)
      #expect(response.text == "text")
      let (text, head) = try await URLSession.shared.data(from: url("http://a.example/"))
      #expect((head as? HTTPURLResponse)?.value(forHTTPHeaderField: "Transfer-Encoding") == "chunked")
      #expect((head as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length") == nil)
      #expect(text.text == "text")
    }
  }

  @Test("to HEAD has neither a coding nor a length if the stub names a coding, for URLSession, too")
  func codedHead() async throws {
    try await withStubServer(for: "http://a.example") { server in
      Self.stubText(coding: "chunked")
      let request = request("http://a.example/", method: "HEAD")
      let head = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      #expect(head?.allHeaderFields["Transfer-Encoding"] == nil)
      #expect(head?.allHeaderFields["Content-Length"] == nil)
    }
  }

  @Test(
    "is a 500 with the error that URLSession gets, if the stub names another coding",
    arguments: ["xchunked", "gzip, chunked"])
  func unknownCoding(coding: String) async throws {
    try await withStubServer(for: "http://a.example") { server in
      Self.stubText(coding: coding)
      let response = try #require(try await server.get("/"))
      #expect(response.status == 500)
      #expect(response.text.contains("answers with the Transfer-Encoding \"\(coding)\"."))
      let error = await URLSession.shared.failure(of: "http://a.example/") as? StubResponseError
      #expect(response.text == "\(error?.description ?? "")\n")
    }
  }

  @Test("comes before the end of another one of very many pieces")
  func turns() async throws {
    try await withStubServer { server in
      let (hasBegun, isOtherSent) = (Latch(), Latch())
      // Alone, the thread of the server would take seconds for these pieces.
      let length = 4_000_000
      stub(condition: isPath("/pieces"), response: .data(Data(count: length)).chunked(by: 4))
      stub(condition: isPath("/other"), response: .text("x"))
      async let received = server.connected(server.request(line: "GET /pieces")) { client in
        guard client.read(through: "\r\n\r\n") != nil else { return 0 }
        hasBegun.open()
        var count = 0
        while count < length, !isOtherSent.isOpen { count += client.read(4_000).count }
        return count
      }
      try await until("the first response begins") { hasBegun.isOpen }
      let text = try await server.get("/other")?.text
      isOtherSent.open()
      let count = try await received
      #expect(text == "x")
      #expect((1..<length).contains(count))
    }
  }

  @Test("waits until the client has read the one before, so that not all are in memory")
  func heldBack() async throws {
    try await withStubServer { server in
      let answered = stub(condition: isPath("/"), response: .data(Data(count: 8_000_000)))
      let requests = String(repeating: server.request(line: "GET /"), count: 8)
      let callCount = try await server.connected(requests) { client in
        _ = client.read(4_000_000)
        return answered.callCount
      }
      // The buffers of the system can hold one response.
      #expect((1...2).contains(callCount))
    }
  }

  // The journal keeps bodies of at most 1,000,000 bytes: closures get the longer ones too.
  @Test(
    "can depend on a request body of any size, which comes after a 100 if the client waits for one",
    arguments: [0, 1, 999_999, 1_000_001, 5_000_000])
  func uploads(length: Int) async throws {
    try await withStubServer { server in
      let bytes = LargeFile.bytes(length: length)
      stub(condition: isMethod(.put)) { request in
        .text((request.stubBody ?? Data()) == bytes ? "same" : "other")
      }
      let chunked = server.request(line: "PUT /", ["Transfer-Encoding: chunked"])
      let expecting = server.request(line: "PUT /", ["Expect: 100-continue", "Content-Length: \(length)"])
      let texts = try await server.connected(server.request(line: "PUT /", ["Content-Length: \(length)"])) { client in
        client.send(bytes)
        let first = client.readResponse()?.text
        client.send(chunked)
        var rest = bytes[...]
        while !rest.isEmpty {
          let chunk = rest.prefix(70_001)
          rest = rest.dropFirst(70_001)
          client.send("\(String(chunk.count, radix: 16))\r\n")
          client.send(chunk)
          client.send("\r\n")
        }
        client.send("0\r\n\r\n")
        let second = client.readResponse()?.text
        client.send(expecting)
        let interim = length == 0 ? 100 : client.readHead()?.status
        client.send(bytes)
        return [first, second, "\(interim ?? 0)", client.readResponse()?.text]
      }
      #expect(texts == ["same", "same", "100", "same"])
    }
  }

  @Test("breaks the connection off if its length is not the one in its head")
  func wrongLength() async throws {
    // Longer than the client waits.
    try await withStubServer(limits: .with { $0.idle = .seconds(3_600) }) { server in
      stub(condition: isPath("/short"), response: .text("four").header("Content-Length", "9"))
      stub(condition: isPath("/long"), response: .text("four").header("Content-Length", "2"))
      // The length of an encoded body isn't compared before it is sent.
      stub(
        condition: isPath("/encoded"),
        response: .text("four").headers(["Content-Length": "2", "Content-Encoding": "x"]))
      for (path, text, end) in [
        ("/short", "four", LoopbackClient.End.reset), ("/long", "fo", .closed), ("/encoded", "four", .closed),
      ] {
        // An answer that is cut to its length leaves the connection open, so the client asks for its end.
        let request = server.request(line: "GET \(path)", path == "/long" ? ["Connection: close"] : [])
        let (head, rest) = try await server.connected(request) { ($0.readHead(), $0.readToEnd()) }
        #expect(
          head?.status == 200 && rest.bytes == Array(text.utf8) && rest.end == end,
          "\(path): \(head?.status ?? 0), \(rest)")
      }
    }
  }
}
