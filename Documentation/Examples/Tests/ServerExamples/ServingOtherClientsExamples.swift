import Foundation
import StubKitRecorder
import StubKitServer
import TestSupport
import Testing

@Suite("The guide to serving other clients", .inTurn)
struct ServingOtherClientsExamples {
  @Test("serves the stubs of a unit test")
  func stubs() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      stub(.get, "https://api.example.com/users", response: .json([["name": "Ann"]]))
      #expect(try await fetch(server.url.appendingPathComponent("users")).text == #"[{"name":"Ann"}]"#)
    }
  }

  @Test("shows that only an excluded session of the test itself reaches the server")
  func ownProcess() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      let users = stub(.get, "https://api.example.com/users", response: .json([["name": "Ann"]]))
      await #expect(throws: UnmatchedRequestError.self) {
        try await URLSession.shared.data(from: server.url.appendingPathComponent("users"))
      }
      #expect(users.callCount == 0)

      let configuration = URLSessionConfiguration.ephemeral
      HTTPStubs.setEnabled(false, for: configuration)
      let session = URLSession(configuration: configuration)
      let (data, _) = try await session.data(from: server.url.appendingPathComponent("users"))
      #expect(String(decoding: data, as: UTF8.self) == #"[{"name":"Ann"}]"# && users.callCount == 1)
      _ = try await URLSession.shared.data(from: URL(string: "https://api.example.com/users")!)
      #expect(users.callCount == 2)
    }
  }

  @Test("translates the URLs of a page")
  func page() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      let image = URL(string: "https://api.example.com/ann.png")!
      stub(
        .get, "/start",
        response: .text(
          "<img src=\"\(server.url(for: image))\">",
          headers: ["Content-Type": "text/html"]))
      let page = try await fetch(server.url.appendingPathComponent("start"))
      #expect(page.text == "<img src=\"http://127.0.0.1:\(server.port)/ann.png\">")
    }
  }

  @Test("serves curl")
  func curl() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else { return }
    func run(_ name: String, _ url: String) async throws -> String? {
      try await ChildProcess.run(name, ["--silent", "--noproxy", "*", url])
    }
    try await withStubServer(for: "https://api.example.com") { server in
      stub(.get, "/users/42", response: .json(["id": 42]))
      let output = try await run("curl", "\(server.url)/users/42")
      #expect(output == #"{"id":42}"#)
    }
  }

  @Test("serves several origins")
  func origins() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let login = try await StubServer(for: "https://login.example.com")
      stub(.get, "https://api.example.com/me", response: .redirect(to: "https://login.example.com/?then=/me"))
      stub(condition: isHost("login.example.com"), response: .text("Hello"))
      let me = try await fetch(api.url.appendingPathComponent("me"))
      #expect(me.text == "Hello" && me.head.url?.absoluteString == "\(login.url)/?then=/me")
    }
  }

  @Test("plays a session that was recorded by hand")
  func recording() async throws {
    func use(_ url: URL) async throws {
      #expect(try await fetch(url.appendingPathComponent("users")).text == #"["Ann","Bob"]"#)
    }
    try await withRecording(Recording("session")) {
      let server = try await StubServer(for: "https://api.example.com")
      try await use(server.url)
    }
  }
}

/// A session that StubKit leaves alone, like that of another process.
let plainSession = {
  let configuration = URLSessionConfiguration.ephemeral
  HTTPStubs.setEnabled(false, for: configuration)
  return URLSession(configuration: configuration)
}()

func fetch(_ url: URL, _ method: String = "GET") async throws -> (text: String, head: HTTPURLResponse) {
  var request = URLRequest(url: url)
  request.httpMethod = method
  let (data, response) = try await plainSession.data(for: request)
  return (String(decoding: data, as: UTF8.self), response as! HTTPURLResponse)
}
