import Foundation
import StubKitRecorder
import StubKitServer
import TestSupport
import Testing

@Suite("The guide to UI tests and other clients", .inTurn)
struct UITestsAndOtherClientsExamples {
  @Test("serves the stubs of a unit test, and others that change")
  func stubs() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      stub(
        condition: isHost("api.example.com") && isPath("/users"),
        response: .json([["name": "Ann"]]))
      let users = try await server.get("/users")
      #expect(users?.text == #"[{"name":"Ann"}]"#)

      enum Session { case signedOut, signedIn }
      let session = StubScenario(initial: Session.signedOut)
      stub(
        condition: isPath("/me") && session.is(.signedOut),
        response: .status(401))
      stub(
        condition: isMethodPOST() && isPath("/login"),
        response: .empty().moving(session, to: .signedIn))
      stub(
        condition: isPath("/me") && session.is(.signedIn),
        responses: [.failure(.networkConnectionLost), .json(["name": "Ann"])])
      var statuses: [Int?] = []
      for line in ["GET /me", "POST /login", "GET /me", "GET /me"] {
        let response = try await server.send(server.request(line: line))
        statuses.append(response?.status)
      }
      // The failure is an interim response and a reset.
      #expect(statuses == [401, 204, 100, 200])
    }
  }

  @Test("translates the URLs of a page")
  func page() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      stub(condition: isPath("/start")) { [server] request in
        let image = URL(string: "https://api.example.com/ann.png")!
        return .text(
          "<img src=\"\(server.url(for: image))\">",
          headers: ["Content-Type": "text/html"])
      }
      let page = try await server.get("/start")
      #expect(page?.text == "<img src=\"http://127.0.0.1:\(server.port)/ann.png\">")
    }
  }

  @Test("serves curl")
  func curl() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else { return }
    func run(_ name: String, _ url: String) async throws -> String? {
      try await ChildProcess.run(name, ["--silent", "--noproxy", "*", url])
    }
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isPath("/users/42"), response: .json(["id": 42]))
      let output = try await run("curl", "\(server.url)/users/42")
      #expect(output == #"{"id":42}"#)
    }
  }

  @Test("serves several origins")
  func origins() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let login = try await StubServer(for: "https://login.example.com")
      stub(
        condition: isHost("api.example.com") && isPath("/me"),
        response: .redirect(to: "https://login.example.com/?then=/me"))
      stub(condition: isHost("login.example.com"), response: .text("Hello"))
      let me = try await api.get("/me")
      #expect(me?["Location"] == "\(login.url)/?then=/me")
      let hello = try await login.get("/?then=/me")
      #expect(hello?.text == "Hello")
    }
  }

  @Test("plays a session that was recorded by hand")
  func recording() async throws {
    let folder = try TestFolder()
    let real = try LoopbackServer()
    defer { real.stop() }
    for _ in 1...2 {
      let bytes = Locked<String?>(nil)
      func use(_ url: URL) async throws {
        guard let port = url.port else { return }
        let text = try await onOwnThread {
          let client = try LoopbackClient(port: port)
          client.send("GET /users HTTP/1.1\r\nHost: localhost\r\n\r\n")
          return client.readResponse()?.text
        }
        bytes.withLock { $0 = text }
      }
      func withRecording(_ recording: Recording, _ body: () async throws -> Void) async throws {
        try await StubKitRecorder.withRecording(Recording("session", in: folder.url, mode: .once), body)
      }
      struct StubServer {
        let server: StubKitServer.StubServer
        static let port = Locked(0)
        var url: URL { server.url }
        init(for origin: String) async throws {
          #expect(origin == "https://api.example.com")
          let address = "http://127.0.0.1:\(Self.port.withLock { $0 })"
          server = try await StubKitServer.StubServer(for: address)
        }
      }
      StubServer.port.withLock { $0 = Int(real.port) }
      try await withRecording(Recording("session")) {
        let server = try await StubServer(for: "https://api.example.com")
        try await use(server.url)
      }
      #expect(bytes.withLock { $0 } == "real GET /users")
    }
    #expect(real.requests == ["GET /users"])
  }
}
