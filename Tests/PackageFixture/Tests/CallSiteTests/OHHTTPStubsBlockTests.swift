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
    let blocks = ohhttpstubsBlocks(id: 42)
    let user = blocks.map { $0(request("/users/42")) }
    // One for each closure of ohhttpstubsBlocks. Two of the last four are values of a dictionary, in any order.
    #expect(
      user == [
        true, false, false, false, false, false, true, true, true, true, true, true, true, true, true, true, false,
        false,
        false, true, false, false, false, true, false, false, true, false, false, true, true, true, true, false, true,
        true,
      ] + Array(user.suffix(4)))
    #expect(isAPI()(request("/")) && !isNotAPI()(request("/")) && isNotAPI()(request("/", host: "b")))
    #expect(isAPIUser(7)(request("/users/7")) && !isAPIUser(7)(request("/users/8")))
    #expect(Endpoint.login.fallback(request("/fallback/a.json")) && !Endpoint.login.condition(request("/login")))
  }

  @Test("register their stubs, and remove them")
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
    #expect(
      StubResponse.status(204).addingHeader("A", "1").addingHeader("a", "2").httpHeaders?["A"] as? String == "1, 2")
  }
}
