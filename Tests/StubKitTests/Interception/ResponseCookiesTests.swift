import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response's cookies", .inTurn)
struct ResponseCookiesTests {
  private let response = StubResponse.text("hello").addingHeader("Set-Cookie", "a=1; Path=/").addingHeader(
    "set-cookie", "b=2; Expires=Fri, 01 Jan 2100 00:00:00 GMT")

  private func names(_ configuration: URLSessionConfiguration) -> [String] {
    (configuration.httpCookieStorage?.cookies ?? []).map(\.name).sorted()
  }

  @Test("are stored where the session keeps its cookies")
  func stored() async throws {
    try await withStubs {
      stub(condition: .anything, response: response)
      let session = URLSession(configuration: .ephemeral)
      _ = try await session.fetch("http://a.example/x")
      #expect(names(session.configuration) == ["a", "b"])
      let cookies = session.configuration.httpCookieStorage?.cookies(for: url("http://a.example/")) ?? []
      #expect(cookies.allSatisfy { $0.domain == "a.example" } && cookies.count == 2)
      #expect(names(URLSession(configuration: .ephemeral).configuration) == [])
    }
  }

  @Test("are stored when the head is told, also if the body then breaks off")
  func timing() async throws {
    await withStubs {
      stub(condition: .anything, response: response.failing(afterBytes: 1))
      let session = URLSession(configuration: .ephemeral)
      #expect(await session.failure(of: "http://a.example/x") != nil)
      #expect(names(session.configuration) == ["a", "b"])
    }
  }

  @Test("are not stored where the session, its storage or the request will have none, or the domain is another's")
  func refused() async throws {
    try await withStubs {
      stub(condition: isPath("/x"), response: response)
      stub(condition: isPath("/foreign"), response: .text("x").header("Set-Cookie", "c=3; Domain=b.example"))
      let refusing = URLSessionConfiguration.ephemeral
      refusing.httpCookieAcceptPolicy = .never
      let storageRefusing = URLSessionConfiguration.ephemeral
      storageRefusing.httpCookieStorage?.cookieAcceptPolicy = .never
      let without = URLSessionConfiguration.ephemeral
      without.httpCookieStorage = nil
      for configuration in [refusing, storageRefusing, without] {
        let session = URLSession(configuration: configuration)
        _ = try await session.fetch("http://a.example/x")
        #expect(names(session.configuration) == [])
      }
      let session = URLSession(configuration: .ephemeral)
      var request = URLRequest(url: url("http://a.example/x"))
      request.httpShouldHandleCookies = false
      _ = try await session.fetch(request)
      _ = try await session.fetch("http://a.example/foreign")
      #expect(names(session.configuration) == [])
    }
  }

  @Test("are stored of a redirect too, before the request that follows it is made, and beside those of its end")
  func redirect() async throws {
    try await withStubs {
      let session = URLSession(configuration: .ephemeral)
      let storage = try #require(session.configuration.httpCookieStorage)
      stub(condition: isPath("/x"), response: .redirect(to: "/y", headers: ["Set-Cookie": "hop=1"]))
      stub(condition: isPath("/y")) { _ in
        .text((storage.cookies ?? []).map(\.name).joined()).header("Set-Cookie", "end=2")
      }
      let fetched = try await session.fetch("http://a.example/x")
      #expect(fetched.text == "hop")
      #expect(names(session.configuration) == ["end", "hop"])
    }
  }
}
