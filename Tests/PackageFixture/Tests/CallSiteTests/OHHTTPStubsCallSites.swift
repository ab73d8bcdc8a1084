import Foundation
import StubKitOHHTTPStubs
import XCTest

func ohhttpstubs(obj: [String: Any]) {
  stub(condition: isHost("mywebservice.com")) { _ in
    fixture(filePath: OHPathForFile("a.json", XCTestCase.self)!, headers: ["Content-Type": "application/json"])
  }
  stub(condition: isHost("x")) { _ in
    let obj = ["key1": "value1", "key2": ["value2A", "value2B"]] as [String: Any]
    return HTTPStubsResponse(jsonObject: obj, statusCode: 200, headers: nil).requestTime(1.0, responseTime: 3.0)
  }
  stub(condition: isMethodGET() && isHost("a") && containsQueryParams(["q": "1", "r": nil])) { _ in
    HTTPStubsResponse(data: "x".data(using: .utf8)!, statusCode: Int32(200), headers: ["Content-Type": "text/plain"])
  }
  stub(condition: { request in request.url?.host == "x" }) { request in
    HTTPStubsResponse(error: NSError(domain: NSURLErrorDomain, code: URLError.notConnectedToInternet.rawValue))
  }
  stub(condition: isHost("x")) { _ in
    fixture(filePath: "/a", status: 201, headers: ["Content-Type" as NSObject: "x" as AnyObject])
  }
  stub(.get, "/users/{id}", response: .ok)
  stub(.post, "/users", where: hasJsonBody(["id": 1]) && isHost("a"), response: .status(201))
  stub(.post, "/users", where: isHost("a")) { _ in .ok }
  let lock = NSLock()
  stub(condition: isHost("locked")) { _ in
    lock.lock()
    defer { lock.unlock() }
    return HTTPStubsResponse(jsonObject: [], statusCode: 200, headers: nil)
  }
  let descriptor: HTTPStubsDescriptor? = stub(condition: isHost("x"), response: .status(204))
  HTTPStubs.removeStub(descriptor!)
  HTTPStubs.removeAllStubs()
  HTTPStubs.setEnabled(true)
  HTTPStubs.setEnabled(false, for: URLSessionConfiguration.default)
  HTTPStubs.unmatched = .passThrough(when: isHost("localhost") || isHost("127.0.0.1"))
  HTTPStubs.unmatched = .respond { _ in .status(404) }
  HTTPStubs.onStubRedirectResponse { request, redirected, stub, response in print(request, redirected, stub, response) }
}
