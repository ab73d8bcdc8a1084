import Foundation
import StubKit
import TestSupport
import Testing

/// The client's pauses and the network's run on one clock, so minutes of outages take no time.
@Suite("Notes that are synchronized", .inTurn)
struct NoteSyncTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let isNotes = isMethodGET() && isPath("/notes")
  private let note: JSONValue = ["id": 1, "text": "milk"]

  /// The date at which the clock begins.
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  init() { registry.clock = clock }

  private var client: NoteSync<ManualClock> {
    var client = NoteSync(clock: clock, accessToken: "a", refreshToken: "r")
    client.now = { [clock] in Self.start.addingTimeInterval(clock.elapsed / .seconds(1)) }
    return client
  }

  @Test("are gathered from all pages, wherever the server says that the next one is")
  func pages() async throws {
    let notes = try await withStubs(registry: registry) {
      stubs(on: isNotes) {
        stub(
          condition: lacksQuery("page"),
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

  @Test("are fetched again page by page, not from the beginning")
  func brokenPage() async throws {
    let notes = try await withStubs(registry: registry) {
      let first = StubResponse.json([note]).header("Link", "</notes?page=2>; rel=\"next\"")
      stub(condition: isNotes, response: first)
      stub(condition: isNotes && containsQuery("page", "2"), responses: [.failure(.timedOut), .json([note])])
      return try await clock.run { try await client.notes() }
    }
    #expect(notes.count == 2 && clock.elapsed == .seconds(1))
    try verify(isNotes && lacksQuery("page"), called: .once, in: registry)
  }

  @Test("come after pauses that grow")
  func backOff() async throws {
    let clock = clock
    let moments = Locked<[Duration]>([])
    let notes = try await withStubs(registry: registry) {
      stub(condition: isNotes) { [note] _, match in
        moments.withLock { $0.append(clock.elapsed) }
        return match.callNumber < 5 ? .status(500) : .json([note])
      }
      return try await clock.run { try await client.notes() }
    }
    #expect(notes == [Note(id: 1, text: "milk")])
    #expect(moments.withLock { $0 } == [0, 1, 3, 7, 15].map { .seconds($0) })
  }

  @Test("stay as they are when the server is out of reach five times")
  func givenUp() async throws {
    await withStubs(registry: registry) {
      stub(condition: isNotes, response: .failure(.cannotConnectToHost))
      await #expect(throws: NoteSyncError.gaveUp(attempts: 5)) {
        try await clock.run { try await client.notes() }
      }
    }
    #expect(clock.elapsed == .seconds(15))
    try verify(isNotes, called: 5, in: registry)
  }

  @Test("are not asked for again when the server refuses", arguments: [400, 403, 404])
  func refused(status: Int) async throws {
    await withStubs(registry: registry) {
      let notes = stub(condition: isNotes, response: .status(status))
      await #expect(throws: NoteSyncError.refused(status: status)) { try await client.notes() }
      #expect(notes.callCount == 1)
    }
  }

  @Test(
    "come when the server says: in so many seconds, or at a date",
    arguments: [
      ("7", 7), ("0", 0), (start.addingTimeInterval(90).httpDate, 90), (start.addingTimeInterval(-90).httpDate, 0),
      ("later", 1),
    ])
  func retryAfter(field: String, pause: Int) async throws {
    let notes = try await withStubs(registry: registry) {
      let busy = StubResponse.status(503).header("Retry-After", field)
      stub(condition: isNotes, responses: [busy, .json([note])])
      return try await clock.run { try await client.notes() }
    }
    #expect(notes.count == 1 && clock.elapsed == .seconds(pause))
  }

  @Test("come at the date that the server names, also if the answer that names it is slow")
  func slowRetryAfter() async throws {
    _ = try await withStubs(registry: registry) {
      let busy = StubResponse.status(429).header("Retry-After", Self.start.addingTimeInterval(90).httpDate)
      stub(condition: isNotes, responses: [busy.delay(.seconds(30)), .json([])])
      return try await clock.run { try await client.notes() }
    }
    #expect(clock.elapsed == .seconds(90))
  }
}
