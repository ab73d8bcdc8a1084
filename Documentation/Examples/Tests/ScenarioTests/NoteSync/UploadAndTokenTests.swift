import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A note's attachment", .inTurn)
struct AttachmentTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 29) })
  private let progress = Locked<[Double]>([])
  private let isAttachment = isMethodPUT() && pathStartsWith("/attachments/")

  init() { registry.clock = clock }

  private var client: NoteSync<ManualClock> { NoteSync(clock: clock, accessToken: "a", refreshToken: "r") }

  private func withAttachment<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file)
  }

  /// On Apple platforms `URLSession` does not tell a delegate what is sent where a `URLProtocol` takes the request.
  private static let isProgressKnown = StubKitCapabilities.current.mechanisms.contains {
    $0.name == "URLSession internals" && $0.isActive
  }

  @Test("is sent, and shows how far it has come", .enabled(if: isProgressKnown))
  func upload() async throws {
    try await withAttachment { file in
      try await withStubs(registry: registry) { () async throws in
        let uplink = NetworkConditions(uplink: .kilobytesPerSecond(10))
        stub(condition: isAttachment && hasBody(bytes), response: .status(201).network(uplink))
        let upload = Task { [client, progress] in
          try await client.upload(file) { fraction in progress.withLock { $0.append(fraction) } }
        }
        await clock.waitForPending()
        await clock.advance(by: .seconds(10))
        let halfway = progress.withLock { $0.last ?? 0 }
        #expect(halfway > 0.3 && halfway <= 0.5)
        await clock.advance(by: .seconds(10))
        try await upload.value
      }
    }
    let told = progress.withLock { $0 }
    #expect(told.last == 1 && told == told.sorted() && clock.elapsed == .seconds(20))
  }

  @Test("is sent anew after a failure, whole")
  func repeated() async throws {
    try await withAttachment { file in
      try await withStubs(registry: registry) { () async throws in
        stub(condition: isAttachment, responses: [.failure(.networkConnectionLost), .status(201)])
        try await clock.run { try await client.upload(file) { _ in } }
      }
    }
    try verify(isAttachment && hasBody(bytes), called: 2, in: registry)
  }
}

@Suite("An access token", .inTurn)
struct AccessTokenTests {
  private let clock = ManualClock()
  private let registry = StubRegistry()
  private let isRefresh = isMethodPOST() && isPath("/token")

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

  @Test("that has expired is renewed, and the request repeated")
  func renewed() async throws {
    try await withStubs(registry: registry) { () async throws in
      server()
      _ = try await clock.run { try await client.notes() }
    }
    #expect(registry.journal.entries.compactMap(\.outcome.status) == [401, 200, 200])
  }

  @Test(
    "is renewed once for two requests that need it, whether the second finds it expired before, during or after that",
    arguments: [0, 1, 5])
  func shared(delay: Int) async throws {
    try await withStubs(registry: registry) { () async throws in
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
    try verify(isRefresh, called: .once, in: registry)
    try verify(isPath("/notes") && hasHeader("Authorization", "Bearer old"), called: 2, in: registry)
    #expect(clock.elapsed == .seconds(max(2, delay)))
  }

  @Test("that can't be renewed signs the user out, for all requests alike")
  func signedOut() async throws {
    await withStubs(registry: registry) {
      server()
      stub(condition: isRefresh, response: .json(["error": "invalid_grant"], status: 400).delay(.seconds(1)))
      let client = client
      await clock.run {
        async let one = #expect(throws: NoteSyncError.signedOut) { try await client.notes() }
        async let other = #expect(throws: NoteSyncError.signedOut) { try await client.notes() }
        _ = await (one, other)
      }
    }
  }

  @Test("that is refused again right after it was renewed is not renewed for ever")
  func refusedAgain() async throws {
    await withStubs(registry: registry) {
      server()
      stub(condition: isPath("/notes"), response: .status(401))
      await #expect(throws: NoteSyncError.signedOut) { try await clock.run { try await client.notes() } }
    }
    try verify(isRefresh, called: .once, in: registry)
  }
}
