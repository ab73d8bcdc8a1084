import Foundation
import StubKitOHHTTPStubs
import XCTest

// Forms of OHHTTPStubs' code in which a matcher stands for a closure, and the names of its version 8.

/// A function that returns a condition.
nonisolated func isAPI() -> HTTPStubsTestBlock { isHost("api.example.com") }
nonisolated func isAPIUser(_ id: Int) -> HTTPStubsTestBlock {
  return isMethodGET() && isHost("api.example.com") && isPath("/users/\(id)")
}
nonisolated func isNotAPI() -> HTTPStubsTestBlock { !isHost("api.example.com") }
nonisolated func isAPIOrLocal() -> HTTPStubsTestBlock { isAPI() || isHost("localhost") || !isScheme("https") }
nonisolated func isEither(_ host: HTTPStubsTestBlock?) -> OHHTTPStubsTestBlock { host ?? isHost("api.example.com") }

/// A parameter.
@discardableResult
nonisolated func stubOK(when condition: @escaping HTTPStubsTestBlock = isHost("api.example.com")) -> HTTPStubsDescriptor
{
  stub(condition: condition) { _ in HTTPStubsResponse(data: Data(), statusCode: 200, headers: nil) }
}

/// A property.
nonisolated struct Endpoint {
  let condition: HTTPStubsTestBlock
  var fallback: HTTPStubsTestBlock = isExtension("json") && pathStartsWith("/fallback")

  static let login = Endpoint(condition: isMethodPOST() && isPath("/login") && hasJsonBody(["user": "ann"]))
}

nonisolated func ohhttpstubsBlocks(id: Int) -> [HTTPStubsTestBlock] {
  let all: [HTTPStubsTestBlock] = [
    isMethodGET(), isMethodPOST(), isMethodPUT(), isMethodPATCH(), isMethodDELETE(), isMethodHEAD(), isScheme("https"),
    isHost("api.example.com"), isAbsoluteURLString("https://api.example.com/users/42"), isPath("/users/42"),
    pathStartsWith("/users"), pathEndsWith("42"), pathMatches("^/users/[0-9]+$"),
    pathMatches("USERS", options: .caseInsensitive), pathMatches(try! NSRegularExpression(pattern: "users")),
    isExtension(""), containsQueryParams(["page": "2"]), hasHeaderNamed("Accept"), hasHeaderNamed("Accept", value: "a"),
    hasBody(Data()), hasJsonBody([:]), hasFormBody(["a": "b"]), hasFormBody([URLQueryItem(name: "a", value: "b")]),
    isAPIUser(42) && isMethodGET(), !isHost("api.example.com"), isHost("a") || isHost("b") && !isPath("/c"),
    { request in request.url?.host == "api.example.com" },
  ]
  var assigned: HTTPStubsTestBlock = isHost("api.example.com")
  assigned = isPath("/users/\(id)") && assigned
  let byName: [String: HTTPStubsTestBlock] = ["users": pathStartsWith("/users"), "none": !pathStartsWith("/")]
  let conditions = ["a", "b"].map { name -> HTTPStubsTestBlock in isHost(name) }
  let chosen: HTTPStubsTestBlock = id > 0 ? isPath("/users/\(id)") : isMethodGET() && isPath("/")
  let matcher = isHost("api.example.com")
  let fromMatchers: HTTPStubsTestBlock = matcher && matcher || !matcher
  return all + conditions + [assigned, chosen, fromMatchers, isAPI(), isNotAPI(), isAPIOrLocal(), isEither(nil)]
    + byName.values + [Endpoint.login.condition, Endpoint.login.fallback]
}

nonisolated func ohhttpstubsStubs() {
  stubOK()
  stubOK(when: isPath("/users") && isMethodGET())
  stubOK(when: isAPI())
  stubOK(when: Endpoint.login.condition)
  stub(condition: isAPI() && isPath("/users")) { _ in fixture(filePath: "/a", headers: nil) }
  stub(condition: isAPIUser(42)) { _ in HTTPStubsResponse() }
  HTTPStubs.stubRequests(passingTest: isHost("api.example.com")) { _ in HTTPStubsResponse() }
  HTTPStubs.stubRequests(
    passingTest: isHost("api.example.com") && isPath("/users"), withStubResponse: { _ in HTTPStubsResponse() })
  HTTPStubs.stubRequests(passingTest: { $0.url?.host == "api.example.com" }) { _ in HTTPStubsResponse() }
  HTTPStubs.stubRequests(passingTest: isAPI()) { _ in HTTPStubsResponse() }
  let response = HTTPStubsResponse(jsonObject: [:], statusCode: 201, headers: ["X-Key": "1"])
  response.requestTime = 0.5
  response.responseTime = OHHTTPStubsDownloadSpeedWifi
  let headers: [NSObject: AnyObject]? = nil
  OHHTTPStubs.fixture(filePath: "/a", status: 201 as Int32, headers: headers).responseTime = 2
  XCTAssertEqual(response.statusCode, 201)
  XCTAssertEqual(response.httpHeaders?["X-Key"] as? String, "1")
}

nonisolated func ohhttpstubs8() {
  let descriptor: OHHTTPStubsDescriptor = OHHTTPStubs.stubRequests(passingTest: isHost("api.example.com")) { _ in
    OHHTTPStubsResponse(data: Data(), statusCode: 200, headers: nil)
  }
  let test: OHHTTPStubsTestBlock = isHost("a") && isPath("/b")
  let answer: OHHTTPStubsResponseBlock = { _ in OHHTTPStubsResponse(error: URLError(.timedOut)) }
  OHHTTPStubs.stubRequests(passingTest: test, withStubResponse: answer)
  descriptor.name = "old"
  OHHTTPStubs.onStubActivation { request, stub, response in print(request, stub.name ?? "", response.statusCode) }
  OHHTTPStubs.removeStub(descriptor)
  OHHTTPStubs.removeAllStubs()
}
