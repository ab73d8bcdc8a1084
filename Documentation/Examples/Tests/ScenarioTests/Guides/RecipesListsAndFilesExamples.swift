import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("The recipes for lists and files", .inTurn)
struct RecipesListsAndFilesExamples {
  @Test("request every page once")
  func pages() async throws {
    try await withStubs {
      let api = NoteSync(clock: ContinuousClock(), accessToken: "t", refreshToken: "r")
      stub(
        .get, "https://notes.example/notes",
        response: .json(
          [["id": 1, "text": "Buy bread"]],
          headers: ["Link": "</notes?page=2>; rel=\"next\""]))
      stub(.get, "https://notes.example/notes?page=2", response: .json([["id": 2, "text": "Water the plants"]]))

      let notes = try await api.notes()
      #expect(notes.map(\.id) == [1, 2])
      expectCalls(to: isPath("/notes"), 2)
    }
  }

  @Test("show an image when it has arrived, and not before")
  func image() async throws {
    try await withStubs {
      let view = PosterView()
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let poster = Data(count: 8_000)
      stub(
        .get, "https://api.example.com/poster.png",
        response: .data(poster, headers: ["Content-Type": "image/png"])
          .network(.edge))

      let loading = Task { try await view.load() }
      await clock.waitForPending()
      await clock.advance(by: .milliseconds(500))
      #expect(view.image == nil)
      await clock.advance(by: .milliseconds(300))
      try await loading.value
      #expect(view.image == poster)
    }
  }

  @Test("send a photo again whose upload ended in the middle")
  func upload() async throws {
    try await withStubs {
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let photo = Data(count: 200_000)
      let train = NetworkConditions(uplink: .kilobytesPerSecond(10))
      let uploads = stub(
        .post, "https://api.example.com/photos", responses: [.status(201).network(train), .status(201)])

      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = 10
      let api = FilmAPI(session: URLSession(configuration: configuration))
      try await clock.run { try await api.upload(photo) }
      #expect(uploads.requests.map(\.body) == [photo, photo])
      #expect(clock.elapsed == .seconds(10))
    }
  }

  @Test("send a photo again whose connection was lost")
  func lostUpload() async throws {
    try await withStubs {
      let uploads = stub(
        .post, "https://api.example.com/photos",
        responses: [.failing(afterUploadedBytes: 50_000), .status(201)])
      let api = FilmAPI(session: .shared)

      try await api.upload(Data(count: 200_000))
      #expect(uploads.callCount == 2)
    }
  }

  @Test("find the parts of a form")
  func parts() async throws {
    try await withStubs {
      let (api, photo) = (FilmAPI(), Data(count: 100))
      let uploads = stub(
        .post, "https://api.example.com/photos",
        where: hasMultipartPart(
          named: "photo", filename: "lake.jpg", contentType: "image/jpeg",
          data: photo)
          && hasMultipartPart(named: "caption", value: "At the lake"),
        response: .status(201))

      try await api.upload(photo, caption: "At the lake")
      #expect(uploads.callCount == 1)
    }
  }

  @Test("request the rest of a film")
  func ranges() async throws {
    try await withStubs {
      let api = FilmAPI()
      let server = StubResponse.data(film).conditional(etag: "v1")
        .acceptingRanges()
      let downloads = stub(
        .get, "https://api.example.com/film", responses: [server.failing(afterBytes: 60_000), server])

      let received = try await api.film()
      #expect(received == film)
      expectCalls(to: .anything, 2)
      let ranges = downloads.requests.map { $0.header("Range") }
      #expect(ranges == [nil, "bytes=60000-"])
      #expect(downloads.lastRequest?.header("If-Range") == "\"v1\"")
    }
  }

  @Test("tell GraphQL operations apart")
  func operations() async throws {
    try await withStubs {
      let api = GraphQLAPI()
      stub(
        .post, "https://api.example.com/graphql", where: isGraphQL(operation: "Films"),
        response: .json(["data": ["films": ["Alien"]]]))
      stub(
        .post, "https://api.example.com/graphql",
        where: isGraphQL(operation: "Rate") && hasJSON(at: "variables.stars", equals: 6),
        response: .json(["errors": [["message": "Give one to five stars"]]]))

      let films = try await api.films()
      #expect(films == ["Alien"])
      let error = await #expect(throws: GraphQLError.self) {
        try await api.rate("Alien", stars: 6)
      }
      #expect(error?.message == "Give one to five stars")
    }
  }
}
