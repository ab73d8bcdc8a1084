import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

@Suite("The cookies of a recording", .inTurn)
struct RecordedCookieTests {
  /// When the recordings were made.
  private static let start = Date(httpDate: "Thu, 01 Jan 2026 00:00:00 GMT")!

  private static func archive(_ cookies: [String]) -> HTTPArchive {
    HTTPArchive(entries: [
      HTTPArchive.Entry(
        request: request("http://a.example/login"),
        response: .init(headers: .init(cookies.map { (name: "Set-Cookie", value: $0) })), startedAt: start)
    ])
  }

  /// The cookies that a replay sets now.
  private static func replayed(_ archive: HTTPArchive) -> [String] {
    archive.answer(ofEntryAt: 0, .atOnce).changed.headers.values(of: "Set-Cookie")
  }

  @Test("live as long as they did when they were recorded, redacted or not")
  func lifetimes() async throws {
    let cookies = [
      "a=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/", "b=2; Max-Age=60; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
      "c=3; Path=/", "dead=7; Expires=Wed, 31 Dec 2025 23:59:59 GMT",
      "gone=8; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "g=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/, h=2; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
    ]
    for archive in [Self.archive(cookies), Self.archive(cookies).redacted(.standard)] {
      let read = try HTTPArchive(archive.data)
      try await withStubs {
        replay(read)
        stub(condition: isPath("/next"), response: .empty())
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        storage.cookieAcceptPolicy = .always
        defer { for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) } }
        let session = URLSession(configuration: configuration)
        for path in ["login", "next"] { _ = try await session.data(from: url("http://a.example/\(path)")) }
        #expect((storage.cookies ?? []).map(\.name).sorted() == ["a", "b", "c", "g", "h"])
        let sent = StubRegistry.current.journal.entries.last?.request.value(forHTTPHeaderField: "Cookie")
        #expect(sent?.components(separatedBy: "; ").map { $0.prefix(1) }.sorted() == ["a", "b", "c", "g", "h"])
      }
    }
  }

  @Test("have a later date in every form of HTTP, and keep every other text")
  func texts() throws {
    for (before, after) in [
      ("a=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT; Path=/", "; Path=/"),
      ("a=1;Expires=Fri, 2 Jan 2026 0:00:00 GMT;x", ";x"),
      ("a=1; expires=Fri, 02-Jan-2026 00:00:00 GMT", ""), ("a=1; EXPIRES = Friday, 02-Jan-26 00:00:00 GMT; b", "; b"),
      ("a=1; Expires=Fri Jan 2 00:00:00 2026", ""),
    ] {
      let cookie = try #require(Self.replayed(Self.archive([before])).first)
      let date = cookie.dropFirst("a=1;".count).drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }
      let lifetime = try #require(Date(httpDate: String(date))).timeIntervalSinceNow
      #expect(86_000...86_700 ~= lifetime && cookie.hasPrefix("a=1;") && cookie.hasSuffix("GMT" + after), "\(cookie)")
    }
    let others = [
      "a=1", "a=1; Expires=0", "a=1; Expires=-1; Path=/", "a=1; Expires", "a=1; Expires=", "", ";", "=;=",
      "expires=Thu, 01 Jan 2026 00:00:00 GMT", "a=1; Expires=Thu, 32 Jan 2026 00:00:00 GMT", ";;Expires=,,",
      "a=1; Expires=Thu, 01 Jan 2026 24:00:00 GMT", "a=\"x; y\"; Comment=Expires",
    ]
    #expect(Self.replayed(Self.archive(others)) == others)
  }

  @Test("keep their dates if nothing says when they were recorded")
  func undated() throws {
    let text = String(decoding: Self.archive(["a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"]).data, as: UTF8.self)
    for date in ["", #""startedDateTime": "yesterday","#] {
      let archive = try HTTPArchive(Data(text.replacing(/"startedDateTime" : "[^"]*",/, with: date).utf8))
      #expect(archive.entries[0].startedAt.timeIntervalSinceNow > -60)
      #expect(Self.replayed(archive).first?.hasPrefix("a=1; Expires=Fri, 01 Jan 2100 00:0") == true)
    }
  }
}
