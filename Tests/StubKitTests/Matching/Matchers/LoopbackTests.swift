import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("isLoopback", .inTurn)
struct LoopbackTests {
  @Test(
    "matches this machine by all of its names",
    arguments: [
      ("http://localhost/", true), ("http://LOCALHOST:8080/a", true), ("http://api.localhost/", true),
      ("http://127.0.0.1:80/", true), ("http://127.255.0.3/", true), ("http://[::1]:8080/", true),
      ("http://localhost.example.com/", false), ("http://128.0.0.1/", false), ("http://127.0.0/", false),
      ("http://127.0.0.256/", false), ("http://[::2]/", false), ("http://notlocalhost/", false), ("file:///a", false),
    ])
  func hosts(url: String, isLoopback: Bool) {
    #expect(StubKit.isLoopback().matches(request(url)) == isLoopback)
  }

  @Test("prints as it was written, and says which host came instead")
  func report() {
    #expect("\(isLoopback())" == "isLoopback()")
    var facts = RequestFacts(request("http://a.example/"))
    #expect(
      isLoopback().node.mismatches(&facts).map(\.description) == ["host: expected this machine, got a.example"])
  }
}
