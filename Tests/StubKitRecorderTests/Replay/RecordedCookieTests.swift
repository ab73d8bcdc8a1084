import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The cookies of a recording", .inTurn)
struct RecordedCookieTests {
  /// An entry that began a year before now, and was answered with these cookies.
  private static func entry(_ cookies: [String], startedAt: Date) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: request("http://a.example/login"),
      response: .init(headers: .init(cookies.map { (name: "Set-Cookie", value: $0) })), startedAt: startedAt)
  }

  /// The cookies that a session has, and those that its next request sends.
  private static func cookies(after archive: HTTPArchive) async throws -> (stored: [HTTPCookie], sent: String?) {
    try await withStubs {
      replay(archive)
      stub(condition: isPath("/next"), response: .empty())
      let configuration = URLSessionConfiguration.ephemeral
      let storage = try #require(configuration.httpCookieStorage)
      storage.cookieAcceptPolicy = .always
      let session = URLSession(configuration: configuration)
      defer { for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) } }
      for path in ["login", "next"] { _ = try await session.data(from: url("http://a.example/\(path)")) }
      let sent = StubRegistry.current.journal.entries.last?.request.value(forHTTPHeaderField: "Cookie")
      return ((storage.cookies ?? []).sorted { $0.name < $1.name }, sent)
    }
  }

  private static let year = 365 * 86_400.0

  @Test("live as long as they did when they were recorded, redacted or not")
  func lastYear() async throws {
    for isRedacted in [false, true] { try await lastYear(isRedacted) }
  }

  private func lastYear(_ isRedacted: Bool) async throws {
    let now = Date()
    let start = now - Self.year
    func text(_ date: Date, _ format: String) -> String {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "GMT")
      formatter.dateFormat = format
      return formatter.string(from: date)
    }
    let day = start + 86_400
    let cookies = [
      "a=1; Expires=\(day.httpDate); Path=/", "b=2; expires=\(text(day, "EEE, dd-MMM-yyyy HH:mm:ss")) GMT",
      "c=3; EXPIRES = \(text(day, "EEEE, dd-MMM-yy HH:mm:ss")) GMT; Path=/",
      "d=4; Expires=\(text(day, "EEE MMM d HH:mm:ss yyyy"))",
      "e=5; Max-Age=60; Expires=\(day.httpDate)", "f=6; Path=/", "dead=7; Expires=\((start - 1).httpDate)",
      "gone=8; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "g=1; Expires=\(day.httpDate); Path=/, h=2; Expires=\(day.httpDate)",
    ]
    var archive = HTTPArchive(entries: [Self.entry(cookies, startedAt: start)])
    if isRedacted { archive = archive.redacted(.standard) }
    archive = try HTTPArchive(archive.data)
    let (stored, sent) = try await Self.cookies(after: archive)
    let expected = ["a", "b", "c", "d", "e", "f", "g", "h"]
    #expect(stored.map(\.name) == expected)
    for cookie in stored where !["e", "f"].contains(cookie.name) {
      let lifetime = try #require(cookie.expiresDate).timeIntervalSince(now)
      #expect(86_395...86_700 ~= lifetime, "\(cookie.name)")
    }
    let answered = archive.answer(ofEntryAt: 0, .atOnce).changed.headers.values(of: "Set-Cookie")
    #expect(answered.contains { $0.contains("; Max-Age=60; Expires=") })
    #expect(sent?.components(separatedBy: "; ").map { String($0.prefix(1)) }.sorted() == expected)
  }

  @Test("keep the text of an attribute that is no date, and of a value that looks like one")
  func otherTexts() {
    let start = Date() - Self.year
    for cookie in [
      "a=1", "a=1; Expires=0", "a=1; Expires=-1; Path=/", "a=1; Expires", "a=1; Expires=", "", ";", "=;=",
      "expires=Thu, 01 Jan 2026 00:00:00 GMT", "a=1; Expires=Thu, 32 Jan 2026 00:00:00 GMT", ";;Expires=,,",
      "a=1; Expires=Thu, 01 Jan 2026 24:00:00 GMT", "a=\"x; y\"; Comment=Expires",
    ] {
      let archive = HTTPArchive(entries: [Self.entry([cookie], startedAt: start)])
      #expect(archive.answer(ofEntryAt: 0, .atOnce).changed.headers.values(of: "Set-Cookie") == [cookie])
    }
    let archive = HTTPArchive(
      entries: [Self.entry(["a=1;Expires=Thu, 1 Jan 2026 1:02:03 GMT;x", "b"], startedAt: start)])
    let moved = archive.answer(ofEntryAt: 0, .atOnce).changed.headers.values(of: "Set-Cookie")
    #expect(moved.count == 2 && moved[0].hasPrefix("a=1;Expires=Fri, 01 Jan 2027 01:0") && moved[0].hasSuffix(" GMT;x"))
    #expect(moved[1] == "b")
  }

  @Test(
    "keep their dates if nothing says when they were recorded", arguments: ["", #""startedDateTime": "yesterday", "#])
  func undated(member: String) throws {
    let text = #"""
      {"log": {"version": "1.2", "entries": [{\#(member)"request": {"method": "GET", "url": "http://a.example/"},
        "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": "a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"}],
          "content": {"size": 0, "text": ""}}}]}}
      """#
    let archive = try HTTPArchive(Data(text.utf8))
    #expect(archive.entries[0].startedAt.timeIntervalSinceNow > -60)
    let moved = archive.answer(ofEntryAt: 0, .atOnce).changed.headers["Set-Cookie"]
    #expect(moved?.hasPrefix("a=1; Expires=Fri, 01 Jan 2100 00:0") == true)
    #expect(try HTTPArchive(archive.data) == archive)
  }
}
