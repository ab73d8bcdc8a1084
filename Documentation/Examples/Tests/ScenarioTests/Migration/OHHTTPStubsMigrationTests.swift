import Foundation
import StubKitOHHTTPStubs
import XCTest

// A test file as an app with OHHTTPStubs 9 has it. What changed: the import, that other tests of the process get their
// requests back in `tearDown`, and `.matches` where a closure is wanted and a matcher is written.

final class OHHTTPStubsMigrationTests: XCTestCase {
  private var session: URLSession!

  override func setUp() {
    super.setUp()
    HTTPStubs.setEnabled(true)
    session = URLSession(configuration: .default)
  }

  override func tearDown() {
    HTTPStubs.removeAllStubs()
    HTTPStubs.setEnabled(false)
    super.tearDown()
  }

  /// Makes a request and waits for its completion handler.
  private func load(_ request: URLRequest, timeout: TimeInterval = 10) -> Reply {
    let expectation = self.expectation(description: "\(request.url!)")
    let reply = Reply()
    session.dataTask(with: request) { data, response, error in
      reply.data = data
      reply.response = response as? HTTPURLResponse
      reply.error = error
      expectation.fulfill()
    }.resume()
    wait(for: [expectation], timeout: timeout)
    return reply
  }

  private func load(_ url: String) -> Reply { load(URLRequest(url: URL(string: url)!)) }

  func testJSONObject() throws {
    stub(condition: isHost("mywebservice.com") && isPath("/users/42")) { _ in
      let obj = ["id": 42, "tags": ["a", "b"]] as [String: Any]
      return HTTPStubsResponse(jsonObject: obj, statusCode: 200, headers: nil)
    }

    let reply = load("https://mywebservice.com/users/42")

    let object = try JSONSerialization.jsonObject(with: XCTUnwrap(reply.data)) as? [String: Any]
    XCTAssertEqual(object?["id"] as? Int, 42)
    XCTAssertEqual(object?["tags"] as? [String], ["a", "b"])
    XCTAssertEqual(reply.response?.statusCode, 200)
    XCTAssertEqual(reply.response?.value(forHTTPHeaderField: "Content-Type"), "application/json")
    XCTAssertNil(reply.error)
  }

  func testFixture() throws {
    stub(condition: isHost("mywebservice.com") && isExtension("json")) { _ in
      let stubPath = OHPathForFile("Fixtures/songs.json", OHHTTPStubsMigrationTests.self)
      return fixture(filePath: stubPath!, headers: ["Content-Type": "text/javascript"])
    }

    let reply = load("https://mywebservice.com/songs.json?limit=3")

    let path = try XCTUnwrap(OHPathForFile("Fixtures/songs.json", type(of: self)))
    XCTAssertEqual(reply.data, FileManager.default.contents(atPath: path))
    XCTAssertEqual(reply.response?.value(forHTTPHeaderField: "Content-Type"), "text/javascript")
    XCTAssertNil(OHPathForFile("Fixtures/no-such.json", type(of: self)))
  }

  func testNetworkDown() {
    stub(condition: isHost("mywebservice.com")) { _ in
      let notConnectedError = NSError(domain: NSURLErrorDomain, code: URLError.notConnectedToInternet.rawValue)
      return HTTPStubsResponse(error: notConnectedError)
    }

    let reply = load("https://mywebservice.com/")

    XCTAssertNil(reply.data)
    XCTAssertNil(reply.response)
    XCTAssertEqual((reply.error as NSError?)?.domain, NSURLErrorDomain)
    XCTAssertEqual((reply.error as NSError?)?.code, URLError.notConnectedToInternet.rawValue)
  }

  func testRequestTimeAndResponseTime() {
    stub(condition: isHost("slow.com")) { _ in
      HTTPStubsResponse(data: "Hello".data(using: .utf8)!, statusCode: Int32(200), headers: nil)
        .requestTime(0.1, responseTime: 0.2)
    }
    let start = Date()

    let reply = load("https://slow.com/")

    XCTAssertEqual(reply.data, "Hello".data(using: .utf8))
    XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 0.3)
  }

  func testDownloadSpeed() {
    stub(condition: isHost("speed.com")) { _ in
      HTTPStubsResponse(data: Data(count: 4_000), statusCode: 200, headers: nil)
        .responseTime(OHHTTPStubsDownloadSpeedEDGE)
    }
    let start = Date()

    let reply = load("https://speed.com/")

    XCTAssertEqual(reply.data?.count, 4_000)
    // 4 kilobytes at 16 kilobytes per second.
    XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 0.25)
  }

  func testStubRequests() {
    let descriptor = HTTPStubs.stubRequests(passingTest: isHost("old.com").matches) { request in
      HTTPStubsResponse(data: request.url!.path.data(using: .utf8)!, statusCode: 200, headers: nil)
    }
    descriptor.name = "old"

    XCTAssertEqual(load("https://old.com/a").data, "/a".data(using: .utf8))
    XCTAssertEqual(HTTPStubs.allStubs().map(\.name), ["old"])
    XCTAssertTrue(HTTPStubs.removeStub(descriptor))
    XCTAssertFalse(HTTPStubs.removeStub(descriptor))
    XCTAssertNotNil(load("https://old.com/a").error)
  }

  func testConditions() {
    stub(condition: isMethodPOST() && hasHeaderNamed("X-Token", value: "t") && hasJsonBody(["a": ["b", 1]])) { _ in
      HTTPStubsResponse(data: Data(), statusCode: 201, headers: nil)
    }
    stub(condition: isMethodGET() && containsQueryParams(["q": "1", "r": nil])) { _ in
      HTTPStubsResponse(data: Data(), statusCode: 202, headers: nil)
    }
    stub(condition: { request in request.url?.fragment == "closure" }) { _ in
      HTTPStubsResponse(data: Data(), statusCode: 203, headers: nil)
    }

    var post = URLRequest(url: URL(string: "https://any.com/")!)
    post.httpMethod = "POST"
    post.setValue("t", forHTTPHeaderField: "X-Token")
    post.httpBody = Data(#"{ "a" : ["b", 1] }"#.utf8)
    XCTAssertEqual(load(post).response?.statusCode, 201)
    XCTAssertEqual(load("https://any.com/?r&x=y&q=1").response?.statusCode, 202)
    XCTAssertEqual(load("https://any.com/#closure").response?.statusCode, 203)
  }

  func testNewestStubWins() {
    stub(condition: isHost("any.com")) { _ in HTTPStubsResponse(data: Data("1".utf8), statusCode: 200, headers: nil) }
    stub(condition: isHost("any.com")) { _ in HTTPStubsResponse(data: Data("2".utf8), statusCode: 200, headers: nil) }

    XCTAssertEqual(load("https://any.com/").data, Data("2".utf8))
  }

  func testConcurrentRequestsFromSeveralQueuesFinishInTheOrderOfTheirTimes() {
    stub(condition: isHost("order.com")) { request in
      let time = TimeInterval(request.url!.lastPathComponent)! / 100
      return HTTPStubsResponse(data: Data(), statusCode: 200, headers: nil).requestTime(time, responseTime: 0)
    }
    let finished = FinishedPaths()
    let times = ["24", "2", "16", "9"]
    let expectations = times.map { expectation(description: $0) }

    for (time, expectation) in zip(times, expectations) {
      let session = session!
      DispatchQueue(label: time).async {
        session.dataTask(with: URL(string: "https://order.com/\(time)")!) { _, response, _ in
          finished.append(response?.url?.lastPathComponent ?? "no response")
          expectation.fulfill()
        }.resume()
      }
    }
    wait(for: expectations, timeout: 10)

    XCTAssertEqual(finished.paths, ["2", "9", "16", "24"])
  }
}

/// What the completion handler got; the expectation puts the reading after the writing.
private final class Reply: @unchecked Sendable {
  // @unchecked holds because it is written once, before the expectation is fulfilled, and read after.
  var data: Data?
  var response: HTTPURLResponse?
  var error: (any Error)?
}

private final class FinishedPaths: @unchecked Sendable {
  // @unchecked holds because the paths are touched under the lock only.
  private let lock = NSLock()
  private var storage: [String] = []

  var paths: [String] { lock.withLock { storage } }

  func append(_ path: String) { lock.withLock { storage.append(path) } }
}
