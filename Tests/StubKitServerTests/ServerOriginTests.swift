import Foundation
import StubKit
import StubKitServer
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The origins of servers", .inTurn)
struct ServerOriginTests {
  @Test("translate the URLs that a client would follow")
  func translation() async throws {
    try await withStubs {
      let api = try await StubServer(for: "https://api.example.com")
      let login = try await StubServer(for: "https://login.example.com:8443")
      stub(
        condition: isPath("/"),
        response: .redirect(to: "https://login.example.com:8443/in?next=1#top")
          .header("Content-Location", "https://API.example.com:443/here")
          .header("Link", "<https://api.example.com/?page=2>; rel=\"next\", </a>; rel=x, <https://o.example/>; rel=y")
          .header("Refresh", "5; URL=https://api.example.com")
          .header("X-Other", "https://api.example.com/as/it/is"))
      let response = try #require(try await api.get("/"))
      #expect(response["Location"] == "\(login.url)/in?next=1#top")
      #expect(response["Content-Location"] == "\(api.url)/here")
      #expect(response["Link"] == "<\(api.url)/?page=2>; rel=\"next\", </a>; rel=x, <https://o.example/>; rel=y")
      #expect(response["Refresh"] == "5; URL=\(api.url)")
      #expect(response["X-Other"] == "https://api.example.com/as/it/is")
      #expect(api.url(for: URL(string: "https://login.example.com:8443/a?b")!).absoluteString == "\(login.url)/a?b")
      #expect(api.url(for: URL(string: "https://o.example/a")!).absoluteString == "https://o.example/a")
      let twin = try await StubServer(for: "https://api.example.com")
      #expect(api.url(for: URL(string: "https://api.example.com/a")!).absoluteString == "\(api.url)/a")
      await twin.stop()
      // A server of another registry, and one that has stopped, don't count.
      try await withStubs {
        let other = try await StubServer(for: "https://o.example")
        #expect(other.url(for: URL(string: "https://api.example.com/")!).host() == "api.example.com")
        #expect(api.url(for: URL(string: "https://o.example/a")!).host() == "o.example")
      }
      await login.stop()
      #expect(api.url(for: URL(string: "https://login.example.com:8443/")!).host() == "login.example.com")
    }
  }

  @Test("translate what browsers take for the URL of a Refresh, and leave the rest alone")
  func refresh() async throws {
    for (value, translated) in [
      ("0; url='https://api.example.com/a'", "0; url='HERE/a'"),
      ("5;URL=\"https://api.example.com\"", "5;URL=\"HERE\""),
      ("0 ; Url = https://api.example.com/a", "0 ; Url = HERE/a"),
      ("0, url=https://api.example.com/a", "0, url=HERE/a"),
      ("0.5;https://api.example.com/a", "0.5;HERE/a"), ("0; url='https://api.example.com/a' x", "0; url='HERE/a' x"),
      ("0; url='https://api.example.com/a", "0; url='HERE/a"), ("0; url=//api.example.com/a", "0; url=HERE/a"),
      ("0; url='/a'", "0; url='/a'"), ("0; url=a", "0; url=a"), ("0; url=", "0; url="), ("5", "5"), ("", ""),
      ("0; url='https://o.example/'", "0; url='https://o.example/'"),
    ] {
      try await withStubServer(for: "https://api.example.com") { server in
        stub(condition: .anything, response: .ok.header("Refresh", value))
        let sent = try await server.get("/")?["Refresh"]
        #expect(sent == translated.replacing("HERE", with: "\(server.url)"), "\(value)")
      }
    }
  }

  @Test("let cookies arrive that a client would refuse from this machine")
  func cookies() async throws {
    for (value, translated) in [
      ("a=1; Domain=api.example.com; Secure; Path=/", "a=1; Path=/"), ("a=1; domain=.Example.com;secure", "a=1"),
      ("a=1; Domain=other.example; HttpOnly", "a=1; Domain=other.example; HttpOnly"),
      ("a=1; SameSite=None; Secure; Partitioned", "a=1"), ("a=1; SameSite=Lax; Secure", "a=1; SameSite=Lax"),
      ("__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/; Secure"),
      ("secure=secure; Max-Age=1", "secure=secure; Max-Age=1"),
    ] {
      try await withStubs {
        let server = try await StubServer(for: "https://api.example.com")
        let own = try await StubServer()
        stub(condition: .anything, response: .empty().header("Set-Cookie", value))
        #expect(try await server.get("/")?["Set-Cookie"] == translated, "\(value)")
        #expect(try await own.get("/")?["Set-Cookie"] == value, "\(value)")
      }
    }
  }

  @Test("are told apart by the server that a request reaches")
  func several() async throws {
    try await withStubs {
      let servers = [try await StubServer(for: "https://a.example"), try await StubServer(for: "https://b.example")]
      stub(condition: isHost("a.example"), response: .text("a"))
      stub(condition: isHost("b.example"), response: .text("b"))
      #expect(try await servers[0].get("/")?.text == "a")
      #expect(try await servers[1].get("/")?.text == "b")
      try verify(isHost("a.example"), called: .once)
    }
  }

  @Test("are what stubs see, whatever the form of the target")
  func targets() async throws {
    for (line, host, url) in [
      ("GET /x", "localhost", "https://a.example/x"), ("GET /x", "a.example", "https://a.example/x"),
      ("GET /x", "127.0.0.1:1", "https://a.example/x"), ("GET //x", "[::1]", "https://a.example//x"),
      ("GET /?a=%20|%2&b[]=%", "A.EXAMPLE:443", "https://a.example/?a=%20%7C%252&b%5B%5D=%25"),
      ("OPTIONS *", "localhost", "https://a.example"),
      ("GET http://b.example/x?y", "b.example", "http://b.example/x?y"),
      ("GET https://a.example:8/x", "a.example:8", "https://a.example:8/x"),
      ("GET http://localhost:PORT/x", "localhost", "https://a.example/x"),
      ("GET https://localhost:PORT/x", "localhost", "https://localhost:PORT/x"),
    ] {
      try await withStubServer(for: "https://a.example") { server in
        stub(condition: .anything) { request in .text(request.url!.absoluteString) }
        let (line, url) = (
          line.replacing("PORT", with: "\(server.port)"), url.replacing("PORT", with: "\(server.port)")
        )
        let response = try await server.send("\(line) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(response?.text == url, "\(line)")
      }
    }
  }

  @Test("are the address that the client used where no other is named")
  func ownAddress() async throws {
    try await withStubServer { server in
      stub(condition: .anything) { request in .text(request.url!.absoluteString) }
      for (host, url) in [("localhost:81", "http://localhost:81/x"), ("app.localhost", "http://app.localhost/x")] {
        let response = try await server.send("GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(response?.text == url)
      }
      #expect(try await server.send("GET /x HTTP/1.0\r\n\r\n")?.text == "\(server.url)/x")
      let proxied = "GET \(server.url)/y HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(try await server.send(proxied)?.text == "\(server.url)/y")
    }
  }

  @Test("are named in the report of a request that this process sends to a server")
  func ownProcess() async throws {
    try await withStubs {
      let server = try await StubServer(for: "https://api.example.com")
      stub(condition: isHost("api.example.com"), response: .empty())
      for host in ["127.0.0.1", "localhost"] {
        let url = try #require(URL(string: "http://\(host):\(server.port)/users"))
        let error = await #expect(throws: (any Error).self) { try await URLSession.shared.data(from: url) }
        let report = try error.map { try #require(UnmatchedRequestError(from: $0)).description } ?? ""
        #expect(report.contains("http://\(host):\(server.port) is the URL of a StubServer"))
        #expect(report.contains("\nhttps://api.example.com, for which the server stands.\n"))
      }
      // Not in what a client of the server reads.
      stub(condition: isHost("api.example.com") && isPath("/"), response: .empty())
      let missed = try await StubServer(registry: StubRegistry(), for: "https://b.example").get("/")
      #expect(missed?.status == 501 && missed?.text.contains("StubServer") == false)
    }
  }
}
