import Foundation
import StubKitOHHTTPStubs
import Testing

@Suite("OHHTTPStubs' call sites")
struct OHHTTPStubsBlockTests {
  private func request(_ path: String, host: String = "api.example.com") -> URLRequest {
    URLRequest(url: URL(string: "https://\(host)\(path)")!)
  }

  @Test("have closures that match what their matchers match")
  func blocks() {
    let (matching, others) = ohhttpstubsBlocks(id: 42)
    for (number, block) in matching.enumerated() { #expect(block(request("/users/42")), "\(number)") }
    for (number, block) in others.enumerated() { #expect(!block(request("/users/42")), "\(number)") }
    #expect(isNotAPI()(request("/", host: "b")) && Endpoint.login.fallback(request("/fallback/a.json")))
  }

  @Test("register what they say")
  func stubs() {
    withStubs {
      ohhttpstubsStubs()
      #expect(HTTPStubs.allStubs().count == 10)
      #expect(
        HTTPStubs.allStubs().map(\.condition.description).contains(#"isHost("api.example.com") && isPath("/users")"#))
      ohhttpstubs8()
      #expect(HTTPStubs.allStubs().isEmpty)
    }
  }

  @Test("read a response's status and header fields")
  func responses() {
    let response = OHHTTPStubsResponse(data: Data("x".utf8), statusCode: 201, headers: ["X-Key": 1])
    #expect(response.statusCode == 201 && response.httpHeaders?["X-Key"] as? String == "1")
    #expect(HTTPStubsResponse().statusCode == 200 && HTTPStubsResponse().httpHeaders?.isEmpty == true)
    #expect(HTTPStubsResponse(error: URLError(.timedOut)).statusCode == 0)
    #expect(StubResponse.empty().addingHeader("A", "1").addingHeader("a", "2").httpHeaders?["A"] as? String == "1, 2")
  }
}
