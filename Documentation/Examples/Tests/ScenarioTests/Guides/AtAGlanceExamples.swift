import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide that shows each part once", .inTurn)
struct AtAGlanceExamples {
  @Test("shows matchers that match")
  func matchers() async throws {
    try await withStubs { () async throws in
      stub(
        condition: isMethodPOST() && isPath("/login")
          && hasJSONBody(containing: ["user": "ann"]),
        response: .empty())
      stub(
        condition: hostEndsWith("example.com")
          && !hasHeader("Authorization"),
        response: .status(401))
      stub(
        condition: isPath("/search")
          && containsQuery(["q": "swift", "page": "2"]),
        response: .json(["hits": []]))
      stub(
        condition: isMethodGET() && { $0.timeoutInterval < 5 },
        response: .failure(.timedOut))

      let login = request("/login", "POST", ["Authorization": "token"], body: #"{"user": "ann", "password": "p"}"#)
      #expect(try await status(login) == 204)
      #expect(try await statuses("/anything", "/search?page=2&q=swift&sort=date") == [401, 200])
    }
  }

  @Test("shows responses that come")
  func responses() async throws {
    try await withStubs { () async throws in
      stub(
        condition: isPath("/users"),
        response: fixture(
          named: "users.json", in: .module, subdirectory: "Fixtures"))
      stub(
        condition: isPath("/slow"),
        response: .text("at last").delay(.milliseconds(20))
          .header("ETag", "\"1\""))
      stub(
        condition: isPath("/offline"),
        response: .failure(.notConnectedToInternet))
      stub(
        condition: isPath("/job"),
        responses: [.status(503), .json(["done": true])])
      stub(condition: isPath(template: "/users/{id}")) { request, match in
        try .json(["id": match("id"), "call": match.callNumber])
      }

      #expect(try await text("/users").contains("Ann"))
      #expect(await codes("/slow", "/offline") == [nil, .notConnectedToInternet])
      #expect(try await statuses("/job", "/job") == [503, 200])
      #expect(try await text("/users/7") == #"{"call":1,"id":"7"}"#)
    }
  }

  @Test("shows a server that asks, leads on, breaks off and takes what is sent")
  func server() async throws {
    try await withStubs {
      stub(condition: isPath("/film"), response: .unauthorized(realm: "Films"))
      stub(
        condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"),
        response: .redirect(to: "/film.mp4"))
      stub(
        condition: isPath("/film.mp4"),
        response: .data(film).chunked(by: 64_000, every: .milliseconds(5)))
      stub(
        condition: isPath("/cut"),
        response: .data(film).failing(afterBytes: 4_096))
      stub(condition: isMethodPOST() && isPath("/films")) { request in
        .text("\(request.stubBody?.count ?? 0) bytes")
      }

      let session = URLSession(configuration: .ephemeral, delegate: Ann(), delegateQueue: nil)
      let (head, _) = try await answer(request("/film"), in: session)
      session.finishTasksAndInvalidate()
      #expect(head.url?.path == "/film.mp4")
      #expect(await code("/cut") == .networkConnectionLost)
      #expect(try await text(request("/films", "POST", body: "Alien")) == "5 bytes")
    }
  }

  @Test("shows policies that hold")
  func policies() async throws {
    try await withStubs { () async throws in
      HTTPStubs.unmatched = .fail  // the default
      HTTPStubs.unmatched = .passThrough(when: isHost("localhost"))
      HTTPStubs.unmatched = .respond { _ in .status(404) }

      #expect(try await status("/missing") == 404)
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
    let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
    let gate = ResponseGate()
    try await withStubs { () async throws in
      HTTPStubs.clock = .immediate
      stub(condition: isPath("/map"), response: .data(film).network(.edge))
      // Fails three times out of ten. The error prints the seed that repeats it.
      stub(condition: isPath("/users"), response: .json([]).flaky(0.3))
      // Waits until gate.open().
      stub(condition: isPath("/news"), response: .json([]).held(by: gate))
      // The body is an AsyncSequence of Data.
      stub(condition: isPath("/log"), response: .stream(chunks))
      stub(
        condition: isPath("/quotes"),
        response: .events(["42.10", "42.35"], every: .seconds(1)))

      gate.open()
      sender.yield(Data("[1, 2]".utf8))
      sender.finish()
      #expect(try await texts("/news", "/log", "/quotes") == ["[]", "[1, 2]", "data: 42.10\n\ndata: 42.35\n\n"])
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
      printedStub(isPath("/users") && containsQuery("page", "2"), "page 2", line: 14)
      printedStub(hasJSON(at: "address.zip", equals: "1010"), "sign up", line: 12)
      printedStub(isHost("api.example.com") && isPath("/users/42"), line: 10)
      let request = request("/users?pge=2", "POST", body: #"{"name": "Ann", "address": {"zip": "1020"}}"#)
      await expectReport(Page.guide("AtAGlance").printed[0], of: request)
    }
  }
}

/// A client of an app.
private struct Client {
  var clock: any Clock<Duration> = ContinuousClock()

  func signIn() async throws { _ = try await texts("/login", "/me") }

  /// Tries again after 1, 2, 4 … seconds.
  func feed() async throws -> JSONValue {
    var pause = Duration.seconds(1)
    while true {
      do {
        return try JSONValue(parsing: Data(try await text("/feed").utf8))
      } catch is URLError {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
  }
}
