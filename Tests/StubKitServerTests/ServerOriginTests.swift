import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("The origins of servers", .inTurn)
struct ServerOriginTests {
  @Test("are told apart by the server that a request reaches")
  func reached() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let login = try await StubServer(for: "https://login.example.com:8443")
      for host in ["api.example.com", "login.example.com"] { stub(condition: isHost(host), response: .text(host)) }
      #expect(try await api.get("/")?.text == "api.example.com")
      #expect(try await login.get("/")?.text == "login.example.com")
    }
  }

  @Test("of other servers are translated in a Location, and by url(for:)")
  func translation() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let login = try await StubServer(for: "https://login.example.com:8443")
      stub(condition: isPath("/"), response: .redirect(to: "https://login.example.com:8443/in?next=1#top"))
      #expect(try await api.get("/")?["Location"] == "\(login.url)/in?next=1#top")
      #expect(api.url(for: url("https://login.example.com:8443/a?b")).absoluteString == "\(login.url)/a?b")
    }
  }

  @Test("of two servers for the same one are translated to the server that answers")
  func twins() async throws {
    try await withStubs {
      let first = try await StubServer(for: "https://api.example.com")
      let second = try await StubServer(for: "https://api.example.com")
      for server in [first, second] {
        #expect(server.url(for: url("https://api.example.com/a")).absoluteString == "\(server.url)/a")
      }
    }
  }

  @Test("of a server of another registry, or of one that has stopped, aren't translated")
  func foreign() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let stopped = try await StubServer(for: "https://stopped.example")
      await stopped.stop()
      #expect(api.url(for: url("https://stopped.example/")).host() == "stopped.example")
      try await withStubs {
        let other = try await StubServer(for: "https://other.example")
        #expect(other.url(for: url("https://api.example.com/")).host() == "api.example.com")
        #expect(api.url(for: url("https://other.example/a")).host() == "other.example")
      }
    }
  }

  /// Each row of Fixtures/translations.json has the name of a field, its value in a stub, and what a client reads.
  @Test("translate the fields whose URLs and cookies a client would follow or refuse, and leave the rest alone")
  func fields() async throws {
    for row in try fixture("translations") as [[String]] {
      let (name, stubbed, read) = (row[0], row[1], row[2])
      try await withStubs {
        let server = try await StubServer(for: "https://api.example.com")
        stub(condition: .anything, response: .ok.header(name, stubbed))
        let response = try await server.get("/")
        #expect(response?[name] == read.replacing("HERE", with: "\(server.url)"), "\(row)")
      }
    }
  }

  @Test("leave each cookie alone at a server that stands for none")
  func cookiesWithoutOrigin() async throws {
    for row in try fixture("translations") as [[String]] where row[0] == "Set-Cookie" {
      try await withStubs {
        let server = try await StubServer()
        stub(condition: .anything, response: .ok.header("Set-Cookie", row[1]))
        let response = try await server.get("/")
        #expect(response?["Set-Cookie"] == row[1])
      }
    }
  }

  /// Each row of Fixtures/targets.json has a method with a target, a Host field, and the URL that stubs see.
  @Test("are what stubs see, whatever the form of the target")
  func targets() async throws {
    for row in try fixture("targets") as [[String]] {
      let (line, host, url) = (row[0], row[1], row[2])
      try await withStubServer(for: "https://a.example") { server in
        stub(condition: .anything) { request in .text(request.url!.absoluteString) }
        let (line, url) = (
          line.replacing("PORT", with: "\(server.port)"), url.replacing("PORT", with: "\(server.port)")
        )
        let response = try await server.send("\(line) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(response?.text == url, "\(row)")
      }
    }
  }

  @Test("are the address that the client used where no other is named")
  func ownAddress() async throws {
    try await withStubServer { server in
      stub(condition: .anything) { request in .text(request.url!.absoluteString) }
      for (host, url) in [("localhost:81", "http://localhost:81/x"), ("app.localhost", "http://app.localhost/x")] {
        let response = try await server.send("GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(response?.text == url, "\(host)")
      }
      #expect(try await server.send("GET /x HTTP/1.0\r\n\r\n")?.text == "\(server.url)/x")
      let proxied = "GET \(server.url)/y HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(try await server.send(proxied)?.text == "\(server.url)/y")
    }
  }

  @Test(
    "are named in the report of a request that this process sends to a server", arguments: ["127.0.0.1", "localhost"])
  func ownProcess(host: String) async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      stub(condition: isHost("api.example.com"), response: .status(204))
      let url = try #require(URL(string: "http://\(host):\(server.port)/users"))
      let error = try #require(await #expect(throws: (any Error).self) { try await URLSession.shared.data(from: url) })
      let report = try #require(UnmatchedRequestError(from: error)).description
      #expect(report.contains("http://\(host):\(server.port) is the URL of a StubServer"), "\(report)")
      #expect(report.contains("\nhttps://api.example.com, for which the server stands.\n"), "\(report)")
    }
  }

  @Test("aren't named in the report that a client of the server reads")
  func ofClients() async throws {
    try await withStubs {
      let missed = try await StubServer(for: "https://b.example").get("/")
      #expect(missed?.status == 501)
      #expect(missed?.text.contains("StubServer") == false)
    }
  }
}
