import Foundation
import StubKit
import StubKitServer
import TestSupport
import Testing

@Suite("An answer on the wire", .inTurn)
struct WireAnswerTests {
  @Test("has no body for HEAD, 204 and 304, and keeps the connection")
  func withoutBody() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/text"), response: .text("four"))
      stub(condition: isPath("/204"), response: .empty())
      stub(condition: isPath("/304"), response: .empty(status: 304))
      let requests = ["HEAD /text", "GET /204", "GET /304", "GET /text"].map { server.request(line: $0) }.joined()
      let port = server.port
      let heads = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send(requests)
        return [
          client.readResponse(toHead: true), client.readResponse(), client.readResponse(), client.readResponse(),
        ].map { "\($0?.status ?? 0) \($0?["Content-Length"] ?? "-") \($0?.text ?? "-")" }
      }
      #expect(heads == ["200 4 ", "204 - ", "304 - ", "200 4 four"])
    }
  }

  @Test("has each field as often as it was set, in order, and Date and Connection as the stub says")
  func fields() async throws {
    try await withStubServer { server in
      stub(
        condition: isPath("/"),
        response: .text("x").header("Date", "then").header("Set-Cookie", "a=1").addingHeader("Set-Cookie", "b=2, c")
          .header("Connection", "close"))
      let port = server.port
      let request = server.request(line: "GET /")
      let (response, rest) = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send(request)
        return (client.readResponse(), client.readToEnd())
      }
      #expect(response?.values(of: "Set-Cookie") == ["a=1", "b=2, c"])
      #expect(response?.values(of: "Date") == ["then"] && response?.values(of: "Connection") == ["close"])
      #expect(rest.bytes.isEmpty && rest.end == .closed)
    }
  }

  @Test("is chunked if its length is unknown, and ends with the connection for HTTP/1.0")
  func stream() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/")) { _ in
        .stream(
          AsyncStream { continuation in
            for text in ["one", "two", ""] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
          })
      }
      let response = try #require(try await server.get("/"))
      #expect(response["Transfer-Encoding"] == "chunked" && response["Content-Length"] == nil)
      #expect(response.text == "onetwo")
      let old = try #require(try await server.send("GET / HTTP/1.0\r\n\r\n"))
      #expect(old["Transfer-Encoding"] == nil && old["Connection"] == "close" && old.text == "onetwo")
      let head = try await server.send(server.request(line: "HEAD /"), isHead: true)
      #expect(head?.status == 200)
    }
  }

  @Test("goes to a client that has ended its side of the connection")
  func halfClosed() async throws {
    for path in ["/text", "/closure", "/delayed", "/pieces", "/stream", "/file"] {
      try await withStubServer { server in
        let file = try LargeFile(length: 300_000)
        stub(condition: isPath("/text"), response: .text("text"))
        stub(condition: isPath("/closure")) { _ async in .text("text") }
        stub(condition: isPath("/delayed"), response: .text("text").delay(.milliseconds(20)))
        stub(condition: isPath("/pieces"), response: .text("text").chunked(by: 1, every: .milliseconds(1)))
        stub(condition: isPath("/stream")) { _ in
          .stream(
            AsyncStream { continuation in
              continuation.yield(Data("text".utf8))
              continuation.finish()
            })
        }
        stub(condition: isPath("/file"), response: .file(file.url.path))
        let (port, request) = (server.port, server.request(line: "GET \(path)"))
        let (responses, rest) = try await onOwnThread {
          let client = try LoopbackClient(port: port)
          client.send(request + request)
          client.endWriting()
          return ([client.readResponse(), client.readResponse()], client.readToEnd())
        }
        for response in responses {
          #expect(response?.status == 200, "\(path)")
          #expect(path == "/file" ? response?.body.count == 300_000 : response?.text == "text", "\(path)")
        }
        #expect(rest.bytes.isEmpty && rest.end == .closed, "\(path)")
        #expect(
          StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: 200), .answered(status: 200)],
          "\(path)")
      }
    }
  }

  @Test("names its own framing once, and keeps the connection")
  func framedOnce() async throws {
    for (fields, sent) in [
      ([("Content-Length", "4"), ("content-length", "4")], "4 - -"),
      ([("Content-Length", "4"), ("Content-Length", "5")], "- chunked -"),
      ([("Content-Length", "x")], "- chunked -"), ([("Connection", "keep-alive")], "4 - -"),
      ([("Connection", "Upgrade"), ("Connection", "X-A, keep-alive")], "4 - Upgrade, X-A"),
      ([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], "- chunked -"),
    ] as [([(String, String)], String)] {
      try await withStubServer { server in
        stub(condition: .anything, response: fields.reduce(.text("text")) { $0.addingHeader($1.0, $1.1) })
        stub(condition: isPath("/204"), response: fields.reduce(.empty()) { $0.addingHeader($1.0, $1.1) })
        stub(condition: isPath("/304"), response: fields.reduce(.empty(status: 304)) { $0.addingHeader($1.0, $1.1) })
        let (port, lines) = (server.port, ["GET /", "GET /204", "GET /304", "HEAD /", "GET /"])
        let requests = lines.map { server.request(line: $0) }.joined()
        let responses = try await onOwnThread {
          let client = try LoopbackClient(port: port)
          client.send(requests)
          return lines.map { client.readResponse(toHead: $0 == "HEAD /") }
        }
        #expect(responses.map { $0?.status } == [200, 204, 304, 200, 200], "\(sent)")
        let names = ["Content-Length", "Transfer-Encoding", "Connection"]
        for response in responses {
          for name in names { #expect((response?.values(of: name).count ?? 9) <= 1, "\(sent)") }
        }
        for whole in [responses[0], responses[4]] {
          #expect(whole?.text == "text" && names.map { whole?[$0] ?? "-" }.joined(separator: " ") == sent, "\(sent)")
        }
        #expect(responses[1]?["Content-Length"] == nil && responses[3]?["Transfer-Encoding"] == nil, "\(sent)")
      }
    }
  }

  @Test("is framed by the server, whatever the stub says of its coding")
  func framing() async throws {
    for (coding, length, sent, sentLength, status) in [
      ("chunked", nil, "chunked", nil, 200), ("Chunked", "4", nil, "4", 200), ("xchunked", nil, nil, nil, 500),
      ("gzip, chunked", "4", nil, nil, 500),
    ] as [(String, String?, String?, String?, Int)] {
      try await withStubServer { server in
        stub(condition: isPath("/")) { _ in
          let response = StubResponse.stream(
            AsyncStream { continuation in
              continuation.yield(Data("text".utf8))
              continuation.finish()
            }
          ).header("Transfer-Encoding", coding)
          return length.map { response.header("Content-Length", $0) } ?? response
        }
        let response = try #require(try await server.get("/"), "\(coding)")
        #expect(
          response.status == status && response.values(of: "Transfer-Encoding") == [sent].compactMap(\.self),
          "\(coding)")
        if status == 200 {
          #expect(response.text == "text" && response["Content-Length"] == sentLength, "\(coding)")
        } else {
          #expect(response.text.hasPrefix("The stub sets Transfer-Encoding to \"\(coding)\"."), "\(coding)")
        }
      }
    }
  }

  @Test("comes before the end of another one of very many pieces")
  func turns() async throws {
    try await withStubServer { server in
      let (hasBegun, isOtherSent) = (Locked(false), Locked(false))
      // Alone, the thread of the server would take seconds for these pieces.
      let length = 4_000_000
      stub(condition: isPath("/pieces"), response: .data(Data(count: length)).chunked(by: 4))
      stub(condition: isPath("/other"), response: .text("x"))
      let (port, first, other) = (
        server.port, server.request(line: "GET /pieces"), server.request(line: "GET /other")
      )
      async let received = onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send(first)
        guard client.read(through: "\r\n\r\n") != nil else { return 0 }
        hasBegun.withLock { $0 = true }
        var count = 0
        while count < length, !isOtherSent.withLock(\.self) { count += client.read(4_000).count }
        return count
      }
      try await until("the first response begins") { hasBegun.withLock(\.self) }
      let text = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send(other)
        return client.readResponse()?.text
      }
      isOtherSent.withLock { $0 = true }
      #expect(text == "x")
      let count = try await received
      #expect(0 < count && count < length)
    }
  }

  @Test("keeps a connection of HTTP/1.0 that asks for it")
  func oldKeepAlive() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .text("x"))
      let port = server.port
      let texts = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        return (0..<3).map { _ in
          client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
          let response = client.readResponse()
          return "\(response?.text ?? "-") \(response?["Connection"] ?? "-")"
        }
      }
      #expect(texts == ["x keep-alive", "x keep-alive", "x keep-alive"])
    }
  }

  @Test("has a large file whole, for a client that reads slowly and for one that reads fast")
  func largeFile() async throws {
    let file = try LargeFile(length: 3_000_001)
    try await withStubServer { server in
      stub(condition: isPath("/file"), response: .file(file.url))
      stub(condition: isPath("/data"), response: .data(file.bytes))
      for path in ["/file", "/data", "/file"] {
        let response = try await server.get(path)
        #expect(response?.body == file.bytes)
      }
      #expect(StubRegistry.current.journal.entries.map(\.response?.bodyLength) == [3_000_001, 3_000_001, 3_000_001])
    }
  }

  @Test(
    "waits for a client that reads slowly, longer than an idle one is waited for, and not with all requests in memory")
  func slowReader() async throws {
    var limits = StubServer.Limits()
    limits.idle = .milliseconds(150)
    try await withStubServer(limits: limits) { server in
      let bytes = LargeFile.bytes(length: 8_000_000)
      let answered = stub(condition: isPath("/"), response: .data(bytes))
      let (port, request) = (server.port, server.request(line: "GET /"))
      let (callCount, areWhole) = try await onOwnThread {
        // A client that loses its turn before its first byte is dropped. It tries again.
        var client = try LoopbackClient(port: port)
        var head: WireResponse?
        for _ in 0..<100 where head == nil {
          client = try LoopbackClient(port: port)
          for _ in 0..<8 { client.send(request) }
          head = client.readHead()
        }
        Thread.sleep(forTimeInterval: 0.5)
        let callCount = answered.callCount
        let first = Data(client.read(bytes.count)) == bytes
        return (callCount, [first] + (0..<7).map { _ in client.readResponse()?.body == bytes })
      }
      #expect(callCount == 1 && areWhole.allSatisfy(\.self))
    }
  }

  @Test("comes after a 100, if the client waits for one")
  func expectation() async throws {
    try await withStubServer { server in
      stub(condition: isMethodPOST()) { request in .text("\(request.stubBody?.count ?? 0)") }
      let port = server.port
      let head = server.request(line: "POST /", ["Expect: 100-continue", "Content-Length: 5"])
      let (interim, final) = try await onOwnThread {
        let client = try LoopbackClient(port: port)
        client.send(head)
        let interim = client.readHead()?.status
        client.send("hello")
        return (interim, client.readResponse()?.text)
      }
      #expect(interim == 100 && final == "5")
    }
  }

  @Test("gets a body of any size, and each byte of it")
  func uploads() async throws {
    for length in [0, 1, 999_999, 1_000_001, 5_000_000] {
      try await withStubServer { server in
        let bytes = LargeFile.bytes(length: length)
        stub(condition: isMethodPUT()) { request in
          .text((request.stubBody ?? Data()) == bytes ? "same" : "other")
        }
        let port = server.port
        let heads = [
          server.request(line: "PUT /", ["Content-Length: \(length)"]),
          server.request(line: "PUT /", ["Transfer-Encoding: chunked"]),
        ]
        let texts = try await onOwnThread {
          let client = try LoopbackClient(port: port)
          client.send(heads[0])
          client.send(bytes)
          let first = client.readResponse()?.text
          client.send(heads[1])
          var rest = bytes[...]
          while !rest.isEmpty {
            let chunk = rest.prefix(70_001)
            rest = rest.dropFirst(70_001)
            client.send("\(String(chunk.count, radix: 16))\r\n")
            client.send(chunk)
            client.send("\r\n")
          }
          client.send("0\r\n\r\n")
          return [first, client.readResponse()?.text]
        }
        #expect(texts == ["same", "same"], "\(length)")
      }
    }
  }

  @Test("breaks the connection off if its length is not the one in its head")
  func wrongLength() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/short"), response: .text("four").header("Content-Length", "9"))
      stub(condition: isPath("/long"), response: .text("four").header("Content-Length", "2"))
      let port = server.port
      for (path, text, end) in [("/short", "four", LoopbackClient.End.reset), ("/long", "fo", .closed)] {
        let request = server.request(line: "GET \(path)", path == "/long" ? ["Connection: close"] : [])
        let (head, rest) = try await onOwnThread {
          let client = try LoopbackClient(port: port)
          client.send(request)
          return (client.readHead(), client.readToEnd())
        }
        #expect(
          head?.status == 200 && String(decoding: rest.bytes, as: UTF8.self) == text && rest.end == end, "\(path)")
      }
    }
  }
}
