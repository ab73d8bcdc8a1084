import Foundation
import StubKitTesting
import Testing

@testable import Shop

/// How the conditions are written: with the path alone, with the method and the whole URL, or so in a strict test.
private let style = ProcessInfo.processInfo.environment["STYLE"] ?? "strict"

private let get: StubMethod = style == "path" ? .any : .get

private func url(_ path: String) -> String { style == "path" ? path : "https://api.example.com\(path)" }

@Suite(.stubbed(strict: Strictness(style == "strict"))) struct ShopTests {
  @Test func signsIn() async throws {
    let login = stub(
      .post, url("/login"), where: hasJSON(at: "user", equals: "ann") && hasJSON(at: "password", equals: "x"),
      response: .json(["token": "t"]))
    stub(get, url("/me"), where: hasBearerToken("t"), response: .json(["name": "Ann"]))
    let shop = Shop()
    try await shop.signIn("ann", "x")
    let name = try await shop.name()
    #expect(name == "Ann")
    #expect(login.callCount == 1)
  }

  @Test(arguments: [401, 503]) func saysThatTheLoginFailed(status: Int) async {
    stub(.post, url("/login"), response: .status(status))
    await #expect(throws: Shop.Failure(status: status)) { try await Shop().signIn("ann", "x") }
  }

  @Test func showsTheName() async throws {
    stub(get, url("/me"), response: .json(["name": "Ann"]))
    let name = try await Shop(token: "t").name()
    #expect(name == "Ann")
  }

  @Test(.timeLimit(.minutes(1))) func refreshesTheTokenOnce() async throws {
    let gate = ResponseGate()
    let refresh = stub(
      .post, url("/token"), where: hasFormBody(["grant_type": "refresh_token", "refresh_token": "r+1"]),
      response: .json(["access_token": "new"]).held(by: gate))
    stub(get, url("/notes"), where: hasBearerToken("new"), response: .json(["Buy bread"]))
    let refused = stub(get, url("/notes"), where: hasBearerToken("old"), response: .status(401))

    let shop = Shop(token: "old")
    async let first = shop.notes()
    async let second = shop.notes()
    try await refused.waitForCompletions(2)
    gate.open()
    let notes = try await (first, second)
    #expect(notes == (["Buy bread"], ["Buy bread"]))
    #expect(refresh.callCount == 1)
  }

  @Test func comparesTheRefusedToken() async throws {
    let gate = ResponseGate()
    let refresh = stub(.post, url("/token"), response: .json(["access_token": "new"]))
    stub(get, url("/notes"), where: hasBearerToken("new"), response: .json([]))
    let refused = stub(
      get, url("/notes"), where: hasBearerToken("old"), responses: [.status(401).held(by: gate), .status(401)])

    let shop = Shop(token: "old")
    async let late = shop.notes()
    try await refused.waitForCalls()
    _ = try await shop.notes()
    gate.open()
    _ = try await late
    #expect(refresh.callCount == 1)
  }

  @Test(.timeLimit(.minutes(1))) func stopsWhenTheNewTokenIsRefused() async {
    stub(.post, url("/token"), response: .json(["access_token": "new"]))
    stub(get, url("/notes"), response: .status(401))
    await #expect(throws: Shop.Failure(status: 401)) { try await Shop(token: "old").notes() }
  }

  @Test func readsAllPages() async throws {
    stub(
      get, url("/films?page=1&size=2"),
      response: .json(["Alien", "Brazil"], headers: ["Link": "</films?page=2&size=2>; rel=\"next\""]))
    stub(get, url("/films?page=2"), response: .json(["Cabaret"]))
    let films = try await Shop().films()
    #expect(films == ["Alien", "Brazil", "Cabaret"])
    try verify(isPath("/films"), called: 2)
  }

  @Test func searches() async throws {
    stub(get, url("/search"), where: containsQuery("q", "Al ien"), response: .json(["Alien"]))
    let films = try await Shop().search("Al ien")
    #expect(films == ["Alien"])
    try verify(.anything, called: 1)
  }

  @Test func uploadsAPhoto() async throws {
    let uploads = stub(
      .post, url("/photos"),
      where: hasMultipartPart(named: "photo", filename: "a.jpg", contentType: "image/jpeg")
        && hasMultipartPart(named: "caption", value: "At the lake"),
      response: .status(201))
    try await Shop().upload(Data(count: 8), caption: "At the lake")
    #expect(uploads.callCount == 1)
  }

  @Test func saysThatAPhotoIsTooLarge() async {
    stub(.post, url("/photos"), response: .status(413))
    await #expect(throws: Shop.Failure(status: 413)) { try await Shop().upload(Data(count: 8), caption: "") }
  }

  @Test(arguments: ["v1", "v2"]) func resumesADownload(tag: String) async throws {
    let film = Data("Alien".utf8)
    let downloads = stub(get, url("/film"), response: .data(film).conditional(etag: tag).acceptingRanges())
    let received = try await Shop().film(after: film.prefix(2), tag: "\"v1\"")
    #expect(received == film)
    #expect(downloads.lastRequest?.header("Range") == "bytes=2-")
    #expect(downloads.lastRequest?.header("If-Range") == "\"v1\"")
  }

  @Test func keepsAPoster() async throws {
    let poster = stub(get, url("/poster.jpg"), response: .data(Data(count: 8)).conditional(etag: "v1"))
    let shop = Shop()
    let first = try await shop.poster()
    let second = try await shop.poster()
    #expect(first == second)
    #expect(poster.requests.map(\.outcome.status) == [200, 304])
  }

  @Test func repeatsAnOrderUnderItsKey() async throws {
    let orders = stub(
      .post, url("/orders"), where: hasHeader("Idempotency-Key") && hasJSONBody(["film": "Alien", "count": 2]),
      responses: [.failure(.networkConnectionLost), .status(201)])
    let shop = Shop()
    try await shop.order("Alien", count: 2)
    try await shop.order("Alien", count: 2)
    let keys = orders.requests.map { $0.header("Idempotency-Key") }
    try #require(keys.count == 3)
    #expect(keys[0] == keys[1])
    #expect(keys[1] != keys[2])
  }

  @Test func waitsAsLongAsTheServerSays() async throws {
    let clock = ManualClock()
    HTTPStubs.clock = clock
    let orders = stub(
      .post, url("/orders"), responses: [.status(503, headers: ["Retry-After": "30"]), .status(201)])
    try await clock.run { try await Shop(clock: clock).order("Alien", count: 1) }
    #expect(clock.elapsed == .seconds(30))
    #expect(orders.callCount == 2)
  }

  @Test func doesNotRepeatARefusedOrder() async {
    let orders = stub(.post, url("/orders"), response: .status(422))
    await #expect(throws: Shop.Failure(status: 422)) { try await Shop().order("Alien", count: 0) }
    #expect(orders.callCount == 1)
  }

  @Test func rates() async throws {
    stub(
      .post, url("/graphql"), where: isGraphQL(operation: "Rate") && hasJSON(at: "variables.stars", equals: 6),
      response: .json(["errors": [["message": "Give one to five stars"]]]))
    await #expect(throws: Shop.Failure(status: 200, message: "Give one to five stars")) {
      try await Shop().rate("Alien", stars: 6)
    }
  }

  @Test func sendsDraftsInOrder() async throws {
    let drafts = stub(.put, url("/draft"), response: .status(204))
    let left = await Shop().send(drafts: ["a", "b"])
    #expect(left == [])
    #expect(drafts.requests.map(\.text) == ["a", "b"])
  }

  @Test func keepsDraftsWithoutANetwork() async throws {
    stub(.put, url("/draft"), responses: [.status(204), .failure(.notConnectedToInternet)])
    let left = await Shop().send(drafts: ["a", "b", "c"])
    #expect(left == ["b", "c"])
  }

  @Test func deletesADraft() async throws {
    let draft = stub(.delete, url("/draft"), response: .status(204))
    try await Shop().deleteDraft()
    try verify(draft, called: .once)
  }

  @Test(.timeLimit(.minutes(1))) func goesOnAfterTheLastEvent() async throws {
    let clock = ManualClock()
    HTTPStubs.clock = clock
    stub(
      get, url("/ticker"),
      response: .events([.init("41", id: "1", retry: .seconds(5)), .init("42", id: "2")]))
    stub(get, url("/ticker"), where: hasHeader("Last-Event-ID", "2"), response: .status(204))
    let prices = try await clock.run { try await Shop(clock: clock).prices() }
    #expect(prices == ["41", "42"])
    #expect(clock.elapsed == .seconds(5))
  }
}
