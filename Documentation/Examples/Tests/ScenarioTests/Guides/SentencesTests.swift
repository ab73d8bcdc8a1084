import Foundation
import StubKit
import TestSupport
import Testing

/// Sentences of the guides that say each, none or never, and that no other test shows.
@Suite("A sentence of the guides", .inTurn)
struct SentencesTests {
  @Test("Limits: each request arrives at its stub, although its response may be cached")
  func cache() async throws {
    try await withStubs {
      let list = stub(
        .get, "https://api.example.com/films",
        response: .json(["Alien"], headers: ["Cache-Control": "max-age=60"]))
      let configuration = URLSessionConfiguration.default
      let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
      configuration.urlCache = cache
      let session = URLSession(configuration: configuration)
      for _ in 1...2 { _ = try await text(request("/films")) }
      for _ in 1...2 { _ = try await session.data(from: address("/films")) }
      #expect(list.callCount == 4)
      #expect(cache.cachedResponse(for: URLRequest(url: address("/films"))) == nil)
    }
  }

  @Test("Limits: requests to one host are answered side by side, whatever the limit of connections is")
  func connections() async throws {
    try await withStubs {
      let gate = ResponseGate()
      let films = stub(.get, "https://api.example.com/films", response: .json(["Alien"]).held(by: gate))
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpMaximumConnectionsPerHost = 1
      let session = URLSession(configuration: configuration)
      async let one = session.data(from: address("/films"))
      async let other = session.data(from: address("/films"))
      #expect(try await films.waitForCalls(2).count == 2)
      gate.open()
      _ = try await (one, other)
    }
  }

  @Test("Limits: where its stub is offline, a request fails at once")
  func connectivity() async throws {
    await withStubs {
      stub(.get, "https://api.example.com/films", response: .json(["Alien"]).network(.offline))
      let configuration = URLSessionConfiguration.ephemeral
      #if !os(Linux)
        configuration.waitsForConnectivity = true
      #endif
      let error = await #expect(throws: URLError.self) {
        try await URLSession(configuration: configuration).data(from: address("/films"))
      }
      #expect(error?.code == .notConnectedToInternet)
    }
  }

  @Test("Building responses: a modifier of .passThrough is a mistake, and a closure can sleep instead")
  func passThrough() async throws {
    let server = try LoopbackServer()
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(.any, "/delayed", response: .passThrough.delay(.seconds(5)))
      stub(.any, "/health") { _ in
        try await clock.sleep(for: .seconds(5))
        return .passThrough
      }
      let base = URL(string: "http://127.0.0.1:\(server.port)")!
      await #expect(throws: StubResponseError.self) {
        try await URLSession.shared.data(from: base.appendingPathComponent("delayed"))
      }
      let health = base.appendingPathComponent("health")
      let (data, _) = try await clock.run { try await URLSession.shared.data(from: health) }
      #expect(String(decoding: data, as: UTF8.self) == "real GET /health" && clock.elapsed == .seconds(5))
    }
  }

  @Test("Matching requests: a closure sees the timeout of the request, and not of its session")
  func timeout() async throws {
    let seen = Locked<[TimeInterval]>([])
    try await withStubs {
      stub(
        condition: {
          let timeout = $0.timeoutInterval
          seen.withLock { $0.append(timeout) }
          return true
        }, response: .ok)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = 4
      _ = try await URLSession(configuration: configuration).data(from: address("/slow"))
    }
    #expect(seen.withLock { $0.first } == 60)
  }

  @Test("Coming from Mocker: a stub that names no method answers HEAD too, without its body")
  func head() async throws {
    try await withStubs {
      stub(condition: isPath("/users"), response: .text("Ann"))
      let (head, body) = try await answer(request("/users", "HEAD"))
      #expect(head.value(forHTTPHeaderField: "Content-Length") == "3" && body == "")
    }
  }

  @Test("Slow and failing networks: the immediate clock lets a gate hold a request for longer than its timeout")
  func gate() async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      let gate = ResponseGate()
      let list = stub(.get, "/films", response: .text("late").held(by: gate))
      async let answer = text(URLRequest(url: address("/films"), timeoutInterval: 0.05))
      try await list.waitForCalls()
      try await ContinuousClock().sleep(for: .milliseconds(150))
      gate.open()
      #expect(try await answer == "late")
    }
  }

  @Test("Building responses: the journal has an entry for each request on the way of a redirect")
  func redirects() async throws {
    try await withStubs {
      stub(.get, "/a", response: .redirect(to: "/b", status: 301))
      stub(.get, "/b", response: .redirect(to: "/c", status: 308))
      stub(.get, "/c", response: .text("end"))
      _ = try await text("/a")
      #expect(HTTPStubs.requests.map { $0.request.url?.path } == ["/a", "/b", "/c"])
    }
  }

  @Test("Troubleshooting: a downloaded file is there in its handler, and gone after it has returned")
  func download() async throws {
    try await withStubs {
      let film = stub(.get, "/film", response: .data(film))
      let seen = Locked<(path: String, exists: Bool)?>(nil)
      URLSession.shared.downloadTask(with: address("/film")) { file, _, _ in
        let path = file?.path ?? ""
        seen.withLock { $0 = (path, FileManager.default.fileExists(atPath: path)) }
      }.resume()
      try await film.waitForCompletions()
      let (path, exists) = try #require(seen.withLock { $0 })
      #expect(exists)
      try await until("the file is gone") { !FileManager.default.fileExists(atPath: path) }
    }
  }

  @Test("Getting started: a request counts that fails because the network is offline")
  func offline() async throws {
    try await withStubs {
      HTTPStubs.network = .offline
      let list = stub(.get, "/films", response: .json([]))
      #expect(await code("/films") == .notConnectedToInternet)
      try verify(list, called: .once)
      try verify(isPath("/films"), called: .once)
    }
  }

  @Test("Parallel tests: an inner scope starts without stubs, and the outer ones apply again when it ends")
  func nesting() async throws {
    try await withStubs {
      stub(.get, "/films", response: .text("outer"))
      await withStubs {
        await #expect(throws: UnmatchedRequestError.self) { try await text("/films") }
      }
      let after = try await text("/films")
      let shared = try await withStubs(in: .current) { try await text("/films") }
      #expect([after, shared] == ["outer", "outer"])
    }
  }

  @Test(
    "Recipes: a limit, which cancels the task of the test, ends a client that asks for ever", .timeLimit(.minutes(1)))
  func limit() async throws {
    try await withStubs {
      let pages = stub(.get, "/notes", response: .json([1]))
      let client = Task { while true { _ = try await URLSession.shared.data(from: address("/notes")) } }
      try await pages.waitForCalls(20)
      client.cancel()
      await #expect(throws: (any Error).self) { try await client.value }
    }
  }

  @Test("Slow and failing networks: no error of a request equals a bare URLError, be it stubbed or real")
  func errors() async throws {
    let server = try LoopbackServer(isRefusing: true) { _, _ in false }
    let configuration = URLSessionConfiguration.ephemeral
    HTTPStubs.setEnabled(false, for: configuration)
    let url = URL(string: "http://127.0.0.1:\(server.port)/")!
    let native = await #expect(throws: URLError.self) {
      try await URLSession(configuration: configuration).data(from: url)
    }
    let stubbed = await withStubs {
      stub(.get, "/", response: .failure(.cannotConnectToHost))
      return await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    }
    for error in [native, stubbed] {
      #expect(error?.code == .cannotConnectToHost && error != URLError(.cannotConnectToHost))
    }
  }

  @Test("Recipes: an upload that loses its connection has sent its body, on Linux in twenty steps")
  func lostUpload() async throws {
    final class Uploads: NSObject, URLSessionTaskDelegate {
      let steps = Locked<[Int64]>([])
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
      ) { steps.withLock { $0.append(count) } }
    }
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let train = NetworkConditions(uplink: .kilobytesPerSecond(10))
      let photos = stub(.post, "/photos", response: .failure(.networkConnectionLost).network(train))
      let uploads = Uploads()
      let session = URLSession(configuration: .ephemeral, delegate: uploads, delegateQueue: nil)
      session.uploadTask(with: request("/photos", "POST"), from: film).resume()
      try await photos.waitForCalls()
      await clock.waitForPending()
      await clock.advanceToEnd()
      let sent = try await photos.waitForCompletions()
      #expect(sent.map(\.outcome) == [.failed(URLError(.networkConnectionLost))])
      #expect(clock.elapsed == .seconds(20))
      #if os(Linux)
        #expect(uploads.steps.withLock { $0 } == Array(repeating: 10_000, count: 20))
      #endif
    }
  }

  @Test("Limits: the response of a data: URL, or of a protocol of the session's own, isn't HTTP")
  func otherResponses() async throws {
    final class Plain: URLProtocol {
      override class func canInit(with request: URLRequest) -> Bool { request.url?.path == "/plain" }
      override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
      override func startLoading() {
        let response = URLResponse(
          url: request.url!, mimeType: "text/plain", expectedContentLength: 0, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocolDidFinishLoading(self)
      }
      override func stopLoading() {}
    }
    try await withStubs {
      stub(condition: .anything, response: .ok)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [Plain.self]
      let session = URLSession(configuration: configuration)
      for url in [URL(string: "data:text/plain,Ann")!, address("/plain")] {
        let (_, response) = try await session.data(from: url)
        #expect(!(response is HTTPURLResponse))
      }
      #expect(HTTPStubs.requests.isEmpty)
    }
  }

  @Test("Slow and failing networks: with a seed, the same calls fail in each run")
  func seeds() async {
    func fates() async -> [URLError.Code?] {
      await withStubs {
        stub(.get, "/map", response: .json([]).flaky(rate: 0.5, seed: 7))
        return await codes("/map", "/map", "/map", "/map", "/map", "/map", "/map", "/map")
      }
    }
    let first = await fates()
    #expect(await fates() == first && Set(first).count == 2)
  }
}
