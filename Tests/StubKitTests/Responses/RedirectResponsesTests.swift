import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A redirect", .inTurn)
struct RedirectResponsesTests {
  @Test("has a Location, a status, and no body")
  func parts() {
    let plain = StubResponse.redirect(to: "/new", headers: ["location": "/other"])
    #expect(plain.status == 302)
    #expect(plain.headContent(bodyLength: 0).fields == ["Location": "/new", "Content-Length": "0"])
    let whole = StubResponse.redirect(to: URL(string: "https://b.example.com/x?y")!, status: 308, headers: ["A": "b"])
    #expect(whole.status == 308)
    #expect(whole.headers["Location"] == "https://b.example.com/x?y" && whole.headers["A"] == "b")
  }

  @Test("needs a status that redirects")
  func statuses() {
    for (status, isValid) in [
      (300, true), (301, true), (308, true), (399, true), (304, false), (200, false), (400, false), (42, false),
    ] {
      #expect(
        StubResponse.redirect(to: "/x", status: status).problem == (isValid ? nil : .invalidRedirectStatus(status)),
        "\(status)")
    }
  }

  @Test("needs an address that a URL can be")
  func targets() {
    for (location, isValid) in [
      ("/new", true), ("new", true), ("?page=2", true), ("//b.example/x", true), ("https://b.example", true),
      ("app://done", true), ("/été", true), ("", false), ("http://", false), ("https:///x", false),
      ("http://[", false), ("/a\r\nSet-Cookie: b=c", false),
    ] {
      #expect(
        StubResponse.redirect(to: location).problem == (isValid ? nil : .invalidRedirectTarget(location)), "\(location)"
      )
    }
  }
}
