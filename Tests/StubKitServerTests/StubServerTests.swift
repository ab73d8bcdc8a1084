import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("A stub server", .inTurn)
struct StubServerTests {
  @Test("answers a client that is not URLSession")
  func answers() async throws {
    try await withStubServer { server in
      let stub = stub(condition: isPath("/users") && isMethod(.get), response: .json([["name": "Ann"]]))
      let response = try #require(try await server.get("/users"))
      #expect(response.status == 200)
      #expect(response.text == #"[{"name":"Ann"}]"#)
      #expect(response["Content-Type"] == "application/json")
      #expect(response["Content-Length"] == "16")
      #expect(response["Date"].flatMap { Date(httpDate: $0) } != nil)
      #expect(stub.callCount == 1)
      #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)")
      #expect(outcomes == [.answered(status: 200)])
      #expect(StubRegistry.current.journal.entries.first?.request.url == URL(string: "\(server.url)/users"))
    }
  }

  @Test("answers pipelined requests in their order, over one connection")
  func pipeline() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/slow"), response: .text("slow").delay(.milliseconds(50)))
      stub(condition: isPath("/fast"), response: .text("fast"))
      let answers = try await server.answers(["GET /slow", "GET /fast", "GET /slow", "GET /fast"])
      #expect(answers.map { $0?.text } == ["slow", "fast", "slow", "fast"])
    }
  }

  @Test("lets stubs and the journal see the origin that it stands for")
  func origin() async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isURL("https://api.example.com/v1/users?page=2")) { request in
        .text(
          "\(request.url!) \(request.stubHeaders["Host"] ?? "-") \(request.value(forHTTPHeaderField: "X-A") ?? "-")")
      }
      let response = try await server.get("/v1/users?page=2", "X-A: 1", "X-A: 2")
      // As URLSession would send it, so that a condition matches in both places.
      var request = URLRequest(url: url("https://api.example.com/"))
      for value in ["1", "2"] { request.addValue(value, forHTTPHeaderField: "X-A") }
      let joined = request.value(forHTTPHeaderField: "X-A") ?? "none"
      #expect(response?.text == "https://api.example.com/v1/users?page=2 api.example.com \(joined)")
      #expect(joined == "1,2")
      try verify(isHost("api.example.com"), called: .once)
    }
  }

  @Test(
    "lets conditions see each field that a client sends, as in a unit test",
    arguments: [
      ("Expect", "100-continue"), ("TE", "trailers"), ("Upgrade", "h2c"), ("Connection", "X-A, keep-alive"),
      ("Keep-Alive", "timeout=5"), ("Proxy-Connection", "keep-alive"), ("Trailer", "X-B"), ("X-A", "1"),
    ])
  func fields(name: String, value: String) async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: .anything, response: .status(404))
      stub(condition: isMethod(.get) && hasHeader(name, value), response: .status(201))
      // X-A is for this connection only, as another field says.
      let named = name == "X-A" ? ["Connection: X-A"] : []
      let served = try await server.send(server.request(line: "GET /", ["\(name): \(value)"] + named))
      #expect(served?.status == 201)
      let fetched = try await URLSession.shared.fetch(request("https://api.example.com/", headers: [name: value]))
      #expect(fetched.status == 201)
    }
  }

  @Test("lets a closure see the body of a GET and how it was framed, which URLSession refuses to send")
  func bodyOfGET() async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isMethod(.get) && !hasHeader("Host") && !hasHeader("Content-Length")) { request in
        let (headers, body) = (request.stubHeaders, (request.stubBody ?? Data()).text)
        return .text("\(headers["Content-Length"] ?? "-") \(headers["Transfer-Encoding"] ?? "-") \(body)")
      }
      let chunked = server.request(line: "GET /", ["Transfer-Encoding: chunked"]) + "3\r\nabc\r\n0\r\n\r\n"
      let texts = [
        try await server.send(chunked)?.text, try await server.send(server.request(line: "GET /", body: "abc"))?.text,
      ]
      #expect(texts == ["- chunked abc", "3 - abc"])
    }
  }

  @Test("runs a closure while another one blocks")
  func blockingClosures() async throws {
    try await withStubServer { server in
      for number in 1...20 {
        let (isBlocking, other) = (Latch(), Latch())
        // So that a test that fails ends.
        defer { other.open() }
        stub(condition: isPath("/wait")) { _ in
          isBlocking.open()
          return .text(other.blockUntilOpened() ? "met" : "waited in vain")
        }
        stub(condition: isPath("/go")) { _ in
          other.open()
          return .ok
        }
        async let waiting = server.get("/wait")
        try await until("a closure blocks, in round \(number)") { isBlocking.isOpen }
        async let going = server.get("/go")
        try await until("another one has run, in round \(number)") { other.isOpen }
        let (met, gone) = try await (waiting, going)
        #expect(met?.text == "met" && gone?.status == 200, "round \(number): \(met?.text as Any), \(gone as Any)")
      }
    }
  }

  @Test("listens on ::1 at the same port where the machine has it")
  func bothAddresses() async throws {
    try await withStubServer { server in
      stub(condition: isPath("/"), response: .text("here"))
      let request = "GET / HTTP/1.1\r\nHost: [::1]:\(server.port)\r\n\r\n"
      // Where the machine has no ::1, nobody can connect to it, and there is nothing to expect.
      let text = try? await server.connected(request, isIPv6: true) { $0.readResponse()?.text }
      if let text { #expect(text == "here") }
    }
  }

  @Test("answers an unmatched request with the report")
  func unmatched() async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isHost("api.example.com") && isPath("/users/42"), response: .status(204))
      for (place, response) in try await server.answers(["HEAD /users/43", "GET /users/43"]).enumerated() {
        #expect(
          response?.status == 501 && response?["StubKit-Unmatched"] == "1", "request \(place): \(response as Any)")
      }
      let report = try await server.get("/users/43")?.text ?? "none"
      #expect(report.hasPrefix("No stub matches GET https://api.example.com/users/43\n"), "\(report)")
      #expect(report.contains("path: expected /users/42, got /users/43"), "\(report)")
      #expect(StubRegistry.current.journal.unmatchedRequests.count == 3)
    }
  }
}
