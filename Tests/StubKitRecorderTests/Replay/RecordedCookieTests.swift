import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("The cookies of a recording", .inTurn)
struct RecordedCookieTests {
  /// When the recordings were made.
  private static let start = Date(httpDate: "Thu, 01 Jan 2026 00:00:00 GMT")!

  private static func archive(_ cookies: [String]) -> HTTPArchive {
    HTTPArchive(
      HTTPArchive.Entry(
        request: request("http://a.example/login"),
        response: .init(headers: .init(cookies.map { (name: "Set-Cookie", value: $0) })), startedAt: start))
  }

  /// The cookies that a replay sets now.
  private static func replayed(_ archive: HTTPArchive) -> [String] {
    archive.answer(ofEntryAt: 0, .atOnce).changed.headers.values(of: "Set-Cookie")
  }

  private static let lasting = [
    "a=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/", "b=2; Max-Age=60; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
    "c=3; Path=/", "g=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/, h=2; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
  ]
  private static let dead = [
    "dead=7; Expires=Wed, 31 Dec 2025 23:59:59 GMT", "gone=8; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ]

  @Test(
    "live as long as they did when they were recorded, redacted or not",
    arguments: [archive(lasting + dead), archive(lasting + dead).redactedAndReported(.standard).archive])
  func lifetimes(archive: HTTPArchive) async throws {
    let read = try HTTPArchive(archive.data)
    try await withStubs {
      replay(read)
      stub(condition: isPath("/next"), response: .status(204))
      let configuration = URLSessionConfiguration.ephemeral
      let storage = try #require(configuration.httpCookieStorage)
      storage.cookieAcceptPolicy = .always
      let session = URLSession(configuration: configuration)
      for path in ["login", "next"] { _ = try await session.data(from: url("http://a.example/\(path)")) }
      #expect(storage.cookies?.map(\.name).sorted() == ["a", "b", "c", "g", "h"])
      let sent = StubRegistry.current.journal.entries.last?.request.value(forHTTPHeaderField: "Cookie")
      #expect(sent?.components(separatedBy: "; ").map { $0.prefix(1) }.sorted() == ["a", "b", "c", "g", "h"])
    }
  }

  /// The recorded one lived for a day.
  @Test(
    "get a later expiry date, in whichever form of HTTP it was",
    arguments: [
      ("a=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/", "; Path=/"),
      ("a=1;Expires=Fri, 2 Jan 2026 0:00:00 GMT;x", ";x"), ("a=1; expires=Fri, 02-Jan-2026 00:00:00 GMT", ""),
      ("a=1; EXPIRES = Friday, 02-Jan-26 00:00:00 GMT; b", "; b"), ("a=1; Expires=Fri Jan 2 00:00:00 2026", ""),
    ])
  func dates(recorded: String, rest: String) throws {
    let cookie = try #require(Self.replayed(Self.archive([recorded])).first)
    let match = try #require(cookie.wholeMatch(of: /a=1;[^=]*=([^;]* GMT)(.*)/), "\(cookie)")
    let lifetime = try #require(Date(httpDate: String(match.1))).timeIntervalSinceNow
    // A day, but for some minutes.
    #expect((86_400 - 400...86_400 + 300).contains(lifetime), "\(cookie)")
    #expect(match.2 == rest)
  }

  @Test("keep every text without a date that can be read")
  func undatedTexts() {
    let others = [
      "a=1", "a=1; Expires=0", "a=1; Expires=-1; Path=/", "a=1; Expires", "a=1; Expires=", "", ";", "=;=",
      "expires=Thu, 01 Jan 2026 00:00:00 GMT", "a=1; Expires=Thu, 32 Jan 2026 00:00:00 GMT", ";;Expires=,,",
      "a=1; Expires=Thu, 01 Jan 2026 24:00:00 GMT", "a=\"x; y\"; Comment=Expires",
    ]
    #expect(Self.replayed(Self.archive(others)) == others)
  }

  @Test(
    "keep their dates if nothing says when they were recorded", arguments: ["", #""startedDateTime": "yesterday","#])
  func undated(start: String) throws {
    let cookie = "a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"
    let text = Self.archive([cookie]).data.text
      .replacing(/"startedDateTime" : "[^"]*",/, with: start)
    let replayed = try #require(Self.replayed(HTTPArchive(Data(text.utf8))).first)
    // Some seconds go by.
    #expect(replayed.hasPrefix("a=1; Expires=Fri, 01 Jan 2100 00:0"), "\(replayed)")
  }
}
