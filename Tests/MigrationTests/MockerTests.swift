import StubKitMocker
import TestSupport
import XCTest

/// What users of Mocker rely on, through the global registry as they use it.
final class MockerTests: XCTestCase {
  private let registry = StubRegistry.global

  /// The tests of other targets use scopes. These use the global registry, so it is off again at the end.
  override func tearDown() {
    Mocker.removeAll()
    Mocker.mode = .optout
    registry.isEnabled = false
    super.tearDown()
  }

  override func setUp() {
    super.setUp()
    registry.isEnabled = true
  }

  private func load(
    _ request: URLRequest, with session: URLSession = .shared
  ) -> (data: Data?, response: HTTPURLResponse?, error: (any Error)?) {
    let loaded = expectation(description: "\(request) is over")
    nonisolated(unsafe) var result: (Data?, HTTPURLResponse?, (any Error)?) = (nil, nil, nil)
    session.dataTask(with: request) { data, response, error in
      result = (data, response as? HTTPURLResponse, error)
      loaded.fulfill()
    }.resume()
    wait(for: [loaded], timeout: 600)
    return result
  }

  private func request(_ text: String, _ method: String = "GET", _ body: String? = nil) -> URLRequest {
    TestSupport.request(text, method: method, body: body, timeout: 3_600)
  }

  /// A mock of a GET.
  private func mock(_ address: String, _ status: Int = 200, text: String = "") -> Mock {
    Mock(url: url(address), statusCode: status, data: [.get: Data(text.utf8)])
  }

  func testAnswersAURLWithTheDataOfTheMethod() {
    Mock(
      url: url("https://a.example/users?page=2"), contentType: .json, statusCode: 201,
      data: [.get: Data("[1]".utf8), .post: Data("[2]".utf8)], additionalHeaders: ["X-Key": "1"]
    ).register()
    let got = load(request("https://a.example/users?page=2"))
    XCTAssertEqual(got.data, Data("[1]".utf8))
    XCTAssertEqual(got.response?.statusCode, 201)
    XCTAssertEqual(got.response?.value(forHTTPHeaderField: "Content-Type"), "application/json; charset=utf-8")
    XCTAssertEqual(got.response?.value(forHTTPHeaderField: "X-Key"), "1")
    XCTAssertEqual(load(request("https://a.example/users?page=2", "POST")).data, Data("[2]".utf8))
    XCTAssertTrue(load(request("https://a.example/users?page=2", "PUT")).error is UnmatchedRequestError)
    XCTAssertTrue(load(request("https://a.example/users?page=3")).error is UnmatchedRequestError)
    // A mock may ignore the query, and then ignores the port too.
    Mock(
      url: url("https://a.example/b.png?w=1"), ignoreQuery: true, contentType: .imagePNG, statusCode: 200,
      data: [.get: Data([1])]
    ).register()
    XCTAssertEqual(load(request("https://a.example/b.png?w=2&h=3")).data, Data([1]))
    XCTAssertEqual(load(request("https://a.example:8080/b.png")).data, Data([1]))
  }

  func testAnswersAnyMethodOfARequestWithoutAContentType() {
    let mock = Mock(request: request("https://a.example/", "PROPFIND"), statusCode: 207)
    mock.register()
    XCTAssertEqual(mock.request.httpMethod, "PROPFIND")
    let got = load(request("https://a.example/", "PROPFIND"))
    XCTAssertEqual(got.data, Data())
    XCTAssertEqual(got.response?.statusCode, 207)
    XCTAssertNil(got.response?.value(forHTTPHeaderField: "Content-Type"))
    XCTAssertTrue(load(request("https://a.example/")).error is UnmatchedRequestError)
  }

  func testOfSeveralMocksTheFirstOrTheLastOfEqualOnesAnswers() {
    Mock(url: url("https://a.example/?b"), ignoreQuery: true, statusCode: 200, data: [.get: Data("1".utf8)]).register()
    Mock(url: url("https://a.example/?c"), ignoreQuery: true, statusCode: 200, data: [.get: Data("2".utf8)]).register()
    XCTAssertEqual(load(request("https://a.example/?c")).data, Data("1".utf8))
    Mocker.removeAll()
    let first = mock("https://a.example/", text: "1")
    let second = mock("https://a.example/", 500, text: "2")
    XCTAssertEqual(first, second)
    first.register()
    second.register()
    XCTAssertEqual(load(request("https://a.example/")).response?.statusCode, 500)
    XCTAssertEqual(registry.stubs.count, 1)
    Mocker.removeAll()
    // A URL comes before a file extension.
    Mock(fileExtensions: "png", ".jpg", contentType: .imagePNG, statusCode: 400, data: [.get: Data()]).register()
    Mock(url: url("https://a.example/logo.png"), statusCode: 200, data: [.get: Data([1])]).register()
    XCTAssertEqual(load(request("https://a.example/logo.png")).response?.statusCode, 200)
    XCTAssertEqual(load(request("https://a.example/other.png")).response?.statusCode, 400)
    XCTAssertEqual(load(request("https://a.example/photo.jpg")).response?.statusCode, 400)
  }

  /// A registry can have the identity of one that is gone, so scopes begin and end often.
  func testMocksOfEndedScopesMakeRoomForThoseOfOthers() {
    let urls = (0..<40).map { url("https://a.example/\($0)") }
    func registerAll() { for url in urls { mock(url.absoluteString).register() } }
    registerAll()
    for _ in 0..<10 {
      withStubs {
        registerAll()
        mock(urls[0].absoluteString, 500).register()
        XCTAssertEqual(StubRegistry.current.stubs.count, urls.count)
        XCTAssertEqual(load(URLRequest(url: urls[0])).response?.statusCode, 500)
      }
    }
    XCTAssertEqual(load(URLRequest(url: urls[0])).response?.statusCode, 200)
    mock(urls[0].absoluteString, 500).register()
    XCTAssertEqual(registry.stubs.count, urls.count)
    XCTAssertEqual(load(URLRequest(url: urls[0])).response?.statusCode, 500)
  }

  func testAMockWithoutAURLHasOne() {
    let mock = Mock(contentType: .json, statusCode: 200, data: [.post: Data("{}".utf8)])
    mock.register()
    XCTAssertEqual(mock.request.httpMethod, "POST")
    var request = mock.request
    request.timeoutInterval = 3_600
    XCTAssertEqual(load(request).data, Data("{}".utf8))
    XCTAssertNotEqual(mock.url, Mock(contentType: .pdf, statusCode: 200, data: [.post: Data()]).url)
  }

  func testFailsWithTheErrorThatIsWanted() {
    Mock(url: url("https://a.example/"), statusCode: 500, data: [.get: Data()], requestError: URLError(.timedOut))
      .register()
    let got = load(request("https://a.example/"))
    XCTAssertNil(got.data)
    XCTAssertEqual((got.error as? URLError)?.code, .timedOut)
  }

  func testDeliversWhatHTTPWouldLeaveOut() {
    for (method, status) in [("GET", 204), ("GET", 304), ("HEAD", 200), ("GET", 302)] {
      Mock(
        request: request("https://a.example/", method), statusCode: status, data: Data("body".utf8),
        additionalHeaders: ["Location": "https://a.example/elsewhere"]
      ).register()
      let got = load(request("https://a.example/", method))
      XCTAssertEqual(got.response?.statusCode, status)
      XCTAssertEqual(got.data, Data("body".utf8), "\(method) \(status)")
    }
  }

  func testFollowsALocationInTheData() {
    let location = Data("Location: https://a.example/new\n".utf8)
    Mock(url: url("https://a.example/old"), statusCode: 200, data: [.get: location]).register()
    mock("https://a.example/new", text: "new").register()
    XCTAssertEqual(load(request("https://a.example/old")).data, Data("new".utf8))
  }

  func testCallsTheHandlerWithTheBodyAndThenTheCompletion() {
    struct User: Codable, Equatable { let name: String }
    let handlers: [(XCTestExpectation) -> OnRequestHandler] = [
      { done in .init(httpBodyType: User.self) { if $1 == User(name: "Ann") { done.fulfill() } } },
      { done in .init(httpBodyType: User.self, jsonDecoder: JSONDecoder()) { if $1?.name == "Ann" { done.fulfill() } }
      },
      { done in .init(requestCallback: { if $0.stubBody?.isEmpty == false { done.fulfill() } }) },
      { done in .init(jsonDictionaryCallback: { if $1 as? [String: String] == ["name": "Ann"] { done.fulfill() } }) },
      { done in .init(callback: { done.fulfill() }) },
      { done in .init(jsonArrayCallback: { if $1 == nil { done.fulfill() } }) },
    ]
    for (number, handler) in handlers.enumerated() {
      let done = expectation(description: "handler \(number) has its body")
      let completed = expectation(description: "request \(number) is complete")
      var mock = Mock(url: url("https://a.example/"), statusCode: 200, data: [.post: Data()])
      mock.onRequestHandler = handler(done)
      mock.completion = { completed.fulfill() }
      mock.register()
      _ = load(request("https://a.example/", "POST", #"{"name":"Ann"}"#))
      wait(for: [done, completed], timeout: 600, enforceOrder: true)
    }
  }

  func testFulfilsItsExpectations() {
    var mock = mock("https://a.example/")
    let expectations = [expectationForRequestingMock(&mock), expectationForCompletingMock(&mock)]
    mock.register()
    _ = load(request("https://a.example/"))
    wait(for: expectations, timeout: 600, enforceOrder: true)
  }

  func testSessionsWithTheProtocolClassReceiveMocks() {
    Mock(fileExtensions: "png", statusCode: 200, data: [.get: Data([1])]).register()
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [MockingURLProtocol.self]
    let session = URLSession(configuration: configuration)
    XCTAssertEqual(load(request("https://a.example/a.png"), with: session).data, Data([1]))
    configuration.protocolClasses = [MockingURLProtocol.self] + (configuration.protocolClasses ?? [])
    let other = URLSession(configuration: configuration)
    XCTAssertEqual(load(request("https://a.example/b.png"), with: other).data, Data([1]))
  }

  func testHandlesAllButIgnoredURLs() {
    XCTAssertEqual(Mocker.mode, .optout)
    let rows: [(URLMatchType, String, String, Bool)] = [
      (.full, "https://a.example/b?c", "https://a.example/b?c", false),
      (.full, "https://a.example/b?c", "https://a.example/b", true),
      (.ignoreQuery, "https://a.example/b", "https://a.example/b?c", false),
      (.prefix, "https://a.example/b", "https://a.example/b/c.png", false),
      // A prefix is text, and no regular expression.
      (.prefix, "https://a.example/b.c", "https://a.example/bXc", true),
      // A URL without a scheme.
      (.full, "www.example.com", "www.example.com", false),
    ]
    for (type, ignored, requested, isHandled) in rows {
      XCTAssertTrue(MockingURLProtocol.canInit(with: request(requested)), requested)
      Mocker.ignore(url(ignored), matchType: type)
      XCTAssertEqual(MockingURLProtocol.canInit(with: request(requested)), isHandled, "\(type) \(ignored) \(requested)")
      Mocker.removeAll()
    }
  }

  func testAnIgnoredURLReachesItsServer() {
    // Nothing listens on this port, so the network itself refuses.
    mock("http://127.0.0.1:1/a").register()
    Mocker.ignore(url("http://127.0.0.1:1/"), matchType: .prefix)
    XCTAssertEqual((load(request("http://127.0.0.1:1/a")).error as? URLError)?.code, .cannotConnectToHost)
    Mocker.mode = .optin
    XCTAssertEqual(load(request("http://127.0.0.1:1/a")).response?.statusCode, 200)
    Mocker.mode = .optout
    XCTAssertEqual((load(request("http://127.0.0.1:1/a")).error as? URLError)?.code, .cannotConnectToHost)
  }

  func testHandlesOnlyMocksIfItIsToldTo() {
    withStubs {
      mock("https://a.example/").register()
      XCTAssertEqual(StubRegistry.current.stubs.count, 1)
    }
    Mocker.mode = .optin
    // The mocks of a scope end with it.
    XCTAssertFalse(Mocker.shouldHandle(request("https://a.example/")))
    Mock(url: url("https://a.example/"), statusCode: 200, data: [.get: Data(), .put: Data()]).register()
    XCTAssertTrue(MockingURLProtocol.canInit(with: request("https://a.example/")))
    XCTAssertFalse(MockingURLProtocol.canInit(with: request("https://b.example/")))
    // This one reaches the network, where nothing listens.
    XCTAssertEqual((load(request("http://127.0.0.1:1/")).error as? URLError)?.code, .cannotConnectToHost)
    Mocker.mode = .optout
    Mocker.ignore(url("https://b.example/"))
    // One for each method of the mock, and one for the ignored URL.
    XCTAssertEqual(registry.stubs.count, 3)
    Mocker.removeAll()
    XCTAssertEqual(registry.stubs.count, 0)
  }

  func testRemovesAndIgnoresOnlyInItsScope() {
    let other = StubRegistry()
    withStubs(in: other) {
      mock("https://a.example/").register()
      Mocker.ignore(url("https://b.example/"))
    }
    withStubs {
      mock("https://a.example/").register()
      XCTAssertTrue(Mocker.shouldHandle(request("https://b.example/")))
      Mocker.mode = .optin
      XCTAssertTrue(Mocker.shouldHandle(request("https://a.example/")))
      Mocker.removeAll()
      XCTAssertFalse(Mocker.shouldHandle(request("https://a.example/")))
      XCTAssertEqual(StubRegistry.current.stubs.count, 0)
    }
    // The mock and the ignored URL of the other registry.
    XCTAssertEqual(other.stubs.count, 2)
  }

  func testForgetsWhatEndedScopesIgnored() {
    weak var stub: AnyObject?
    func ignore() {
      withStubs {
        Mocker.ignore(url("https://b.example/"))
        stub = StubRegistry.current.stubs.first
        XCTAssertNotNil(stub)
      }
    }
    ignore()
    // The store drops what ended scopes had when the next scope uses it.
    withStubs { Mocker.ignore(url("https://c.example/")) }
    XCTAssertNil(stub)
  }

  func testDoesNotCompleteARequestThatTheClientCancels() {
    let (cancelled, completed) = (expectation(description: "cancelled"), expectation(description: "completed"))
    completed.isInverted = true
    withStubs {
      var mock = mock("https://a.example/")
      mock.delay = .seconds(3_600)
      mock.completion = { completed.fulfill() }
      mock.register()
      StubRegistry.current.stubs[0].onFinish {
        XCTAssertEqual($0.outcome, .cancelled)
        cancelled.fulfill()
      }
      let task = URLSession.shared.dataTask(with: request("https://a.example/")) { _, _, _ in }
      task.resume()
      task.cancel()
      wait(for: [cancelled], timeout: 600)
    }
    wait(for: [completed], timeout: 0)
  }

  func testComparesMocksByWhatTheyAnswer() {
    func mock(_ type: String, _ methods: Mock.HTTPMethod...) -> Mock {
      Mock(fileExtensions: type, statusCode: 200, data: Dictionary(uniqueKeysWithValues: methods.map { ($0, Data()) }))
    }
    XCTAssertEqual(mock("png", .get, .put), mock("png", .put, .get))
    XCTAssertNotEqual(mock("png", .get), mock("jpeg", .get))
    XCTAssertNotEqual(mock("png", .get), mock("png", .get, .put))
  }
}
