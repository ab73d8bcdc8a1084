import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide that shows each part once", .inTurn)
struct AtAGlanceExamples {
  private func status(_ path: String, _ change: (inout URLRequest) -> Void = { _ in }) async throws -> Int? {
    var request = URLRequest(url: URL(string: "https://api.example.com\(path)")!)
    change(&request)
    let (_, response) = try await URLSession.shared.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode
  }

  private func json(_ path: String) async throws -> JSONValue {
    try JSONValue(parsing: try await URLSession.shared.data(from: URL(string: "https://api.example.com\(path)")!).0)
  }

  @Test("shows matchers that match")
  func matchers() async throws {
    try await withStubs {
      stub(
        condition: isMethodPOST() && isPath("/login") && hasJSONBody(containing: ["user": "ann"]), response: .empty())
      stub(condition: hostEndsWith("example.com") && !hasHeader("Authorization"), response: .status(401))
      stub(condition: isPath("/search") && containsQuery(["q": "swift", "page": "2"]), response: .json(["hits": []]))
      stub(condition: isMethodGET() && { $0.timeoutInterval < 5 }, response: .failure(.timedOut))

      let login = try await status("/login") {
        $0.httpMethod = "POST"
        $0.setValue("token", forHTTPHeaderField: "Authorization")
        $0.httpBody = Data(#"{"user": "ann", "password": "p"}"#.utf8)
      }
      #expect(login == 204)
      let unauthorized = try await status("/anything")
      #expect(unauthorized == 401)
      let search = try await status("/search?page=2&q=swift&sort=date")
      #expect(search == 200)
      let error = await #expect(throws: URLError.self) { try await status("/search") { $0.timeoutInterval = 1 } }
      #expect(error?.code == .timedOut)
    }
  }

  @Test("shows responses that come")
  func responses() async throws {
    try await withStubs {
      stub(condition: isPath("/users"), response: fixture(named: "users.json", in: .module, subdirectory: "Fixtures"))
      stub(condition: isPath("/slow"), response: .text("at last").delay(.milliseconds(20)).header("ETag", "\"1\""))
      stub(condition: isPath("/offline"), response: .failure(.notConnectedToInternet))
      stub(condition: isPath("/job"), responses: [.status(503), .json(["done": true])])
      stub(condition: isPath(template: "/users/{id}")) { request, match in
        try .json(["id": match("id"), "call": match.callNumber])
      }

      let users = try await json("/users")
      #expect(users == [["id": 42, "name": "Ann"]])
      let slow = try await status("/slow")
      #expect(slow == 200)
      let offline = await #expect(throws: URLError.self) { try await status("/offline") }
      #expect(offline?.code == .notConnectedToInternet)
      let jobs = [try await status("/job"), try await status("/job")]
      #expect(jobs == [503, 200])
      let user = try await json("/users/7")
      #expect(user == ["id": "7", "call": 1])
    }
  }

  @Test("shows a server that asks, leads on, breaks off and takes what is sent")
  func server() async throws {
    let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try await withStubs {
      stub(
        condition: isPath("/film"), response: .unauthorized(realm: "Films"))
      stub(condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"), response: .redirect(to: "/film.mp4"))
      stub(condition: isPath("/film.mp4"), response: .data(film).chunked(by: 64_000, every: .milliseconds(5)))
      stub(condition: isPath("/cut"), response: .data(film).failing(afterBytes: 4_096))
      stub(condition: isMethodPOST() && isPath("/films")) { request in .text("\(request.stubBody?.count ?? 0) bytes") }

      let url = URL(string: "https://api.example.com/film")!
      let session = URLSession(configuration: .ephemeral, delegate: Ann(), delegateQueue: nil)
      let (downloaded, response) = try await session.data(from: url)
      #expect(downloaded.elementsEqual(film))
      #expect(response.url?.path == "/film.mp4")
      let cut = await #expect(throws: URLError.self) { try await status("/cut") }
      #expect(cut?.code == .networkConnectionLost)
      var upload = URLRequest(url: URL(string: "https://api.example.com/films")!)
      upload.httpMethod = "POST"
      let (answer, _) = try await URLSession.shared.upload(for: upload, from: film)
      #expect(String(decoding: answer, as: UTF8.self) == "200000 bytes")
    }
  }

  @Test("shows policies that hold")
  func policies() async throws {
    try await withStubs {
      HTTPStubs.unmatched = .fail  // the default
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      HTTPStubs.unmatched = .respond { _ in .status(404) }

      let missing = try await status("/missing")
      #expect(missing == 404)
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      await #expect(throws: UnmatchedRequestError.self) { try await status("/missing") }
    }
  }

  @Test("shows a journal that was written")
  func journal() async throws {
    try await withStubs {
      let client = Client()
      let login = stub(condition: isPath("/login"), response: .empty(), name: "login")
      let user = stub(condition: isPath("/me"), response: .json(["id": 42]))
      try await client.signIn()

      #expect(login.callCount == 1)
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.answered(status: 204), .answered(status: 200)])
      try verify(user, called: .once)
      try verify(isPath("/ads"), called: .never)
      try verifyInOrder(isPath("/login"), isPath("/me"))
      try HTTPStubs.verifyAllStubsUsed()
    }
  }

  @Test("shows networks that are slow and break")
  func networks() async throws {
    let film = Data(count: 16_000)
    let gate = ResponseGate()
    let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
    let clock = ManualClock()
    try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/map"), response: .data(film).network(.edge))
      // Fails three times out of ten. The error prints the seed that repeats it.
      stub(condition: isPath("/users"), response: .json([]).flaky(0.3))
      // Waits until gate.open().
      stub(condition: isPath("/news"), response: .json([]).held(by: gate))
      // The body is an AsyncSequence of Data.
      stub(condition: isPath("/log"), response: .stream(chunks))
      stub(condition: isPath("/quotes"), response: .events(["42.10", "42.35"], every: .seconds(1)))

      try await clock.run { _ = try await status("/map") }
      #expect(clock.elapsed == .milliseconds(300 + 1_000))
      do {
        _ = try await status("/users")
      } catch {
        #expect(error.localizedDescription.contains("write seed:"))
      }
      gate.open()
      let news = try await json("/news")
      #expect(news == [])
      sender.yield(Data("[1".utf8))
      sender.yield(Data(", 2]".utf8))
      sender.finish()
      let log = try await json("/log")
      #expect(log == [1, 2])
      try await clock.run { _ = try await status("/quotes") }
      #expect(clock.elapsed == .milliseconds(300 + 1_000 + 1_000))
    }
  }

  @Test("shows a minute that takes no time")
  func time() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(
        condition: isPath("/feed"), responses: [.noAnswer, .failure(.timedOut), .json(["news": 3]).delay(.seconds(2))])

      // The client sleeps on its clock between attempts: for 1, 2, 4 … seconds.
      let feed = try await clock.run { try await Client(clock: clock).feed() }
      #expect(feed == ["news": 3])
      #expect(clock.elapsed == .seconds(60 + 1 + 2 + 2))
    }
  }

  @Test("shows a report as it is printed")
  func report() async {
    await withStubs {
      func add(_ condition: RequestMatcher, name: String? = nil, line: UInt) {
        stub(
          condition: condition, response: .json([]), name: name, fileID: "AppTests/UserTests.swift", line: line)
      }
      add(isPath("/users") && containsQuery("page", "2"), name: "page 2", line: 14)
      add(hasJSON(at: "address.zip", equals: "1010"), name: "sign up", line: 12)
      add(isHost("api.example.com") && isPath("/users/42"), line: 10)
      var request = URLRequest(url: URL(string: "https://api.example.com/users?pge=2")!)
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"name": "Ann", "address": {"zip": "1020"}}"#.utf8)
      var told: [Substring] = []
      do {
        _ = try await URLSession.shared.data(for: request)
      } catch {
        told = error.localizedDescription.split(separator: "\n")
      }
      // Tests that run beside this one have scopes too, and lines of their own before the last.
      let shown = Page.guide("AtAGlance").printed[0].split(separator: "\n")
      #expect(told.prefix(shown.count - 1) + told.suffix(1) == shown[...], "\(told.joined(separator: "\n"))")
    }
  }
}

/// A client of an app.
private struct Client {
  var clock: any Clock<Duration> = ContinuousClock()

  func signIn() async throws {
    for path in ["/login", "/me"] { _ = try await get(path) }
  }

  /// Tries again after 1, 2, 4 … seconds.
  func feed() async throws -> JSONValue {
    var pause = Duration.seconds(1)
    while true {
      do {
        return try JSONValue(parsing: try await get("/feed"))
      } catch is URLError {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
  }

  private func get(_ path: String) async throws -> Data {
    try await URLSession.shared.data(from: URL(string: "https://api.example.com\(path)")!).0
  }
}

/// Signs in as Ann.
private final class Ann: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
  }
}
