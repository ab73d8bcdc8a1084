import Foundation
import StubKitTesting
import TestSupport
import Testing

/// The client's pauses and the network's run on one clock, so minutes of outages take no time.
@Suite("Notes that are synchronized", .inTurn)
struct NoteSyncTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let isNotes = isMethod(.get) && isPath("/notes")
  private let note: StubJSON = ["id": 1, "text": "milk"]

  init() { registry.clock = clock }

  private var client: NoteSync<ManualClock> { NoteSync(clock: clock, accessToken: "a", refreshToken: "r") }

  @Test("are gathered from all pages, wherever the server says that the next one is")
  func pages() async throws {
    let notes = try await withStubs(in: registry) {
      stubs(on: isNotes) {
        stub(
          condition: !containsQuery("page"),
          response: .json([["id": 1, "text": "milk"]])
            .header("Link", "<https://notes.example/notes?page=2>; rel=\"next\", </notes?page=3>; rel=\"last\""))
        stub(
          condition: containsQuery("page", "2"),
          response: .json([["id": 2, "text": "eggs"]]).header(
            "Link", "</notes>; rel=\"prev\", </notes?page=3>; rel=\"next\""))
        stub(
          condition: containsQuery("page", "3"),
          response: .json([["id": 3, "text": "tea"]]).header("Link", "</notes?page=2>; rel=\"prev\""))
      }
      return try await client.notes()
    }
    #expect(notes.map(\.text) == ["milk", "eggs", "tea"])
    #expect(registry.stubs.allSatisfy { $0.callCount == 1 })
  }

  @Test("come after failed attempts, between which the pauses grow")
  func backOff() async throws {
    let clock = clock
    let moments = Locked<[Duration]>([])
    let notes = try await withStubs(in: registry) {
      stub(condition: isNotes) { [note] _, match in
        moments.withLock { $0.append(clock.elapsed) }
        return match.callNumber < 5 ? .status(500) : .json([note])
      }
      return try await clock.run { try await client.notes() }
    }
    #expect(notes == [Note(id: 1, text: "milk")])
    #expect(moments.withLock { $0 } == [0, 1, 3, 7, 15].map { .seconds($0) })
  }
}

@Suite("An access token", .inTurn)
struct AccessTokenTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let isRefresh = isMethod(.post) && isPath("/token")

  init() { registry.clock = clock }

  private var client: NoteSync<ManualClock> { NoteSync(clock: clock, accessToken: "old", refreshToken: "r") }

  /// A server that knows the token "new", and gives it for the refresh token.
  private func server() {
    stubs(on: isHost("notes.example")) {
      stub(condition: .anything, response: .status(401), priority: -1)
      stub(
        condition: isRefresh && hasFormBody(["grant_type": "refresh_token", "refresh_token": "r"]),
        response: .json(["access_token": "new"]).delay(.seconds(2)))
      stub(condition: isPath("/notes") && hasHeader("Authorization", "Bearer new"), response: .json([]))
    }
  }

  @Test(
    "is renewed once for two requests, whether the second finds it expired before, during or after that",
    arguments: [0, 1, 5])
  func shared(delay: Int) async throws {
    try await withStubs(in: registry) { () async throws in
      server()
      stub(
        condition: hasHeader("Authorization", "Bearer old"),
        responses: [.status(401), .status(401).delay(.seconds(delay))])
      let client = client
      try await clock.run {
        async let one = client.notes()
        async let other = client.notes()
        _ = try await (one, other)
      }
    }
    expectCalls(to: isRefresh, .once, in: registry)
    expectCalls(to: isPath("/notes") && hasHeader("Authorization", "Bearer old"), 2, in: registry)
    #expect(clock.elapsed == .seconds(max(2, delay)))
  }
}
